"""Revoked rights and rate limits take effect in all worker processes of a server; these tests run two processes.

Each request uses a new connection.
"""

from __future__ import annotations

import http.client
import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import pytest

from tests.support import databases
from tests.support.server import command, environment, kill_group, start
from tests.support.wire_phone import HEADERS, Answer, WirePhone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.support.server import Server

pytestmark = [pytest.mark.database, pytest.mark.slow]

NAMES = ("Ann", "Bob", "Cid", "Dee")
ASKED = 24
"""Number of requests after which both workers have almost certainly answered. The risk is 1 in 8 million."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Yield a server with two processes and with rate limits.

    The server reads the client's address from a header, as behind a proxy.
    """
    env = environment(SCOREKEEPER_LIMITS="on", SCOREKEEPER_PROXIES="1", **databases.variables_for(tmp_path))
    running = start(command(tmp_path, "--workers", "2"), env)
    try:
        yield running
        assert running.stop() == 0
    finally:
        kill_group(running)


@pytest.fixture
def new_wire(server: Server) -> Iterator[Callable[[], WirePhone]]:
    """Yield a function that returns a new phone; all connections are closed after the test."""
    with ExitStack() as phones:
        yield lambda: phones.enter_context(closing(WirePhone(server.url)))


def asked(server: Server, phone: WirePhone, path: str, address: str = "192.0.2.1", **fields: object) -> Answer:
    """Send a request on a new connection as a client at `address`, and return the response.

    With `fields`, the request is a POST of these fields. Otherwise it is a GET.
    """
    phone.close()
    phone.reach(server.url)
    headers = {**HEADERS, "X-Forwarded-For": address, "X-Forwarded-Host": urlsplit(server.url).netloc}
    try:
        if not fields:
            return phone.ask("GET", path, headers=headers)
        return phone.ask("POST", path, urlencode({"csrf_token": phone.token, **fields}).encode(), headers)
    finally:
        phone.close()


def until_all_say(status: int, ask: Callable[[], Answer]) -> float:
    """Call `ask` repeatedly, and return the seconds until the last response with a status other than `status`.

    Return 0 if all responses have this status. `ASKED` is the number of calls.
    """
    begun, last = time.monotonic(), 0.0
    for _ in range(ASKED):
        if ask().status != status:
            last = time.monotonic() - begun
    return last


def test_what_is_revoked_is_dead_within_a_second(server: Server, new_wire: Callable[[], WirePhone]) -> None:
    """A revoked score link, scorer's phone or watch page stops working within a second.

    This holds even for a watch page that the server or the browser has cached.
    """
    starter, scorer, watcher = new_wire(), new_wire(), new_wire()
    game = starter.start("setback-21", NAMES)
    table = starter.get(f"{game}/table")
    link = re.search(r"/score/[\w-]+", starter.post(f"{game}/score-links").body)
    assert link is not None
    scorer.get(link[0])
    assert scorer.post("/score", secret=link[0].rpartition("/")[2]).status == 303
    watch = game.replace("/games/", "/watch/")
    for _ in range(ASKED):
        assert asked(server, scorer, f"{game}/table").status == 200
        assert asked(server, watcher, watch).status == 200
        assert asked(server, watcher, f"{game}/kit.json").status == 403
    etag = tag_of(server, watch)
    assert tag_of(server, watch, etag) == "304"

    link = re.search(r"/score/[\w-]+", starter.post(f"{game}/score-links").body)
    assert link is not None
    assert asked(server, watcher, link[0]).status == 200
    assert starter.post(f"{game}/score-links/void").status == 303
    assert until_all_say(404, lambda: asked(server, watcher, link[0])) < 1

    away = re.search(rf"{game}/phones/\d+/void", starter.get(f"{game}/table").body.replace("<wbr>", ""))
    assert away is not None, table.body
    assert starter.post(away[0]).status == 303
    assert until_all_say(403, lambda: asked(server, scorer, f"{game}/table")) < 1
    assert (
        until_all_say(403, lambda: asked(server, scorer, f"{game}/bid", version=1, client_id="x" * 16, call="0:2")) < 1
    )

    assert starter.post(f"{game}/watching/void").status == 303
    assert until_all_say(404, lambda: asked(server, watcher, watch)) < 1
    assert {tag_of(server, watch, etag) for _ in range(ASKED)} == {"404"}
    assert starter.bid(game, 1, 0, 2).status == 303


