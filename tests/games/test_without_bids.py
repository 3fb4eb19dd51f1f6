"""Pages of All Fours, a game without bids and sets, but with a card that is turned up and a "hung" (captured) jack."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.games.test_record_import import bring_in
from tests.games.test_score_sheet import heads, rows
from tests.support.game_steps import record_of

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone

pytestmark = pytest.mark.looks

RECORD = {
    "format": "scorekeeper-game/1",
    "ruleset": {"preset": "all-fours-14"},
    "players": ["Ann", "Bob", "Cid", "Dee"],
    "first_dealer": 3,
    "hands": [
        {"turned_up": "6C", "points": {"high": 0, "low": 1, "jack": 0, "game": 0}, "jack_hung": True},
        {"turned_up": "TD", "points": {"high": 1, "low": 0, "jack": None, "game": None}},
        {"points": {"high": 1, "low": 0, "jack": 1, "game": 0}},
    ],
}
FIELDS: dict[str, Any] = {"high": "0", "low": "1", "jack": "hung-1", "game": "none", "turned_up": "6", "mode": "points"}


@pytest.fixture
def board(client: Phone) -> Page:
    """Return the board of a game of All Fours after three hands."""
    return bring_in(client, json.dumps(RECORD))


def test_the_board_opens_with_the_points(board: Page) -> None:
    """The board of a game without bidding opens with the points step and mentions no bids."""
    form = board.form(f"{board.path}/hands")
    assert {"high", "low", "jack", "game", "turned_up"} <= {each.get("name") for each in board.all("input")}
    assert form.values["turned_up"] == "other"
    assert "Winning bid" not in board.text
    assert "bids first" not in board.text
    assert "Bid player by player" not in board.text
    assert "taken-0" not in {each.get("name") for each in board.all("input")}


def test_the_sheet_names_the_turned_up_card_and_the_hung_jack(board: Page, client: Phone) -> None:
    assert "6♣" in board.text
    assert "High: A, Low: B, hung jack: A, Game: A" in board.text
    sheet = client.see(f"{board.path}/sheet")
    assert heads(sheet) == ["Hand", "Dealer", "Turned up", "High", "Low", "Jack", "Game", "A", "B"]
    told = [row[1:7] for row in rows(sheet)[:3]]
    assert told == [
        ["Dee", "6♣", "A", "B", "A3", "A"],
        ["Ann", "10♦", "B", "A", "–", "–"],
        ["Bob", "", "B", "A", "B", "A"],
    ]


def test_a_hand_is_previewed_saved_and_told(board: Page, client: Phone) -> None:
    """The preview, the board and the log show who won each point of a hand without bids.

    Here the dealer's side scores 2 because the dealer turned up a six.
    """
    said = "Ann and Cid score 3, from 8 to 11: turned-up card, High. Bob and Dee score 4, from 6 to 10: Low, hung jack."
    path = f"{board.path}/hands"
    shown = client.submit(board, path, 200, **FIELDS)
    assert said in shown.text
    saved = client.submit(shown, path, **FIELDS)
    assert said in saved.text
    log = client.see(f"{board.path}/log")
    assert "Hand 4. Cid dealt and turned up 6. Ann and Cid: High. Bob and Dee: Low, hung jack. Nobody scored Game." in (
        log.text
    )
    assert "Set!" not in log.text


def test_a_correction_asks_for_no_bid(board: Page, client: Phone) -> None:
    """In a game without bidding, the correction page shows the hand as entered and doesn't ask for a bid.

    Choosing another turned-up card changes the score.
    """
    path = next(str(a.get("href")) for a in board.all("a") if "/correction" in str(a.get("href")))
    page = client.see(path)
    assert "Who won the bid" not in page.text
    assert page.form(path).values["jack"] == "1"
    effect = client.submit(page, path, 200, turned_up="A", jack="hung-1", mode="points")
    assert "New score: 8 to 9." in effect.text


def test_an_impossible_hand_says_why(board: Page, client: Phone) -> None:
    wrong = client.submit(board, f"{board.path}/hands", 422, **{**FIELDS, "turned_up": "J"})
    assert "The jack was turned up, so nobody can take it." in wrong.text


def test_the_cards_of_a_hand_can_be_counted(board: Page, client: Phone) -> None:
    assert client.see(f"{board.path}/count").text


def test_the_record_comes_out_as_it_went_in(board: Page, client: Phone) -> None:
    told = record_of(client, board)
    assert told["hands"] == RECORD["hands"]
    assert told["ruleset"]["preset"] == "all-fours-14"
