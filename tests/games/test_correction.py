"""Hands that were already saved can be corrected. A page first shows what the correction changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.game import CLEAN, bid, contents, notices, path_of, play_all, points, sheet, start, totals
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


def addresses(board: Page) -> list[str]:
    """Return the addresses of the correction pages that the sheet links to, oldest hand first."""
    return [str(link.get("href")) for link in reversed(board.all("a")) if "/correction" in str(link.get("href"))]


def check(phone: Phone, page: Page, fields: Mapping[str, object], status: int = 200) -> Page:
    """Enter a correction and return its review, or an error if `status` is 422.

    `fields` are only the form's fields that are changed. The others keep their values.
    """
    return phone.submit(page, page.path, status, **{"mode": "points", **fields})


def save(phone: Phone, page: Page, fields: Mapping[str, object] | None = None, status: int = 303) -> Page:
    """Send the form of a correction's review, and return the page that follows.

    Without `fields`, the correction is saved, and the board follows. `fields` change the form after its review, so that
    another review follows, for which `status` must be 200.
    """
    return phone.submit(page, page.path, status, **{"mode": "points", **(fields or {})})


def effect(page: Page) -> list[str]:
    """Return the lines that show a correction's effect: one for each hand with changed totals, then the new score."""
    tables = page.all("table", class_="changes")
    rows = [" ".join(words(cell) for cell in row) for table in tables for row in table.findall("tbody/tr")]
    section = page.one("section", class_="effect")
    return [*rows, *(words(line) for line in section.findall("p"))]


@pytest.fixture
def two(client: Phone, board: Page) -> Page:
    """Return the board after two hands. The score was 3 to 1 after the first hand and 5 to 3 after the second.

    Ann made a bid of 3, and then Bob made a bid of 2.
    """
    return play_all(client, board, ((0, 3, "AAAB"), (1, 2, "BBAA")))


@pytest.fixture
def over(client: Phone, board: Page) -> Page:
    """Return the board after Ann and Cid won with their sixth hand."""
    return play_all(client, board, CLEAN)


def test_the_form_shows_the_saved_hand(client: Phone, two: Page) -> None:
    """The form is filled in with the saved hand, so only the mistake needs a tap."""
    page = client.see(addresses(two)[0])
    assert page.h1 == "Correct hand 1"
    assert "Dee dealt, Ann bid 3. Ann and Cid: High, Low, Jack. Bob and Dee: Game." in page.text
    values = page.form(page.path).values
    expected = {"dealer": "3", "bidder": "0", "bid": "3", "high": "0", "low": "0", "jack": "0", "game": "1"}
    assert {key: values[key] for key in expected} == expected
    assert "trump" not in values


def test_the_effect_is_shown_before_saving(client: Phone, app: Flask, two: Page) -> None:
    """The review of a correction shows its effect and stores nothing.

    In this test, Low is corrected to Bob's side, so Ann's bid is no longer made.
    """
    before = contents(app)
    page = check(client, client.see(addresses(two)[0]), {"low": "1"})
    assert effect(page) == [
        "1 3 to 1 −3 to 2",
        "2 5 to 3 −1 to 4",
        "New score: −1 to 4. Game continues.",
    ]
    assert contents(app) == before
    after = save(client, page)
    assert totals(after) == ["−1", "4"]
    assert "corrected" in sheet(after)[0]
    assert "corrected" not in sheet(after)[1]


def test_a_changed_choice_is_reviewed_again(client: Phone, app: Flask, two: Page) -> None:
    """If a correction was changed after its review, the page shows a new review and saves nothing."""
    page = check(client, client.see(addresses(two)[0]), {"low": "1"})
    before = contents(app)
    assert effect(save(client, page, {"low": "0", "bid": "4"}, 200))[0] == "1 3 to 1 −4 to 1"
    assert contents(app) == before


def test_a_correction_that_changes_nothing_writes_nothing(client: Phone, app: Flask, two: Page) -> None:
    before = contents(app)
    page = check(client, client.see(addresses(two)[0]), {})
    assert "The totals don't change." in page.text
    assert totals(save(client, page)) == ["5", "3"]
    assert contents(app) == before


def test_a_change_that_keeps_the_score_is_saved(client: Phone, two: Page) -> None:
    """A correction of trump to hearts is saved and shown on the sheet, although the score stays the same."""
    page = check(client, client.see(addresses(two)[0]), {"trump": "H"})
    assert effect(page) == ["The totals don't change.", "Score: 5 to 3. Game continues."]
    assert "♥" in sheet(save(client, page))[0]


