"""If many phones request a watch page (to follow a game), the server makes the page only once after each change."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import socket
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unittest.mock import ANY

import pytest
from flask import request
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.server import shared_pages
from tests.support.game import play, start
from tests.support.server_thread import heard, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.wrappers import Response as FlaskResponse

    from scorekeeper.web.shared import Look
    from tests.support.page import Page
    from tests.support.phone import Phone

pytestmark = [pytest.mark.database, pytest.mark.new_app]


@dataclass
class Hall:
    """An app on a real server, with a count of the responses that the app has made.

    The server can send a stored response without asking the app.
    """

    app: Flask
    port: int = 0
    made: int = 0
    began: threading.Event = field(default_factory=threading.Event)
    """Set when a request has arrived that `hold_up` delays."""
    goes_on: threading.Event = field(default_factory=threading.Event)

    def hold_up(self) -> None:
        """Delay each request for the settings page until the event `goes_on` is set.

        Set the event `began` as soon as such a request arrives.
        """
        if request.path == "/settings":
            self.began.set()
            self.goes_on.wait(20)

    def count(self, response: FlaskResponse) -> FlaskResponse:
        """Number the response in a header, so that tests can tell a new response from a stored one."""
        self.made += 1
        response.headers["X-Answer"] = str(self.made)
        return response

    def ask(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Send a GET request; return (status, headers by lower-case name, body)."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as line:
            line.request("GET", path, headers={key.replace("_", "-"): value for key, value in headers.items()})
            answer = line.getresponse()
            body = answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server look up a game's version for each request, instead of waiting between two look-ups."""
    monkeypatch.setattr(shared_pages, "LOOKS_APART", 0.0)


@pytest.fixture
def hall(app: Flask) -> Iterator[Hall]:
    """Yield an app on a real server, with a number in the header of each response that the app makes."""
    hall = Hall(app)
    app.after_request(hall.count)
    app.before_request(hall.hold_up)
    with served(app) as port:
        hall.port = port
        yield hall


@pytest.fixture
def board(client: Phone, hall: Hall) -> Page:
    """Return the page of a new game on the phone that started the game."""
    return start(client)


def watched(board: Page) -> str:
    """Return the path of the watch page of the game whose page is `board`."""
    return board.path.replace("/games/", "/watch/")


def test_a_page_is_made_once_and_given_again(hall: Hall, board: Page) -> None:
    status, first, body = hall.ask(watched(board))
    again = [hall.ask(watched(board)) for _ in range(3)]
    assert status == 200
    assert {(code, headers["x-answer"], page) for code, headers, page in again} == {(200, first["x-answer"], body)}
    assert len({headers["x-request-id"] for _, headers, _ in again}) == 3
    for _, headers, _ in again:
        assert headers == first | {name: headers[name] for name in ("date", "x-request-id")}


def test_who_has_the_page_is_told_so_and_sent_nothing(hall: Hall, board: Page) -> None:
    _, first, _ = hall.ask(watched(board))
    for tags in (first["etag"], f'"another", {first["etag"]}', "*"):
        status, headers, body = hall.ask(watched(board), If_None_Match=tags)
        assert (status, body) == (304, b"")
        assert headers["etag"] == first["etag"]
        assert headers["cache-control"] == first["cache-control"]
        assert "content-security-policy" not in headers, "the browser has it already"
        assert "content-type" not in headers
    assert hall.ask(watched(board), If_None_Match='"another"')[0] == 200


def test_a_change_is_seen_by_the_next_who_asks(hall: Hall, board: Page, client: Phone) -> None:
    """After each change, the next request for a game's watch page shows the change.

    The changes are a new hand, turning watching off and on again, and deleting the game.
    """
    _, before, _ = hall.ask(watched(board))
    board = play(client, board, 0, 2, "AAAA")
    status, after, body = hall.ask(watched(board), If_None_Match=before["etag"])
    assert status == 200
    assert after["etag"] != before["etag"]
    assert hall.ask(watched(board))[2] == body
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/watching/void")
    assert hall.ask(watched(board), If_None_Match=after["etag"])[0] == 404
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/watching")
    assert hall.ask(watched(board))[0] == 200
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/deletion")
    assert hall.ask(watched(board), If_None_Match=after["etag"])[0] == 404


