"""A score can be adjusted by points outside any hand, for a revoke or a penalty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.game import CLEAN, buttons, contents, path_of, play, play_all, sheet, start, totals, undo
from tests.support.game_steps import effect, import_record, log_of, look_then_save, problem, record_of

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


def address(board: Page) -> str:
    """Return the address of the page on which a game's score is adjusted."""
    return f"{path_of(board)}/adjustments"


def look(
    phone: Phone, board: Page, side: object, points: object, reason: object = "a revoke", status: int = 200
) -> Page:
    """Enter an adjustment without saving it, and return the page that follows.

    The page is the review, or it shows an error if `status` is 422.
    """
    form = phone.see(address(board))
    return phone.submit(form, address(board), status, side=side, sign="+", points=points, reason=reason)


def adjust(phone: Phone, board: Page, side: int, points: int, reason: str = "a revoke") -> Page:
    """Review and save an adjustment, and return the board."""
    return look_then_save(phone, address(board), side=str(side), sign="+", points=str(points), reason=reason)


def strike_out(phone: Phone, board: Page, number: int = 0) -> Page:
    """Open the page for deleting an adjustment, and return the page that shows the effect.

    `number` says which adjustment on the score sheet is meant, counted from 0. Nothing is deleted yet.
    """
    links = [str(a.get("href")) for a in board.all("a", class_="strike")]
    page = phone.see(links[number])
    return phone.submit(page, links[number].replace("/correction", "/void"), 200)


def test_the_effect_is_shown_before_saving(client: Phone, app: Flask, board: Page) -> None:
    """The review of an adjustment shows its effect and stores nothing.

    In this test, Bob and Dee lose 2 points after the first hand.
    """
    board = play(client, board, 0, 3, "AAAB")
    before = contents(app)
    page = look(client, board, 1, "-2", "Bob revoked in hand 1")
    assert effect(page) == ["1 3 to 1 3 to −1", "New score: 3 to −1. Game continues."]
    assert contents(app) == before
    after = client.submit(page, address(board))
    assert totals(after) == ["3", "−1"]
    assert sheet(after)[-1].startswith("±Adjusted B Bob revoked in hand 1")
    assert sheet(after)[-1].endswith("0 3 −2 −1")


def test_the_deal_and_the_hands_stay(client: Phone, board: Page) -> None:
    """An adjustment changes neither the number of the next hand nor its dealer."""
    after = adjust(client, play(client, board, 0, 3, "AAAB"), 0, 5)
    assert "Hand 2 Ann deals" in after.text
    after = play(client, after, 1, 2, "BBAA")
    assert [row.split()[0] for row in sheet(after)] == ["1", "±Adjusted", "2"]
    assert totals(after) == ["10", "3"]


def test_it_counts_before_the_first_hand(client: Phone, board: Page) -> None:
    """An adjustment before the first hand gives one side a head start."""
    after = adjust(client, board, 1, 7, "a head start")
    assert totals(after) == ["0", "7"]
    assert "Hand 1 Dee deals" in after.text
    assert totals(play(client, after, 0, 3, "AAAB")) == ["3", "8"]


@pytest.mark.parametrize(("points", "total"), [("-5", "−5"), ("−5", "−5"), ("+5", "5"), ("99", "99"), ("-99", "−99")])
def test_a_score_goes_down_and_up(client: Phone, board: Page, points: str, total: str) -> None:
    """An adjustment can raise or lower a score, also below zero.

    The points can be typed with a true minus sign.
    """
    page = look(client, board, 0, points)
    assert totals(client.submit(page, address(board))) == [total, "0"]


@pytest.mark.parametrize(("sign", "typed", "total"), [("-", "3", "−3"), ("-", "-3", "−3"), ("+", "3", "3")])
def test_add_and_subtract_by_buttons(client: Phone, board: Page, sign: str, typed: str, total: str) -> None:
    """A button says whether points are added or subtracted, so the phone's keyboard needs no minus key.

    With "subtract" chosen, a typed minus doesn't turn subtracting into adding.
    """
    page = client.submit(client.see(address(board)), address(board), 200, side="0", sign=sign, points=typed, reason="x")
    after = client.submit(page, address(board))
    assert totals(after) == [total, "0"]


def test_the_log_shows_the_adjustment(client: Phone, board: Page) -> None:
    """The log's entry for an adjustment has the reason, and the score before and after."""
    newest = log_of(client, adjust(client, board, 1, -2, "Bob revoked"))[0]
    assert "Score adjusted. Bob and Dee lose 2: Bob revoked" in newest
    assert "0 to 0" in newest
    assert "0 to −2" in newest


def test_it_can_end_the_game(client: Phone, board: Page) -> None:
    """An adjustment can end the game: Ann and Cid made their last bid, and one more point lifts them from 20 to 21."""
    board = play_all(client, board, CLEAN[:5])
    assert totals(board) == ["20", "0"]
    page = look(client, board, 0, "1", "a miscount")
    why = "Ann and Cid win. Ann and Cid made their bid of 4 and won 21 to 0."
    assert effect(page) == ["5 20 to 0 21 to 0", why]
    after = client.submit(page, address(board))
    assert "Ann and Cid win" in after.text
    assert not after.all("button", name="call")
    assert "Undo adjustment" in buttons(after)