def test_an_earlier_end_keeps_later_hands_uncounted(client: Phone) -> None:
    """If a correction makes the game end earlier, the hands after the end no longer count.

    These hands stay on the sheet and are marked.
    """
    board = start(client, rules={"target": "4"})
    board = play_all(client, board, ((0, 4, "AAAB"), (1, 2, "BB--"), (2, 2, "AABB")))
    assert totals(board) == ["−2", "5"]
    page = check(client, client.see(addresses(board)[0]), {"game": "0"})
    assert effect(page) == [
        "1 −4 to 1 4 to 0",
        "2 −4 to 3 doesn't count",
        "3 −2 to 5 doesn't count",
        "Ann and Cid win. Ann and Cid made their bid of 4 and won 4 to 0.",
    ]
    after = save(client, page)
    assert totals(after) == ["4", "0"]
    assert [("after the end" in line) for line in sheet(after)] == [False, True, True]
    assert "Hands 2 and 3 were played after the end and don't count." in notices(after)
    assert "Ann and Cid win" in after.text


def test_a_correction_can_reopen_the_game(client: Phone, over: Page) -> None:
    """If the last hand of a finished game is corrected to a set, the game goes on with the bid step."""
    page = check(client, client.see(addresses(over)[5]), {"game": "1"})
    assert effect(page)[-1] == "New score: 16 to 1. Game continues."
    after = save(client, page)
    assert totals(after) == ["16", "1"]
    after.form(f"{after.path}/bid")


def test_a_later_end_brings_late_hands_back(client: Phone) -> None:
    """If a correction makes the game end earlier and a second correction reverses that, all hands count again."""
    board = start(client, rules={"target": "4"})
    board = play_all(client, board, ((0, 4, "AAAB"), (1, 2, "BB--")))
    ended = save(client, check(client, client.see(addresses(board)[0]), {"game": "0"}))
    back = save(client, check(client, client.see(addresses(ended)[0]), {"game": "1"}))
    assert totals(back) == totals(board)
    assert notices(back) == []


def test_bidder_bid_and_dealer_can_be_corrected(client: Phone, two: Page) -> None:
    page = check(client, client.see(addresses(two)[1]), {"bidder": "2", "bid": "4", "dealer": "1"})
    after = save(client, page)
    assert totals(after) == ["−1", "3"]
    assert "Cid 4" in sheet(after)[1]
    assert "Hand 3 Cid deals" in after.text, "the deal goes on from the corrected dealer"


def test_correcting_an_older_dealer_keeps_the_next_one(client: Phone, two: Page) -> None:
    """Correcting the dealer of an older hand doesn't change who deals next, because that follows from the last hand."""
    after = save(client, check(client, client.see(addresses(two)[0]), {"dealer": "2"}))
    assert "Hand 3 Bob deals" in after.text


def test_a_correction_to_points_only(client: Phone, two: Page) -> None:
    """A hand that was entered with winners can be corrected to have only the number of points of each side."""
    page = check(client, client.see(addresses(two)[0]), {"mode": "taken", "taken-0": "2", "taken-1": "2"})
    assert effect(page)[0] == "1 3 to 1 −3 to 2"
    after = save(client, page, {"mode": "taken"})
    assert totals(after) == ["−1", "4"]
    assert "High" not in sheet(after)[0]
    again = client.see(addresses(after)[0]).form(addresses(after)[0]).values
    assert (again["taken-0"], again["taken-1"]) == ("2", "2")


def test_a_hand_can_turn_out_to_be_thrown_in_and_back(client: Phone) -> None:
    """In a game in which all players may pass, a hand can be corrected to thrown in, and back again.

    Nobody scores for a thrown-in hand.
    """
    board = start(client, preset="setback-7", seating="4")
    board = play_all(client, board, ((0, 2, "AABC"), (1, 2, "BBAC")))
    page = check(client, client.see(addresses(board)[0]), {"mode": "passed"})
    assert effect(page)[-1] == "New score: 1, 2, 1 and 0. Game continues."
    thrown = save(client, page, {"mode": "passed"})
    assert "all passed" in sheet(thrown)[0]
    assert totals(thrown) == ["1", "2", "1", "0"]
    fields = {"bidder": "0", "bid": "2", **points("AABC")}
    back = save(client, check(client, client.see(addresses(thrown)[0]), fields))
    assert totals(back) == totals(board)