def test_another_language_encoding_look_or_name_is_another_page(hall: Hall, board: Page) -> None:
    path = watched(board)
    english = hall.ask(path)[2]
    spanish = hall.ask(path, Accept_Language="es")[2]
    packed = hall.ask(path, Accept_Encoding="gzip")
    assert packed[1]["content-encoding"] == "gzip"
    assert len({english, spanish, hall.ask(f"{path}?look=dark")[2], packed[2]}) == 4
    assert b"//hall-pc:81/" in hall.ask(path, Host="hall-pc:81")[2]
    assert hall.ask(path, Host="evil.example")[0] == 400
    assert hall.ask(path)[2] == english
    assert hall.ask(path, Accept_Language="es")[2] == spanish


@pytest.mark.parametrize("cookie", ["scorekeeper_device=evil", "scorekeeper_settings=look=dark&language=fr"])
def test_what_a_phone_is_known_by_neither_changes_the_page_nor_keeps_it(hall: Hall, board: Page, cookie: str) -> None:
    plain = hall.ask(watched(board))
    told = hall.ask(watched(board), Cookie=cookie)
    assert (told[1]["x-answer"], told[2]) == (plain[1]["x-answer"], plain[2])
    assert "set-cookie" not in told[1]


def test_what_is_for_one_phone_is_never_kept(hall: Hall, board: Page) -> None:
    """The server doesn't store pages that are meant for a single phone, nor error pages."""
    for path in (board.path, "/", "/watch/zzzzzzzzzz", "/nights/zzzzzzzzzz"):
        numbers = {hall.ask(path)[1]["x-answer"] for _ in range(3)}
        assert len(numbers) == 3


def test_a_crowd_that_asks_at_once_shares_one_page(hall: Hall, board: Page, client: Phone) -> None:
    path = watched(board)
    hall.ask(path)
    for hand in range(5):
        board = play(client, board, hand % 4, 2, "AAAA")
        before = hall.made
        with ThreadPoolExecutor(40) as crowd:
            answers = list(crowd.map(lambda _: hall.ask(path), range(40)))
        assert {status for status, _, _ in answers} == {200}
        assert len({body for _, _, body in answers}) == 1
        assert hall.made - before == 1


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list that grows by one with each look-up of a game's version in the database.

    In tests with this fixture, the server looks up the version of the same page at most once a second.
    """
    asked: list[object] = []
    version_of = shared_pages.SharedPages.version_of

    def counted(pages: shared_pages.SharedPages, look: Look) -> str | None:
        asked.append(look)
        return version_of(pages, look)

    monkeypatch.setattr(shared_pages.SharedPages, "version_of", counted)
    monkeypatch.setattr(shared_pages, "LOOKS_APART", 1.0)
    return asked


def test_requests_soon_after_a_look_share_the_next_one(looks: list[object], hall: Hall, board: Page) -> None:
    """If many phones request the same watch page at once, the server looks up the game's version only a few times."""
    hall.ask(watched(board))
    assert hall.ask(watched(board))[0] == 200
    assert len(looks) == 1
    with ThreadPoolExecutor(20) as crowd:
        answers = list(crowd.map(lambda _: hall.ask(watched(board)), range(20)))
    assert {status for status, _, _ in answers} == {200}
    assert len(looks) < 10


