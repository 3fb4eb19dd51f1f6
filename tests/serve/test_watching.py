"""A hall of phones asks for watched games again and again: what it is told is what one phone is told."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from scorekeeper.extensions import db
from scorekeeper.games import queries
from scorekeeper.games.access import NoSuchGameError
from scorekeeper.games.unchanged import Board, Glance, board_of
from tests.games.play import CLEAN, path_of, play, play_all, start
from tests.server import command, kill_group
from tests.server import start as start_server
from tests.wire import WirePhone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.client import HTTPResponse
    from pathlib import Path

    from flask import Flask

    from tests.phone import Phone

pytestmark = pytest.mark.sqlite

COUNTING = """
import itertools, os, sys
import scorekeeper
plain = scorekeeper.register_pages

def counting(app):
    plain(app)
    count = itertools.count()
    app.after_request(lambda response: response.headers.set("X-Answer", str(next(count))) or response)

scorekeeper.register_pages = counting
from scorekeeper.cli import main
main(sys.argv[1:])
"""
"""The real command, whose application numbers its answers: one that comes twice was not made twice."""


class Watcher:
    """A phone that watches, over one connection."""

    def __init__(self, line: WirePhone) -> None:
        self.line = line
        self.tag = ""

    def ask(self, path: str, **headers: str) -> HTTPResponse:
        """Ask for a page, with the tag of the last one, and return the answer, which was read."""
        known = {"If-None-Match": self.tag} if self.tag else {}
        self.line.connection.request("GET", path, headers={**known, **headers})
        answer = self.line.connection.getresponse()
        answer.read()
        return answer

    def look(self, path: str, **headers: str) -> int:
        """Ask for a page as the one before; keep its tag and return the status."""
        answer = self.ask(path, **headers)
        self.tag = answer.headers.get("ETag", "")
        return answer.status


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of one server for all of these tests; each has a game of its own."""
    server = start_server([sys.executable, "-c", COUNTING, *command(tmp_path_factory.mktemp("hall"))[3:]])
    try:
        yield server.url
        assert server.stop() == 0
    finally:
        kill_group(server)


@pytest.fixture
def phone(url: str) -> Iterator[WirePhone]:
    """Return a phone that scores."""
    with closing(WirePhone(url)) as phone:
        yield phone


@pytest.fixture
def watcher(url: str) -> Iterator[Watcher]:
    """Return a phone that watches."""
    with closing(WirePhone(url)) as line:
        yield Watcher(line)


@pytest.fixture
def game(phone: WirePhone, watcher: Watcher) -> str:
    """Return the path of a new game that was looked at."""
    path = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p", first_dealer=3)
    assert watcher.look(watched(path)) == 200
    return path


def watched(game: str) -> str:
    """Return the address where a game is watched."""
    return game.replace("/games/", "/watch/")


def told(answer: HTTPResponse) -> list[tuple[str, str]]:
    """Return status and headers of an answer, without the time and the id of the request."""
    return [
        ("", str(answer.status)),
        *(each for each in answer.getheaders() if each[0] not in {"Date", "X-Request-Id"}),
    ]


def test_an_unchanged_game_is_answered_from_memory_word_for_word(watcher: Watcher, game: str) -> None:
    made, again = watcher.ask(watched(game)), watcher.ask(watched(game))
    assert made.status == 304
    assert told(again) == told(made)
    assert {name for name, _ in made.getheaders()} >= {"Date", "ETag", "Content-Security-Policy", "X-Answer"}
    # In other words it is another question.
    other = watcher.ask(watched(game), Accept="text/html")
    assert dict(told(other))["X-Answer"] != dict(told(made))["X-Answer"]


def test_what_happens_to_a_game_is_seen_with_the_next_question(phone: WirePhone, watcher: Watcher, game: str) -> None:
    """A bid, a stop of watching, and the end of the game's address."""
    assert [watcher.ask(watched(game)).status for _ in range(3)] == [304] * 3
    phone.bid(game, 1, 0, 2)
    assert watcher.look(watched(game)) == 200
    assert [watcher.ask(watched(game)).status for _ in range(3)] == [304] * 3
    phone.post(f"{game}/watching/void")
    assert watcher.ask(watched(game)).status == 404
    phone.post(f"{game}/watching")
    assert watcher.ask(watched(game)).status == 304
    assert phone.post(f"{game}/deletion", version=2).status == 303
    assert watcher.ask(watched(game)).status == 404


def test_another_language_is_not_what_was_remembered(watcher: Watcher, game: str) -> None:
    assert [watcher.ask(watched(game)).status for _ in range(2)] == [304] * 2
    spanish = {"Accept-Language": "es"}
    assert [watcher.ask(watched(game), **spanish).status for _ in range(2)] == [200] * 2