def test_it_can_reopen_a_game(client: Phone, board: Page) -> None:
    """An adjustment can reopen a finished game.

    The winning side revoked in the last hand, so its score is lowered from 24 to 20, and the game goes on.
    """
    over = play_all(client, board, CLEAN)
    page = look(client, over, 0, "-4", "Ann revoked in hand 6")
    assert effect(page) == ["6 24 to 0 20 to 0", "New score: 20 to 0. Game continues."]
    after = client.submit(page, address(over))
    assert totals(after) == ["20", "0"]
    assert totals(play(client, after, 1, 2, "BBAA")) == ["22", "2"]


def test_undo_and_redo(client: Phone, board: Page) -> None:
    """An adjustment can be undone and redone like a hand. The hand before the adjustment isn't changed."""
    after = adjust(client, play(client, board, 0, 3, "AAAB"), 1, -2)
    assert "Undo adjustment" in buttons(after)
    undone = undo(client, after)
    assert totals(undone) == ["3", "1"]
    assert "Hand 2 Ann deals" in undone.text
    assert "Redo adjustment" in buttons(undone)
    again = client.submit(undone, f"{board.path}/redos")
    assert totals(again) == ["3", "−1"]
    assert "Hand 2 Ann deals" in again.text


def test_an_older_one_is_deleted(client: Phone, app: Flask, board: Page) -> None:
    """An older adjustment can be deleted. Before that, the page shows what the deletion would change.

    The log keeps both the adjustment and its deletion.
    """
    board = adjust(client, play(client, board, 0, 3, "AAAB"), 1, -2, "Bob revoked")
    board = play(client, board, 1, 2, "BBAA")
    assert totals(board) == ["5", "1"]
    before = contents(app)
    page = strike_out(client, board)
    assert page.h1 == "Delete the adjustment"
    assert effect(page) == ["1 3 to −1 3 to 1", "2 5 to 1 5 to 3", "New score: 5 to 3. Game continues."]
    assert contents(app) == before
    after = client.submit(page, next(str(f.get("action")) for f in page.all("form") if "/void" in str(f.get("action"))))
    assert totals(after) == ["5", "3"]
    assert "Bob revoked" not in " ".join(sheet(after))
    told = log_of(client, after)
    assert "Undid an adjustment. Bob and Dee lose 2: Bob revoked" in told[0]
    assert any("Score adjusted. Bob and Dee lose 2: Bob revoked" in line for line in told[1:])


def test_an_adjustment_cannot_be_corrected_as_a_hand(client: Phone, app: Flask, board: Page) -> None:
    """If a forged request tries to correct an adjustment as if it were a hand, it is refused.

    To change an adjustment, a player deletes it and enters another one.
    """
    board = adjust(client, board, 1, -2)
    link = str(board.one("a", class_="strike").get("href"))
    before = contents(app)
    form = client.see(link).form(link.replace("/correction", "/void")).values
    response = client.post(link, data={**form, "mode": "points", "bidder": "0", "bid": "2", "high": "0", "low": "0"})
    assert response.status_code == 422
    assert contents(app) == before


def test_after_the_end_it_does_not_count(client: Phone, board: Page) -> None:
    """If a lower target makes the game end earlier, an adjustment after the new end doesn't count.

    The adjustment stays on the sheet, where it is marked as after the end.
    """
    board = play_all(client, board, CLEAN[:2])
    board = adjust(client, board, 1, -2)
    address_of_rules = f"{board.path}/house-rules"
    after = look_then_save(client, address_of_rules, **{"rule-target": "4"})
    assert totals(after) == ["4", "0"]
    assert ["after the end" in row for row in sheet(after)] == [False, True, True]


@pytest.mark.parametrize(
    ("side", "points", "reason"),
    [
        (None, "-2", "a revoke"),
        ("2", "-2", "a revoke"),
        ("-1", "-2", "a revoke"),
        ("²", "-2", "a revoke"),
        ("0", "", "a revoke"),
        ("0", "0", "a revoke"),
        ("0", "100", "a revoke"),
        ("0", "-100", "a revoke"),
        ("0", "1.5", "a revoke"),
        ("0", "--5", "a revoke"),
        ("0", "٣", "a revoke"),
        ("0", "9" * 5000, "a revoke"),
        ("0", "-2", ""),
        ("0", "-2", "   "),
        ("0", "-2", "x" * 201),
        ("0", "-2", "\x00"),
        (None, None, None),
    ],
)
def test_incomplete_adjustments_are_refused(
    client: Phone, app: Flask, board: Page, side: str | None, points: str | None, reason: str | None
) -> None:
    """An adjustment without a valid side, points or reason is refused, and the form keeps the entries."""
    before = contents(app)
    page = look(client, board, side, points, reason, 422)
    assert problem(page)
    assert not page.all("section", class_="effect")
    typed = page.form(address(board)).values
    assert points is None or typed["points"] == points
    assert contents(app) == before


