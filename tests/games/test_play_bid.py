"""The bid step offers and checks bids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.game import bid, buttons, contents, path_of, play, points, start, totals

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


def calls(board: Page) -> list[str]:
    """Return the values of the buttons in the bid grid, in order, each as "seat:bid"."""
    return [str(button.get("value")) for button in board.all("button", name="call")]


def error_on(page: Page) -> str:
    """Return the error message in the bid form."""
    return "".join(page.one("p", role="alert").itertext())


def test_the_grid_offers_legal_bids(board: Page) -> None:
    """The bid grid offers 2, 3 and 4 for every player, and marks the dealer's 2 as the forced bid."""
    assert calls(board) == [f"{seat}:{value}" for seat in range(4) for value in (2, 3, 4)]
    assert "Dee bids 2 stuck" in buttons(board)
    assert "Ann bids 2" in buttons(board)


def test_a_bid_is_in_play_until_the_hand_is_scored(client: Phone, board: Page) -> None:
    """A bid stays in play until the hand is scored, even after a reload."""
    bid(client, board, 1, 3, "H")
    again = client.see(board.path)
    assert "B Bob bid 3 ♥︎ hearts" in again.text
    assert calls(again) == []
    assert again.form(f"{board.path}/hands").values["trump"] == "H"


def test_the_stuck_dealer_is_one_tap(client: Phone, board: Page) -> None:
    """If all other players passed, one tap enters the dealer's forced bid of 2. No trump needs to be chosen."""
    page = bid(client, board, 3, 2)
    assert "Dee bid 2" in page.text


def test_a_bid_can_be_changed(client: Phone, board: Page) -> None:
    """If a bid was entered wrong, it can be changed before the hand is scored."""
    page = client.submit(bid(client, board, 1, 3), f"{board.path}/bid/void")
    assert "bid 3" not in page.text
    assert "Ann bid 4" in bid(client, page, 0, 4).text


@pytest.mark.parametrize(("preset", "seating"), [("setback-7", "4"), ("bowers-12", "4p")])
def test_a_hand_is_thrown_in_where_the_dealer_is_not_forced(client: Phone, preset: str, seating: str) -> None:
    """Where the dealer isn't forced to bid, a hand can be thrown in: nobody scores, and the next player deals."""
    board = start(client, preset=preset, seating=seating, dealer=3)
    assert "All passed, next deal" in buttons(board)
    after = client.submit(board, f"{board.path}/bid", call="passed")
    assert "Hand 2 Ann deals" in after.text
    assert "All passed: nobody scores." in after.text
    assert "all passed" in after.text


def test_a_hand_cannot_be_thrown_in_where_the_dealer_is_forced(client: Phone, board: Page, app: Flask) -> None:
    """Where the dealer must bid, there is no button to throw a hand in.

    A forged form is refused with the reason.
    """
    assert not [label for label in buttons(board) if "throw" in label]
    before = contents(app)
    page = client.submit(board, f"{board.path}/bid", 422, call="passed")
    assert error_on(page) == "The dealer can't pass here and must bid 2."
    assert contents(app) == before


def test_a_dealer_who_may_not_raise_is_offered_all_possible_bids(client: Phone) -> None:
    """If the dealer can only match the high bid or be stuck with 2, the grid offers 2, 3 and 4 for the dealer."""
    board = start(client, ("Ann", "Bob", "Cid"), preset="pitch-11", seating="3", dealer=2)
    assert [call for call in calls(board) if call.startswith("2:")] == ["2:2", "2:3", "2:4"]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("0:1", "Bids go from 2 to 4."),
        ("0:5", "Bids go from 2 to 4."),
        ("0:pitch", "You can't bid a pitch in this game."),
        ("0:moon", "You can't bid a moon in this game."),
        ("0:", "Bids go from 2 to 4."),
        ("0", "Bids go from 2 to 4."),
        ("0:²", "Bids go from 2 to 4."),
        ("0:3.0", "Bids go from 2 to 4."),
        ("0:-3", "Bids go from 2 to 4."),
        ("0:" + "9" * 5000, "Bids go from 2 to 4."),
        ("0:<script>", "Bids go from 2 to 4."),
        ("0:3:3", "Bids go from 2 to 4."),
        ("0:pass", "Bids go from 2 to 4."),
        ("4:3", "“bidder” must be a seat from 0 to 3."),
        ("-1:3", "“bidder” must be a seat from 0 to 3."),
        ("²:3", "“bidder” must be a seat from 0 to 3."),
        ("٣:3", "“bidder” must be a seat from 0 to 3."),
        ("9" * 5000 + ":3", "“bidder” must be a seat from 0 to 3."),
        ("Ann:3", "“bidder” must be a seat from 0 to 3."),
        ("", "Choose the bidder, then tap the bid."),
        ("\x00:3", "“bidder” must be a seat from 0 to 3."),
        (None, "Choose the bidder, then tap the bid."),
    ],
)
def test_an_impossible_bid_is_refused(client: Phone, app: Flask, board: Page, call: str | None, says: str) -> None:
    """An impossible bid is refused with status 422 and the reason, and nothing is stored."""
    before = contents(app)
    page = client.submit(board, f"{board.path}/bid", 422, call=call)
    assert error_on(page) == says
    assert calls(page)
    assert contents(app) == before


