"""Undo and redo take one tap each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.game import CLEAN, bid, buttons, contents, path_of, play, play_all, sheet, start, totals, undo
from tests.support.game_steps import look_then_save
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


def redo(phone: Phone, board: Page) -> Page:
    """Redo the hand that was undone last, and return the board."""
    return phone.submit(board, f"{path_of(board)}/redos")


def test_undo_restores_the_score(client: Phone, board: Page) -> None:
    """After an undo, the score, the dealer and the sheet are as before the hand."""
    board = play(client, board, 0, 3, "AAAB")
    assert "Undo hand 1" in buttons(board)
    back = undo(client, board)
    assert totals(back) == ["0", "0"]
    assert "Hand 1 Dee deals" in back.text
    assert "No hands yet." in back.text


def test_redo_restores_the_hand(client: Phone, board: Page) -> None:
    """If two hands are undone and then redone, the game is the same as before."""
    after = play_all(client, board, ((0, 3, "AAAB"), (1, 2, "BBAA")))
    taken = undo(client, undo(client, after))
    assert "Redo hand 1" in buttons(taken)
    again = redo(client, redo(client, taken))
    assert sheet(again) == sheet(after)
    assert "Hand 3 Bob deals" in again.text
    assert not [label for label in buttons(again) if label.startswith("Redo")]


def test_no_redo_after_another_hand(client: Phone, board: Page) -> None:
    """After a new hand, the undone hand can't be redone."""
    after = play(client, undo(client, play(client, board, 0, 3, "AAAB")), 1, 2, "BBBB")
    assert not [label for label in buttons(after) if label.startswith("Redo")]
    form = after.form(f"{after.path}/undos").values
    response = client.post(f"{after.path}/redos", data=form)
    assert response.status_code == 409
    assert "Nothing to redo." in response.text


def test_no_redo_after_another_bid(client: Phone, board: Page) -> None:
    """After a new bid, the undone hand can't be redone, even if the new bid is undone."""
    page = bid(client, undo(client, play(client, board, 0, 3, "AAAB")), 1, 2)
    page = client.submit(page, f"{page.path}/bid/void")
    assert not [label for label in buttons(page) if label.startswith("Redo")]


def test_undo_of_the_last_hand_reopens_the_game(client: Phone, board: Page) -> None:
    """Undoing the last hand of a finished game reopens the game, with the bid step."""
    over = play_all(client, board, CLEAN)
    assert "Ann and Cid win" in over.text
    running = undo(client, over)
    assert totals(running) == ["20", "0"]
    assert "Ann bids 4" in buttons(running)
    assert "Ann and Cid win" in redo(client, running).text


def test_a_conceded_game_can_be_resumed(client: Phone, board: Page) -> None:
    """A conceded game can be resumed with the same score and the same hands."""
    page = play(client, board, 0, 3, "AAAB")
    over = client.submit(client.see(f"{page.path}/table"), f"{page.path}/concession", sure="1", winner="0")
    assert "Bob and Dee conceded." in over.text
    assert "Resume the game" in buttons(over)
    running = client.submit(over, f"{page.path}/reopening")
    assert totals(running) == ["3", "1"]
    assert "Undo hand 1" in buttons(running)


def test_an_abandoned_game_can_be_resumed(client: Phone, board: Page) -> None:
    over = client.submit(client.see(f"{board.path}/table"), f"{board.path}/abandonment", sure="1")
    assert "No winner" in over.text
    assert "The table ended the game without a winner." in over.text
    assert "Ann bids 4" in buttons(client.submit(over, f"{board.path}/reopening"))


def test_a_repeated_undo_undoes_one_hand(client: Phone, app: Flask, board: Page) -> None:
    after = play_all(client, board, ((0, 3, "AAAB"), (1, 2, "BBAA")))
    undo(client, after)
    before = contents(app)
    assert totals(undo(client, after)) == ["3", "1"]
    assert contents(app) == before


def test_a_late_undo_changes_nothing(client: Phone, app: Flask, board: Page) -> None:
    """An undo from a page that doesn't show the last hand yet is refused as out of date."""
    behind = play(client, board, 0, 3, "AAAB")
    play(client, behind, 1, 2, "BBAA")
    before = contents(app)
    late = client.submit(behind, f"{board.path}/undos", 409)
    assert totals(late) == ["5", "3"]
    assert contents(app) == before


def test_nothing_to_undo_at_the_start(client: Phone, board: Page) -> None:
    """Before the first hand, there is no button to undo, and a forged form is refused."""
    assert not [label for label in buttons(board) if "Undo" in label]
    response = client.post(f"{board.path}/undos", data=board.form(f"{board.path}/bid").values)
    assert response.status_code == 409
    assert "Nothing to undo." in response.text


def test_a_game_in_progress_is_not_reopened(client: Phone, board: Page) -> None:
    response = client.post(f"{board.path}/reopening", data=board.form(f"{board.path}/bid").values)
    assert response.status_code == 422
    assert "ended early." in response.text


def test_undo_of_a_thrown_in_hand(client: Phone) -> None:
    board = start(client, preset="setback-7", seating="4")
    thrown = client.submit(board, f"{board.path}/bid", call="passed")
    assert "Hand 1 Dee deals" in undo(client, thrown).text


def ways(board: Page) -> dict[str, object]:
    """Return the links beside the button Undo, with their addresses."""
    return {words(link): link.get("href") for link in board.one("div", class_="steps").findall("a")}


def test_undo_names_what_it_takes_back(client: Phone, board: Page) -> None:
    """Undo takes back the last line of the sheet, whatever was done last, and its button says so.

    After a correction, a link beside it leads back to the hand that was corrected.
    """
    two = play_all(client, board, ((0, 3, "AAAB"), (1, 2, "BBAA")))
    address = f"{two.path}/hands/3/correction"
    looked = client.submit(client.see(address), address, 200, low="1", mode="points")
    corrected = client.submit(looked, address, mode="points")
    assert "Hand 1 corrected." in corrected.text
    assert ways(corrected) == {"Correct hand 1": address}
    assert "Undo hand 2" in buttons(corrected)
    misdealt = client.submit(client.see(f"{two.path}/table"), f"{two.path}/misdeal")
    assert "Undo hand 2" in buttons(misdealt)
    assert ways(misdealt) == {}
    adjustment = f"{two.path}/adjustments"
    adjusted = look_then_save(client, adjustment, side="0", points="1", sign="+", reason="Revoke")
    assert "Undo adjustment" in buttons(adjusted)
    assert "Undo hand 2" in buttons(undo(client, adjusted))