def test_no_hand_is_thrown_in_where_the_dealer_is_forced(client: Phone, two: Page) -> None:
    """If the dealer must bid, a hand can't be corrected to thrown in. A forged form is refused with the reason."""
    page = client.see(addresses(two)[0])
    assert "all passed" not in page.text
    refused = check(client, page, {"mode": "passed"}, 422)
    assert "The dealer can't pass here and must bid 2." in refused.text


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"bid": "5"}, "Bids go from 2 to 4."),
        ({"bid": None}, "Choose the bid."),
        ({"bidder": None}, "Choose who bid."),
        ({"bidder": "²"}, "“bidder” must be a seat from 0 to 3."),
        ({"dealer": "4"}, "“dealer” must be a seat from 0 to 3."),
        ({"high": "none"}, "Someone always takes High."),
        ({"jack": None}, "Choose who took Jack."),
        ({"jack": "99999999999"}, "“jack” must go to a side of this table."),
        ({"trump": "none"}, "You can't play without trump in this game."),
        ({"mode": "taken", "taken-0": "4", "taken-1": "1"}, "A hand has at most 4 points, but these add up to 5."),
    ],
)
def test_an_impossible_correction_is_refused(
    client: Phone, app: Flask, two: Page, fields: Mapping[str, object], says: str
) -> None:
    """An impossible correction is refused with the reason.

    The form keeps the entries, and nothing is stored.
    """
    before = contents(app)
    page = check(client, client.see(addresses(two)[0]), {"low": "1", **fields}, 422)
    assert words(page.one("p", role="alert")) == says
    assert page.form(page.path).values["low"] == "1"
    assert contents(app) == before


def test_deleting_a_hand_shows_the_effect_first(client: Phone, app: Flask, two: Page) -> None:
    """Before a hand is deleted, the page shows the effect. The hand after the deleted one keeps its dealer."""
    before = contents(app)
    address = addresses(two)[0].replace("/correction", "/void")
    page = client.submit(client.see(addresses(two)[0]), address, 200)
    assert effect(page) == [
        "1 3 to 1 deleted",
        "2 5 to 3 2 to 2",
        "New score: 2 to 2. Game continues.",
    ]
    assert contents(app) == before
    after = client.submit(page, address)
    assert totals(after) == ["2", "2"]
    assert len(sheet(after)) == 1
    assert "Hand 2 Bob deals" in after.text, "the deal does not go back for a hand in the middle"
    assert "Ann dealt, Bob bid 2." in client.see(addresses(after)[0]).text


def test_a_repeated_deletion_deletes_once(client: Phone, app: Flask, two: Page) -> None:
    """A repeated request to delete a hand deletes nothing more and gets no error."""
    address = addresses(two)[0].replace("/correction", "/void")
    page = client.submit(client.see(addresses(two)[0]), address, 200)
    client.submit(page, address)
    before = contents(app)
    assert totals(client.submit(page, address)) == ["2", "2"]
    assert contents(app) == before


def test_a_deleted_hand_cannot_be_corrected(client: Phone, two: Page) -> None:
    """If the correction page of a deleted hand is opened, it says that the hand was already undone."""
    address = addresses(two)[0].replace("/correction", "/void")
    client.submit(client.submit(client.see(addresses(two)[0]), address, 200), address)
    page = client.see(addresses(two)[0], 409)
    assert "That hand was already undone." in page.text


def test_a_late_correction_is_reviewed_again(client: Phone, app: Flask, two: Page) -> None:
    """If two corrections are reviewed at the same time, the first one to be saved counts.

    The second correction is refused as out of date.
    """
    first = check(client, client.see(addresses(two)[0]), {"low": "1"})
    second = check(client, client.see(addresses(two)[1]), {"jack": "1"})
    save(client, first)
    before = contents(app)
    late = save(client, second, status=409)
    assert totals(late) == ["−1", "4"]
    assert path_of(late) == path_of(two)
    assert contents(app) == before


def test_a_repeated_correction_counts_once(client: Phone, app: Flask, two: Page) -> None:
    page = check(client, client.see(addresses(two)[0]), {"low": "1"})
    save(client, page)
    before = contents(app)
    assert totals(save(client, page)) == ["−1", "4"]
    assert contents(app) == before


def test_a_correction_keeps_the_bid_in_play(client: Phone, two: Page) -> None:
    """A correction of an earlier hand doesn't change the bid in play."""
    bid(client, two, 2, 3, "S")
    after = save(client, check(client, client.see(addresses(two)[0]), {"low": "1"}))
    assert "Cid bid 3 ♠" in after.text
    assert totals(after) == ["−1", "4"]


@pytest.mark.parametrize("seq", ["1", "2", "99", "0", "9" * 30, "9" * 5000])
def test_an_unknown_hand_has_no_page(client: Phone, two: Page, seq: str) -> None:
    """The correction page of an unknown hand is answered with 404.

    This holds even if the log has another event with that number, such as the start or a bid.
    """
    page = client.see(f"{two.path}/hands/{seq}/correction", 404)
    assert "Traceback" not in page.text


@pytest.mark.parametrize("seq", ["-1", "²", "x", "1.0"])
def test_an_address_that_names_no_hand_is_not_found(client: Phone, two: Page, seq: str) -> None:
    client.see(f"{two.path}/hands/{seq}/correction", 404)
