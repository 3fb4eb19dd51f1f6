"""Several real server processes send each waiting message once, even if one of them is killed while it sends."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.leagues.outbox import service
from tests.support import databases
from tests.support.server import command, environment, kill_group, start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from tests.leagues.outbox.conftest import Post
    from tests.support.server import Server

KEY = "0123456789abcdef0123456789abcdef"
PEOPLE = 30
SECONDS = 60

pytestmark = pytest.mark.slow


@pytest.fixture
def serving(post: Post) -> Callable[..., AbstractContextManager[Server]]:
    """Return a function that runs a real server during a `with` block.

    The function's arguments are command-line options of the server. The server may send to the local web server and
    mail server.
    """
    from contextlib import contextmanager

    folder = post.app.config["INSTANCE"]
    env = environment(
        **databases.variables_for(folder),
        SECRET_KEY=KEY,
        SCOREKEEPER_MAIL=f"127.0.0.1:{post.mailbox.port}",
        SCOREKEEPER_MAIL_FROM="league@example.org",
        SCOREKEEPER_MAIL_TLS="plain",
        SCOREKEEPER_WEBHOOKS="on",
        SCOREKEEPER_WEBHOOK_HOSTS=post.receiver.host,
    )

    @contextmanager
    def run(*options: str) -> Iterator[Server]:
        server = start(command(folder, *options), env)
        try:
            yield server
        finally:
            kill_group(server)

    return run


def wait_for(done: Callable[[], Any]) -> None:
    until = time.monotonic() + SECONDS
    while not done():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_two_processes_send_each_mail_once(
    post: Post, serving: Callable[..., AbstractContextManager[Server]], record_property: Callable[[str, object], None]
) -> None:
    person, league = post.hall.person("Ann").rpartition("/")[2], post.hall.league.split("/")[2]
    with post.app.app_context():
        server = service.Server("http://localhost", KEY, mail=True, webhooks=True)
        for number in range(PEOPLE):
            address = f"p{number}@example.org"
            service.add_mail(league=league, person=person, address=address, server=server, device=post.hall.device)
    with serving("--workers", "2"):
        wait_for(lambda: len(post.mailbox.got) >= PEOPLE)
        time.sleep(6)  # one more look of each process
    got = [each for to, _mail in post.mailbox.got for each in to]
    assert sorted(got) == sorted(set(got))
    assert len(got) == PEOPLE
    record_property("mails", len(got))


def test_killed_server_sends_nothing_twice(post: Post, serving: Callable[..., AbstractContextManager[Server]]) -> None:
    """If a server is killed while it sends a message, the message isn't sent again, and its outcome is unknown.

    The receiver got the request, but nobody can know whether it was processed.
    """
    post.hook()
    post.release()
    post.receiver.act = lambda _handler: time.sleep(3)
    with serving():
        wait_for(lambda: post.receiver.got)
    assert post.states() == ["sending"]
    with serving():
        time.sleep(7)
    assert len(post.receiver.got) == 1
    post.send(timedelta(minutes=6))
    assert post.states() == ["unknown"]
    assert len(post.receiver.got) == 1
