"""The end of a game shows the winner, the reason, and what to do next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scorekeeper.web.links import ONLY_HERE
from tests.games.test_record_import import bring_in
from tests.support.game import CLEAN, FOUR, buttons, contents, path_of, play, play_all, sheet, start, totals
from tests.support.page import Page
from tests.support.phone import at_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone


@pytest.fixture
def over(client: Phone, board: Page) -> Page:
    """Return the board of a finished game, which Ann and Cid won with their sixth hand."""
    return play_all(client, board, CLEAN)


def test_winner_and_reason_are_shown(over: Page) -> None:
    assert "Ann and Cid win" in over.text
    assert "Ann and Cid made their bid of 4 and won 24 to 0." in over.text
    assert "last hand" in sheet(over)[5]
    assert not over.all("button", name="call")


def test_21_must_be_bid_out(client: Phone) -> None:
    """In Setback, a side at or above the target wins only if it makes a bid and leads by at least 2.

    Until then, the game goes on.
    """
    board = start(client, rules={"target": "3"})
    board = play_all(client, board, ((0, 2, "AAB-"), (1, 2, "AABB")))
    assert totals(board) == ["4", "3"]
    assert "Must make a bid and lead by 2." in board.text
    assert "play on" not in sheet(board)[1]
    over = play(client, board, 0, 2, "AAAB")
    assert "Ann and Cid made their bid of 2 and won 7 to 4." in over.text
    assert ["Only 1 ahead. You must win by 2, so play on." in row for row in sheet(over)] == [False, True, False]


def test_a_rematch_keeps_the_table(client: Phone, over: Page) -> None:
    """A rematch has the same seats, the next dealer, and no score."""
    again = client.submit(over, f"{over.path}/rematch")
    assert again.path != over.path
    assert totals(again) == ["0", "0"]
    assert "Hand 1 Bob deals Cid bids first" in again.text


def test_a_repeated_rematch_starts_one_game(client: Phone, app: Flask, over: Page) -> None:
    first = client.submit(over, f"{over.path}/rematch")
    assert client.submit(over, f"{over.path}/rematch").path == first.path
    assert len(contents(app)["game"]) == 2


def test_a_rematch_keeps_house_rules_and_substitutes(client: Phone) -> None:
    board = start(client, rules={"target": "3"})
    client.submit(client.see(f"{board.path}/table"), f"{board.path}/seats", seat="1", name="Eve")
    over = play(client, client.see(board.path), 0, 4, "AAAA")
    again = client.submit(over, f"{over.path}/rematch")
    assert again.h1 == "Ann and Cid 0, Eve and Dee 0"
    assert "Played to 3." in again.text


def test_the_record_has_the_game(client: Phone, over: Page) -> None:
    """A game can be downloaded as a named file in the format of game records."""
    response = client.get(f"{over.path}/record.json")
    assert response.headers["Content-Type"] == "application/json; charset=utf-8"
    assert response.headers["Content-Disposition"] == f'attachment; filename="game-{over.path.split("/")[2]}.json"'
    record = response.get_json()
    assert record["format"] == "scorekeeper-game/1"
    assert record["ruleset"] == {"preset": "setback-21", "options": {}}
    assert record["players"] == list(FOUR)
    assert len(record["hands"]) == 6
    assert record["hands"][0] | {"x_time": ""} == {
        "bidder": 0,
        "bid": 4,
        "x_time": "",
        "points": {"high": 0, "low": 0, "jack": 0, "game": 0},
    }


def _running(phone: Phone) -> Page:
    return play(phone, start(phone), 0, 3, "AAAB", trump="H")


def _conceded(phone: Phone) -> Page:
    board = _running(phone)
    return phone.submit(phone.see(f"{board.path}/table"), f"{board.path}/concession", sure="1", winner="1")


def _abandoned(phone: Phone) -> Page:
    board = _running(phone)
    return phone.submit(phone.see(f"{board.path}/table"), f"{board.path}/abandonment", sure="1")


def _odd_dealer(phone: Phone) -> Page:
    board = _running(phone)
    board = phone.submit(phone.see(f"{board.path}/table"), f"{board.path}/dealer", dealer="3")
    return play(phone, board, 3, 2, "BB--")


def _pitched(phone: Phone) -> Page:
    board = start(phone, ("Ann", "דנה", "👩‍👩‍👧‍👦"), preset="setback-7-pitch", seating="3", dealer=2)
    return play(phone, phone.submit(board, f"{board.path}/bid", call="passed"), 1, "pitch", "BBBB")


@pytest.mark.parametrize("made", [_running, _conceded, _abandoned, _odd_dealer, _pitched])
def test_an_imported_record_is_the_same_game(client: Phone, other: Phone, made: Callable[[Phone], Page]) -> None:
    """A phone that imports a game record sees the same sheet and the same end, and exports the same record."""
    board = made(client)
    record = client.get(f"{path_of(board)}/record.json").get_json()
    again = bring_in(other, json.dumps(record))
    assert again.h1 == board.h1
    assert (totals(again), sheet(again)) == (totals(board), sheet(board))
    assert [b for b in buttons(again) if "Undo" not in b] == [b for b in buttons(board) if "Undo" not in b]
    assert other.get(f"{again.path}/record.json").get_json() == record


def test_an_imported_abandoned_game_can_be_resumed(client: Phone, other: Phone) -> None:
    """After an abandoned game is imported, it can be resumed. Its record then no longer says "abandoned"."""
    board = _abandoned(client)
    again = bring_in(other, client.get(f"{board.path}/record.json").text)
    running = other.submit(again, f"{again.path}/reopening")
    assert "abandoned" not in other.get(f"{running.path}/record.json").get_json()


def test_no_leader_after_the_end(client: Phone) -> None:
    """After the end of a game, no score card says that a side leads.

    In this game, Bob wins as bidder with 11 points although Ann has 12.
    """
    record = {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "pitch-11"},
        "players": ["Ann", "Bob", "Cid"],
        "sides": [[0], [1], [2]],
        "first_dealer": 2,
        "hands": [
            *({"bidder": 0, "bid": 4, "taken": [4, 0, 0]} for _ in range(2)),
            *({"bidder": 1, "bid": 3, "taken": [1, 3, 0]} for _ in range(2)),
            {"bidder": 1, "bid": 3, "taken": [0, 3, 1]},
            {"bidder": 1, "bid": 2, "taken": [2, 2, 0]},
        ],
    }
    over = bring_in(client, json.dumps(record))
    assert totals(over) == ["12", "11", "1"]
    cards = [card.get("class", "").split() for card in over.all("li", class_="total")]
    assert ["won" in card for card in cards] == [False, True, False]
    assert not any("leads" in card for card in cards)


@pytest.mark.parametrize(("host", "reached"), [("localhost", False), ("127.0.0.1", False), ("192.168.1.5", True)])
def test_no_link_is_shared_that_only_this_computer_can_open(
    client: Phone, over: Page, host: str, reached: bool
) -> None:
    """The message, the QR code and the text for offline play have a link only if other phones can open it."""
    at_address(client, host)
    kit = client.get(f"{over.path}/kit.json", headers={"Host": host}).json
    assert kit is not None
    assert ("/watch/" in kit["words"]["sent"]) is reached
    for path in (over.path, f"{over.path}/table"):
        page = Page(client.get(path, headers={"Host": host}))
        shared = [field.text or "" for field in page.all("textarea")]
        shared += [each.get("data-share", "") + each.get("data-text", "") for each in page.all("button")]
        shared += [each.get("data-text", "") for each in page.all("a")]
        shared += [image.get("src", "") for image in page.all("img")]
        assert any("/watch/" in text for text in shared) is reached
        assert (ONLY_HERE in page.text) is not reached


def test_a_shared_result_warns_about_a_local_link(client: Phone, over: Page) -> None:
    """If the server's address is `localhost`, the page warns that a shared link works only on this machine.

    The tests use this address, like a server that was started as the README says.
    """
    assert ONLY_HERE in client.see(over.path).text
    client.submit(client.see(f"{over.path}/table"), f"{over.path}/watching/void")
    assert ONLY_HERE not in client.see(over.path).text, "there is no link to open"