@pytest.mark.parametrize("header", ["Content-Length: 23", "Connection: close", "Transfer-Encoding: chunked"])
def test_a_question_with_more_to_it_goes_the_long_way(watcher: Watcher, game: str, header: str) -> None:
    """What follows a request must not be taken for its body, nor a body for the next request."""
    name, value = header.split(": ")
    answers = []
    for _ in range(3):
        watcher.line.connection.putrequest("GET", watched(game))
        watcher.line.connection.putheader("If-None-Match", watcher.tag)
        watcher.line.connection.putheader(name, value)
        body = {"23": b"GET / HTTP/1.1\r\nHost: x", "chunked": b"0\r\n\r\n"}.get(value, b"")
        watcher.line.connection.endheaders(body)
        answer = watcher.line.connection.getresponse()
        answer.read()
        answers.append((answer.status, answer.headers["X-Answer"]))
    assert {status for status, _ in answers} == {304}
    assert len(set(answers)) == 3


def test_two_questions_at_once_are_answered_in_their_order(watcher: Watcher, game: str) -> None:
    asked = f"GET {watched(game)} HTTP/1.1\r\nHost: x\r\nIf-None-Match: {watcher.tag}\r\n\r\n".encode()
    line = watcher.line.connection.sock
    for times in (1, 1, 2, 3):
        line.sendall(asked * times)
        got = b""
        while got.count(b"\r\n\r\n") < times:
            got += line.recv(65536)
        assert got.count(b"HTTP/1.1 304 ") == times


@pytest.mark.slow
def test_the_log_of_requests_leaves_none_out(tmp_path: Path) -> None:
    server = start_server(command(tmp_path, "--access-log"))
    try:
        with closing(WirePhone(server.url)) as phone:
            game = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p", first_dealer=3)
            watcher = Watcher(phone)
            watcher.look(watched(game))
            assert [watcher.ask(watched(game)).status for _ in range(4)] == [304] * 4
        assert server.stop() == 0
    finally:
        kill_group(server)
    assert "\n".join(server.said).count(f"GET {watched(game)}") == 5


@pytest.mark.slow
def test_a_glance_says_what_the_application_says(client: Phone, app: Flask) -> None:
    """Of a new game, a played one, one with a rematch, one that nobody may watch, and one that is gone."""
    board = start(client)
    assert_same(app, board.path)
    board = play_all(client, board, CLEAN)
    assert_same(app, board.path)
    rematch = client.submit(board, f"{board.path}/rematch")
    for page in (board, rematch):
        assert_same(app, path_of(page))
    play(client, rematch, 0, 3, "AAAB")
    for page in (board, rematch):
        assert_same(app, path_of(page))
    client.submit(client.see(f"{path_of(rematch)}/table"), f"{path_of(rematch)}/watching/void")
    assert_same(app, path_of(rematch))
    client.submit(client.see(f"{path_of(rematch)}/table"), f"{path_of(rematch)}/deletion")
    for page in (board, rematch):
        assert_same(app, path_of(page))


def assert_same(app: Flask, path: str) -> None:
    """See that the glance knows the version that the application gives, and takes no other for it."""
    public_id = path.rpartition("/")[2]
    with app.app_context():
        glance = Glance(db.engine.url)
        try:
            version = queries.watched_board(public_id)
        except NoSuchGameError:
            assert glance._version_of(public_id) is None
            assert not glance.stands(Board(public_id, "1"))
            return
    assert glance.stands(Board(public_id, version))
    assert not glance.stands(Board(public_id, f"{version}1"))


def test_what_the_view_tells_a_board_by_is_understood(client: Phone) -> None:
    board = start(client)
    tag = client.get(watched(path_of(board))).headers["ETag"]
    public_id = path_of(board).rpartition("/")[2]
    assert board_of(watched(path_of(board)), tag) == Board(public_id, "1")
    picture = client.get(f"{watched(path_of(board))}/score.png")
    assert board_of(f"{watched(path_of(board))}/score.png", picture.headers["ETag"]) is None


def test_a_database_that_cannot_be_read_is_not_guessed_at(tmp_path: Path, app: Flask, client: Phone) -> None:
    public_id = path_of(start(client)).rpartition("/")[2]
    with app.app_context():
        glance = Glance(db.engine.url.set(database=str(tmp_path / "no such folder" / "book.db")))
        assert not glance.stands(Board(public_id, "1"))
        away = Glance(db.engine.url.set(drivername="postgresql+psycopg", database="book"))
        assert not away.stands(Board(public_id, "1"))