def test_quick_taps_make_one_page_for_the_crowd(
    hall: Hall, board: Page, client: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server pauses briefly before making a new watch page, and the page shows changes made during the pause."""

    async def pause() -> None:
        hall.began.set()
        await asyncio.to_thread(hall.goes_on.wait, 20)

    monkeypatch.setattr(shared_pages, "pause", pause)
    first = hall.ask(watched(board))[1]
    board = play(client, board, 0, 2, "AAAA")
    with ThreadPoolExecutor(1) as crowd:
        answer = crowd.submit(hall.ask, watched(board))
        assert hall.began.wait(20)
        play(client, board, 1, 2, "AAAA")
        hall.goes_on.set()
        _, headers, body = answer.result()
    assert headers["etag"] != first["etag"]
    assert hall.ask(watched(board))[1:] == (headers | {"x-request-id": ANY, "date": ANY}, body)


def test_the_crowd_waits_for_a_phone_that_is_answered_but_not_for_long(
    hall: Hall, board: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = watched(board)
    hall.ask(path)
    monkeypatch.setattr(shared_pages, "PATIENCE", 10.0)
    with ThreadPoolExecutor(2) as phones:
        slow = phones.submit(hall.ask, "/settings")
        assert hall.began.wait(10)
        looks = phones.submit(hall.ask, path)
        assert wait([looks], timeout=0.5).not_done
        hall.goes_on.set()
        assert looks.result()[0] == slow.result()[0] == 200

        monkeypatch.setattr(shared_pages, "PATIENCE", 0.1)
        hall.goes_on.clear()
        slow = phones.submit(hall.ask, "/settings")
        assert hall.ask(path)[0] == 200
        assert not slow.done()
        hall.goes_on.set()


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the memory for stored pages, so that the server has room for only a few."""
    monkeypatch.setattr(shared_pages, "MOST_BYTES", 60_000)


@pytest.mark.usefixtures("little_room")
def test_little_room_lets_the_oldest_page_go(hall: Hall, board: Page) -> None:
    first = hall.ask(watched(board))[1]["x-answer"]
    for number in range(12):
        assert hall.ask(f"{watched(board)}?n={number}")[0] == 200
    assert hall.ask(watched(board))[1]["x-answer"] != first


@pytest.mark.parametrize("length", ["Content-Length: 23", "Transfer-Encoding: chunked"])
def test_the_body_of_a_request_is_not_taken_for_the_next_one(hall: Hall, board: Page, length: str) -> None:
    name, value = length.split(": ")
    body = {"23": b"GET / HTTP/1.1\r\nHost: x", "chunked": b"3\r\nGET\r\n0\r\n\r\n"}[value]
    asked = f"GET {watched(board)} HTTP/1.1\r\nHost: localhost\r\n{name}: {value}\r\n".encode()
    with socket.create_connection(("127.0.0.1", hall.port), timeout=20) as line:
        line.sendall((asked + b"\r\n" + body) * 2 + asked + b"Connection: close\r\n\r\n" + body)
        assert heard(line).count(b"HTTP/1.1 200 OK") == 3


PADDING = st.integers(0, 9000)
ASKED = st.tuples(st.sampled_from(["a", "b", "a known", "b known", "health"]), PADDING)
QUESTIONS = st.lists(ASKED, min_size=1, max_size=8)
SEGMENTS = st.lists(st.sampled_from([61, 100, 1460, 4096, 8191, 8192, 8193, 20000]), min_size=1, max_size=6)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(connections=st.lists(st.tuples(QUESTIONS, SEGMENTS), min_size=1, max_size=3))
def test_however_requests_are_packed_each_gets_its_own_page(
    two: tuple[Hall, str, str], connections: list[tuple[list[tuple[str, int]], list[int]]]
) -> None:
    """Each request on a connection gets the right page, however the requests are divided into TCP segments.

    A segment may have several requests, and a request may be split into several segments.
    """
    hall, first, second = two
    pages = {path: hall.ask(path) for path in (first, second)}
    paths = {"a": first, "b": second, "health": "/healthz"}
    for questions, segments in connections:
        sent, wanted = b"", []
        for number, (what, padding) in enumerate(questions):
            path = paths[what.split()[0]]
            known = f"If-None-Match: {pages[path][1]['etag']}\r\n" if what.endswith("known") else ""
            last = "Connection: close\r\n" if number == len(questions) - 1 else ""
            head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{hall.port}\r\nAccept-Encoding: identity\r\n"
            sent += f"{head}X-Pad: {'x' * padding}\r\n{known}{last}\r\n".encode()
            wanted.append((304, b"") if known else (200, pages[path][2] if path in pages else b"ok\n"))
        with socket.create_connection(("127.0.0.1", hall.port), timeout=20) as line:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for size in itertools.cycle(segments):
                line.sendall(sent[:size])
                sent = sent[size:]
                if not sent:
                    break
            assert parsed(heard(line)) == wanted


@pytest.fixture
def two(client: Phone, hall: Hall) -> tuple[Hall, str, str]:
    """Return `hall` and the paths of the watch pages of two games with the same number of changes."""
    first = watched(start(client))
    return hall, first, watched(start(client, names=("Eve", "Fay", "Gus", "Hal")))


def parsed(stream: bytes) -> list[tuple[int, bytes]]:
    """Return (status, body) of each response in the data of one connection."""
    answers = []
    while stream:
        head, _, stream = stream.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:])
        size = int(fields.get("content-length", 0))
        answers.append((int(lines[0].split()[1]), stream[:size]))
        stream = stream[size:]
    return answers
