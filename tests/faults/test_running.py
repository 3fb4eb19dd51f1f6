"""A server is started twice at once, is stopped during a request, or gets unusual requests."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import threading
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from scorekeeper.db.data_folder import held
from tests.support import databases
from tests.support.server import changed_by, command, environment, kill_group, running, start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.server import Server

pytestmark = pytest.mark.slow

SLOW = """
import time
import scorekeeper
plain = scorekeeper.register_pages

def with_slow_page(app):
    plain(app)
    @app.get("/slow")
    def slow():
        print("begun", flush=True)
        for _ in range(1200):
            if (app.config["INSTANCE"] / "go-on").exists():
                break
            time.sleep(0.1)
        return "<!doctype html><title>Done</title>done"

scorekeeper.register_pages = with_slow_page
"""
"""Source that runs in each process before the real command: it adds a page that waits for `go_on`."""


def go_on(instance: Path) -> None:
    """Make the waiting page `/slow` respond, on the server with its data in `instance`."""
    (instance / "go-on").touch()


@pytest.fixture(params=[pytest.param("1", marks=pytest.mark.long), "2"], ids=["one process", "two processes"])
def slow(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """Yield a server that has an extra page, `/slow`, which waits until `go_on` is called."""
    server = start(command(tmp_path, "--workers", request.param), changed_by(SLOW, tmp_path))
    yield server
    kill_group(server)


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_page_that_was_begun_is_finished(slow: Server, sent: signal.Signals, tmp_path: Path) -> None:
    with urlopen_later(f"{slow.url}/slow") as answers:
        wait_for(slow, "begun")
        os.killpg(slow.process.pid, sent)  # to every process, as a terminal does
        go_on(tmp_path)
        assert slow.process.wait(timeout=120) == 0
    assert answers == [b"<!doctype html><title>Done</title>done"]


def test_nothing_is_restored_while_a_process_that_lost_its_parent_still_answers(tmp_path: Path) -> None:
    server = start(command(tmp_path, "--workers", "2"), changed_by(SLOW, tmp_path))
    try:
        with urlopen_later(f"{server.url}/slow") as answers:
            wait_for(server, "begun")
            os.kill(server.process.pid, signal.SIGKILL)
            server.process.wait(timeout=60)
            with pytest.raises(BlockingIOError), held(tmp_path / "serving", wait=False):
                pass
            go_on(tmp_path)
        assert answers == [b"<!doctype html><title>Done</title>done"]
        with held(tmp_path / "serving"):  # once it is done
            pass
    finally:
        kill_group(server)


@contextmanager
def urlopen_later(url: str) -> Iterator[list[bytes]]:
    """Request a page in a thread, and yield a list for the response.

    The list is empty at first. By the end of the `with` block, it has the body of the response.
    """
    answers: list[bytes] = []
    phone = threading.Thread(target=lambda: answers.append(urlopen(url).read()))
    phone.start()
    yield answers
    phone.join(timeout=120)


def wait_for(server: Server, line: str) -> None:
    """Wait until the server has printed `line`."""
    until = time.monotonic() + 120
    while line not in server.said:
        assert time.monotonic() < until, server.said
        time.sleep(0.01)


def test_the_banner_says_where_and_nothing_else_is_printed(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert urlopen(server.url).status == 200
        said = "\n".join(server.said)
        assert f"On this machine   {server.url}/" in said
        assert "To let phones in: scorekeeper --lan" in said
        assert str(tmp_path / "scorekeeper.db") in said
        before = [line for line in server.said if line]
        urlopen(server.url).read()
    assert [line for line in server.said if line] == before


def test_phones_are_let_in_with_an_address_and_a_code(tmp_path: Path) -> None:
    with running(tmp_path, "--lan") as server:
        said = "\n".join(server.said)
        assert "On every phone" in said or "isn't on a network" in said
        assert ("▀" in said) == ("On every phone" in said)
        port = urlsplit(server.url).port
        with socket.create_connection(("127.0.0.1", port or 0)) as connection:
            assert connection.getpeername()[1] == port


def test_two_servers_that_start_at_once_share_one_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    servers: list[Server] = []
    starts = [threading.Thread(target=lambda: servers.append(start(command(folder)))) for _ in range(3)]
    for one in starts:
        one.start()
    for one in starts:
        one.join()
    try:
        assert len(servers) == 3
        assert [urlopen(server.url).status for server in servers] == [200, 200, 200]
    finally:
        assert [server.stop() for server in servers] == [0, 0, 0]
    assert sorted(path.name for path in folder.iterdir()) == ["lock", "scorekeeper.db", "secret_key", "serving"]


def test_a_second_start_finds_everything_as_it_was(tmp_path: Path) -> None:
    with running(tmp_path):
        pass
    key = (tmp_path / "secret_key").read_text()
    with running(tmp_path) as server:
        assert urlopen(server.url).status == 200
    assert (tmp_path / "secret_key").read_text() == key


@pytest.mark.sqlite
def test_a_start_says_that_a_score_book_is_new_and_asks_for_one_that_was_there(tmp_path: Path) -> None:
    """If a server makes a new, empty database when it starts, it prints a message about the new database.

    If an old database was lost, people might otherwise notice the loss too late.
    """
    new = f"Made a new, empty database: {tmp_path / 'scorekeeper.db'}"
    with running(tmp_path) as first:
        assert [line for line in first.said if "new, empty database" in line] == [new]
    with running(tmp_path) as second:
        assert not [line for line in second.said if "new, empty database" in line]
    for file in tmp_path.glob("scorekeeper.db*"):
        file.unlink()
    with running(tmp_path) as third:
        (said,) = (line for line in third.said if "new, empty database" in line)
        assert said.startswith(f"{new} If there was one before, stop now")


def test_a_start_after_a_crash_needs_no_cleaning_up(tmp_path: Path) -> None:
    server = start(command(tmp_path))
    kill_group(server)
    with running(tmp_path) as again:
        assert urlopen(again.url).status == 200


@pytest.mark.parametrize("workers", ["1", "2"])
def test_more_phones_than_the_system_lets_in_do_no_lasting_harm(tmp_path: Path, workers: str) -> None:
    """If phones open more connections than the system allows, the server keeps running.

    The server answers requests again soon after these connections are closed.
    """
    limited = ["sh", "-c", 'ulimit -n 90; exec "$@"', "sh", *command(tmp_path, "--workers", workers)]
    server = start(limited, environment(**databases.variables_for(tmp_path)))
    try:
        place = urlsplit(server.url)
        with ExitStack() as stack:
            for _ in range(200):
                stack.enter_context(socket.create_connection((place.hostname, place.port), timeout=60))
            time.sleep(2)
            assert server.process.poll() is None
        until = time.monotonic() + 120
        while time.monotonic() < until:
            try:
                assert urlopen(f"{server.url}/healthz", timeout=30).status == 200
                break
            except OSError:
                time.sleep(0.2)
        else:
            pytest.fail("nobody is answered any more")
        assert server.stop() == 0
    finally:
        kill_group(server)


def test_a_name_of_two_megabytes_gets_its_answer(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        connection = http.client.HTTPConnection("127.0.0.1", urlsplit(server.url).port or 0, timeout=60)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", first_form(server), "name=" + "x" * 2_000_000, headers)
        answer = connection.getresponse()
        assert answer.status == 413
        assert b"Nothing was saved." in answer.read()
        connection.close()


def first_form(server: Server) -> str:
    """Return the address to which the first form on the home page is sent."""
    found = re.search(r'<form[^>]*action="?([^" >]+)', urlopen(server.url).read().decode())
    assert found is not None
    return found[1]