@pytest.mark.parametrize("trump", ["X", "none", "♥", "h", "H" * 5000, "\x00"])
def test_an_impossible_trump_is_refused(client: Phone, app: Flask, board: Page, trump: str) -> None:
    """A bid with an impossible trump is refused.

    Trump must be one of four suits, and this game can't be played without trump.
    """
    before = contents(app)
    assert "rump" in error_on(bid(client, board, 0, 3, trump, status=422))
    assert contents(app) == before


def test_of_two_calls_the_first_counts(client: Phone, board: Page) -> None:
    """If a forged form contains two bids, the first bid counts and the second is ignored."""
    assert "Ann bid 3" in client.submit(board, f"{board.path}/bid", call=["0:3", "1:4"]).text


def test_a_repeated_bid_counts_once(client: Phone, app: Flask, board: Page) -> None:
    """If the phone sends the same bid again, it is stored once, and the page shows the bid."""
    bid(client, board, 1, 3)
    before = contents(app)
    assert "Bob bid 3" in bid(client, board, 1, 3).text
    assert contents(app) == before


def test_another_bid_from_the_page_before_is_late(client: Phone, app: Flask, board: Page) -> None:
    """After a bid was entered, a different bid from the earlier page is refused with a message.

    The back button can bring up the earlier page.
    """
    bid(client, board, 1, 3)
    before = contents(app)
    page = bid(client, board, 2, 4, status=409)
    assert "This page was out of date" in page.text
    assert "Bob bid 3" in page.text
    assert contents(app) == before


def test_scoring_a_bid_after_it_was_undone_is_late(client: Phone, app: Flask, board: Page) -> None:
    """If a bid was undone, points from a page that still shows the bid are refused as out of date."""
    page = bid(client, board, 1, 3)
    undone = client.submit(page, f"{board.path}/bid/void")
    before = contents(app)
    late = client.submit(page, f"{board.path}/hands", 409, mode="points", **points("AABB"))
    assert "so this change wasn't saved" in late.text
    assert path_of(undone) == path_of(late)
    assert contents(app) == before


def test_nothing_to_change_without_a_bid(client: Phone, board: Page) -> None:
    """Without a bid in play, a forged request to undo the bid is refused with a message."""
    form = board.form(f"{board.path}/bid").values
    response = client.post(f"{board.path}/bid/void", data=form)
    assert response.status_code == 422
    assert "No bid to undo." in response.text


def test_no_bid_after_the_end(client: Phone, app: Flask) -> None:
    """After the end of a game, a bid from an old page is refused and changes nothing."""
    board = start(client, rules={"target": "2"})
    over = play(client, board, 0, 2, "AA--")
    before = contents(app)
    form = {**board.form(f"{board.path}/bid").values, "version": "3", "client_id": "late-tap", "call": "0:2"}
    assert "wins" in over.text or "win" in over.text
    response = client.post(f"{board.path}/bid", data=form)
    assert response.status_code == 409
    assert "The game is over. Undo the last hand to go on." in response.text
    assert contents(app) == before


def test_a_dealer_who_is_stuck_gives_up_the_hand(client: Phone) -> None:
    """If a house rule allows it, a dealer who must bid because all others passed can give up the hand with one tap.

    The dealer's side then loses as many points as the forced bid.
    """
    board = start(client, rules={"forced_concede": "yes"})
    assert "Dee gives up (2)" in board.text
    page = client.submit(board, f"{board.path}/bid", 303, call="conceded")
    assert "Bob and Dee give up the hand and lose 2, from 0 to −2." in page.text
    assert totals(page) == ["0", "−2"]
    assert "gives up" not in start(client).text