def test_a_role_that_is_taken_away_is_dead_within_a_second(server: Server, new_wire: Callable[[], WirePhone]) -> None:
    """Within a second, a removed helper can no longer direct the night or score a game that they started there.

    A person who signs out everywhere is signed out on other devices just as fast.
    """
    owner, helper, elsewhere = new_wire(), new_wire(), new_wire()
    owner.get("/leagues")
    league = owner.post("/leagues", name="Fire Hall").location
    owner.post(f"{league}/people", names="\n".join(NAMES))
    season = owner.post(f"{league}/seasons", name="2026", **{"night-rounds": "1"}).location
    night = owner.post(f"{season}/nights", day="2026-09-01").location.removesuffix("/desk")
    people = re.findall(r'name="person" value="(\w+)"', owner.get(f"{night}/desk").body)
    assert owner.post(f"{night}/people", person=people).status == 303
    assert owner.post(f"{night}/draw", seed=1).status == 303

    sent = re.search(r"/invitations/([\w-]+)", owner.post(f"{league}/invitations", role="helper", called="Rita").body)
    assert sent is not None
    helper.get(sent[0])
    secret, password = {"secret": sent[1], "username": "Rita B."}, {"new-password": "four sleepy badgers"}
    assert helper.post("/invitations/account", **secret, **password).status == 200
    table = re.search(r'name="table" value="(\d+)"', helper.get(f"{night}/desk").body)
    assert table is not None
    game = helper.post(f"{night}/games", table=table[1]).location
    for path in (f"{night}/desk", f"{game}/kit.json"):
        assert until_all_say(200, lambda path=path: asked(server, helper, path)) == 0  # type: ignore[misc]

    member = re.search(rf"{league}/roles/\d+", owner.get(f"{league}/roles").body)
    assert member is not None
    assert owner.post(member[0], role="").status == 303
    assert until_all_say(403, lambda: asked(server, helper, f"{night}/desk")) < 1
    assert until_all_say(403, lambda: asked(server, helper, f"{night}/people", person=people[0])) < 1
    assert until_all_say(403, lambda: asked(server, helper, f"{game}/kit.json")) < 1

    elsewhere.get("/account/sign-in")
    signed = {"username": "Rita B.", "current-password": "four sleepy badgers"}
    assert elsewhere.post("/account/sign-in", **signed).status == 303
    assert until_all_say(200, lambda: asked(server, helper, "/account")) == 0
    elsewhere.get("/account")
    assert elsewhere.post("/account/sessions/end").status == 303
    assert until_all_say(303, lambda: asked(server, helper, "/account")) < 1


def tag_of(server: Server, path: str, etag: str = "") -> str:
    """Return the ETag of the page at `path`.

    If `etag` is given, return the status of the response to a browser that has the version of the page with this ETag.
    """
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    connection.request("GET", path, headers={"If-None-Match": etag} if etag else {})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return str(answer.status) if etag else answer.headers["ETag"]


def test_codes_are_guessed_5_times_a_minute_and_20_an_hour(server: Server, new_wire: Callable[[], WirePhone]) -> None:
    """Guesses of a code are limited by network address and by game, and the count is the same in all processes.

    The limits don't affect the phone that scores the game.
    """
    starter, stranger = new_wire(), new_wire()
    game = starter.start("setback-21", NAMES)
    shown = re.search(
        r"\b([a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4})\b", starter.get(f"{game}/table").body.replace("<wbr>", "")
    )
    assert shown is not None
    code = shown[1].replace("-", "")
    place = code[:4]
    stranger.get("/recovery")

    def guess(number: int, address: str) -> Answer:
        phone = WirePhone(server.url)
        phone.cookies, phone.token = dict(stranger.cookies), stranger.token
        return asked(
            server, phone, "/recovery", address, code=place + f"{number:08d}".translate(str.maketrans("01", "xz"))
        )

    with ThreadPoolExecutor(4) as many:
        one = list(many.map(lambda number: guess(number, "198.51.100.7").status, range(12)))
        assert (one.count(422), one.count(429)) == (5, 7)
        all_over = list(many.map(lambda number: guess(number, f"203.0.113.{number}").status, range(40)))
        assert (all_over.count(422), all_over.count(429)) == (20, 20), "of one network, of which three are free"
        last = list(many.map(lambda number: guess(number, f"192.0.2.{number}").status, range(10)))
        assert (last.count(422), last.count(429)) == (4, 6), "19 were tried before"
    assert asked(server, stranger, "/recovery", "192.0.2.99", code=code).status == 429
    other_game = "".join("c" if letter == "b" else "b" for letter in place)
    assert asked(server, stranger, "/recovery", "192.0.2.99", code=f"{other_game}bbbbbbbb").status == 422
    assert asked(server, stranger, "/recovery", "198.18.0.1", code=code).status == 303, (
        "strangers keep it out nowhere else"
    )
    for version in (1, 2):
        assert starter.get(game).status == 200
        assert (starter.bid(game, 1, 0, 2) if version == 1 else starter.post(f"{game}/undos", version=2)).status == 303