@pytest.mark.parametrize(
    ("side", "points", "reason", "says"),
    [
        ("", "-2", "a revoke", "Choose whose score to change."),
        ("0", "", "a revoke", "Enter how many points to add or subtract, from 1 to 99."),
        ("0", "-2", " ", "Enter a reason, so everyone can see it later."),
    ],
)
def test_errors_name_what_is_missing(
    client: Phone, board: Page, side: str, points: str, reason: str, says: str
) -> None:
    assert problem(look(client, board, side, points, reason, 422)) == says


def test_changed_points_are_reviewed_again(client: Phone, app: Flask, board: Page) -> None:
    """If the points of an adjustment were changed after its review, the page shows a new review and saves nothing."""
    page = look(client, board, 0, "-2")
    before = contents(app)
    again = client.submit(page, address(board), 200, points="-20")
    assert "New score: −20 to 0" in again.text
    assert contents(app) == before


def test_a_watcher_cannot_adjust(client: Phone, other: Phone, app: Flask, board: Page) -> None:
    form = look(client, board, 0, "9").form(address(board)).values
    before = contents(app)
    assert other.see(address(board), 403).status == 403
    other.see("/games/new")
    assert other.post(address(board), data=form).status_code in (400, 403)
    assert contents(app) == before


def test_a_repeated_request_adjusts_once(client: Phone, app: Flask, board: Page) -> None:
    """If a request for an adjustment is repeated, the score is adjusted only once.

    The same adjustment from a newly loaded page counts again.
    """
    page = look(client, board, 0, "-2")
    client.submit(page, address(board))
    before = contents(app)
    assert totals(client.submit(page, address(board))) == ["−2", "0"]
    assert contents(app) == before
    assert totals(adjust(client, board, 0, -2)) == ["−4", "0"]


def test_a_late_adjustment_is_refused(client: Phone, app: Flask, board: Page) -> None:
    """An adjustment is refused if a hand was saved while the adjustment was being reviewed."""
    page = look(client, board, 0, "-2")
    play(client, board, 0, 3, "AAAB")
    before = contents(app)
    assert "Someone else changed the game first" in client.submit(page, address(board), 409).text
    assert contents(app) == before


def test_markup_in_a_reason_is_text(client: Phone, board: Page) -> None:
    """HTML in a reason is shown as typed, on the sheet and in the log."""
    after = adjust(client, board, 0, -2, "<b>Ann</b> & a ليلة 🂡")
    assert "<b>Ann</b> & a ليلة 🂡" in sheet(after)[0]
    assert "<b>Ann</b> & a ليلة 🂡" in log_of(client, after)[0]


@pytest.mark.slow
def test_adjustments_are_in_the_record(client: Phone, other: Phone, board: Page) -> None:
    """The exported record of a game lists each adjustment under `x_adjustments`.

    An adjustment in the record has the number of the hand before it, the side, the points and the reason. Another phone
    that imports the record gets the same score.
    """
    board = adjust(client, board, 1, 3, "a head start")
    board = adjust(client, play(client, board, 0, 3, "AAAB"), 1, -2, "Bob revoked")
    board = play(client, adjust(client, board, 0, 1, "a miscount"), 1, 2, "BBAA")
    assert totals(board) == ["6", "4"]
    record = record_of(client, board)
    assert record["x_adjustments"] == [
        {"after": 0, "side": 1, "points": 3, "reason": "a head start"},
        {"after": 1, "side": 1, "points": -2, "reason": "Bob revoked"},
        {"after": 1, "side": 0, "points": 1, "reason": "a miscount"},
    ]
    brought = import_record(other, record)
    assert totals(brought) == ["6", "4"]
    assert [row.split(" ", 1)[1][:20] for row in sheet(brought)] == [row.split(" ", 1)[1][:20] for row in sheet(board)]
    assert record_of(other, brought)["x_adjustments"] == record["x_adjustments"]


def test_an_imported_adjustment_ends_the_game(client: Phone, other: Phone, board: Page) -> None:
    over = adjust(client, play_all(client, board, CLEAN[:5]), 0, 1, "a miscount")
    brought = import_record(other, record_of(client, over))
    assert totals(brought) == ["21", "0"]
    assert "Ann and Cid win" in brought.text


def test_a_game_with_a_final_score_is_not_adjusted(client: Phone, app: Flask) -> None:
    """A game with only a final score can't be adjusted."""
    record = record_of(client, start(client))
    del record["hands"]
    board = import_record(client, record | {"final": [21, 14]})
    before = contents(app)
    page = look(client, board, 0, "-2", status=422)
    assert problem(page) == "This game has only a final score, so you can't change it."
    assert contents(app) == before
