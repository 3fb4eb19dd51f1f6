"""Questions about unusual hands, which are saved only after a person has confirmed them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.presenters.summaries import QUESTIONS
from tests.support.game import bid, buttons, check, contents, path_of, play, points, save, start, totals
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

ODD: Mapping[str, tuple[tuple[int, int, str], ...]] = {
    "ends": ((0, 4, "AAAA"), (1, 2, "AA--")),
    "nothing": ((0, 2, "BB--"),),
    "beyond": ((0, 4, "AA-A"),),
    "same": ((0, 2, "AB-A"), (0, 2, "AB-A")),
}
"""For each question, the hands to play until the page asks that question about the last hand.

A hand is (bidder's seat, bid, winners of High, Low, Jack and Game). The game is Setback to 21, but for the question
"ends", the side with the highest score of 6 or more wins.
"""
ASKED = {
    "ends": "This hand ends the game. Ann and Cid win. Ann and Cid have the high score, 6.",
    "nothing": "Ann bid 2 and took no points?",
    "beyond": "Ann bid 4, but only 3 points were out because nobody took Jack. Is that right?",
    "same": "Same as hand 1, saved a moment ago. Is this a new hand?",
}
RULES = {"target": "4", "finish": "highest", "win_by": "1"}


def to_the_question(phone: Phone, key: str) -> Page:
    """Play the hands in `ODD[key]` up to the question about the last hand, and return the page with that question.

    The last hand is not saved.
    """
    rules = RULES if key == "ends" else None
    board = start(phone, rules={**RULES, "target": "6"} if rules else None)
    *before, (seat, value, told) = ODD[key]
    for hand in before:
        board = play(phone, board, *hand)
    checked = check(phone, bid(phone, board, seat, value), points(told))
    return phone.submit(checked, f"{path_of(checked)}/hands", 200, mode="points")


def asked(page: Page) -> list[str]:
    """Return the questions that the page asks about the hand."""
    return [words(line) for box in page.all("div", class_="asks") for line in box.findall("p")]


def test_every_question_has_a_test() -> None:
    assert {question.key for question in QUESTIONS} == set(ODD) == set(ASKED)


@pytest.mark.parametrize("key", ODD)
def test_an_odd_hand_is_not_saved_at_once(client: Phone, app: Flask, key: str) -> None:
    """When an unusual hand is entered, the page asks about it and says what is unusual. Nothing is saved."""
    page = to_the_question(client, key)
    assert any(ASKED[key].split(".")[0] in question for question in asked(page)), asked(page)
    before = contents(app)
    again = client.submit(page, f"{path_of(page)}/hands", 200, mode="points")
    assert asked(again) == asked(page)
    assert contents(app) == before


@pytest.mark.parametrize("key", ODD)
def test_yes_saves_it_once(client: Phone, app: Flask, key: str) -> None:
    """When the question is confirmed, the hand is saved once, even after a double tap."""
    page = to_the_question(client, key)
    sure = page.form(f"{path_of(page)}/hands").values["seen"]
    saved = client.submit(page, f"{path_of(page)}/hands", sure=sure)
    before = contents(app)
    client.submit(page, f"{path_of(page)}/hands", sure=sure)
    assert contents(app) == before
    assert len(saved.one("table", class_="sheet").findall("tbody/tr")) == len(ODD[key])


def test_no_goes_back_with_all_choices(client: Phone, app: Flask) -> None:
    """The button "Go back" leads from the question to the form with all choices for the hand still selected.

    Nothing is saved.
    """
    page = to_the_question(client, "nothing")
    before = contents(app)
    back = client.submit(page, f"{path_of(page)}/hands", 200, again="1")
    assert asked(back) == []
    assert back.form(f"{path_of(page)}/hands").values["high"] == "1"
    assert contents(app) == before


def test_yes_counts_for_one_hand(client: Phone, app: Flask) -> None:
    """If a question was answered with yes but the hand's points were changed, the page shows a new review.

    Nothing is saved before that review is confirmed.
    """
    page = to_the_question(client, "nothing")
    sure = page.form(f"{path_of(page)}/hands").values["seen"]
    before = contents(app)
    other = client.submit(page, f"{path_of(page)}/hands", 200, mode="points", sure=sure, **points("BBB-"))
    assert asked(other) == []
    assert contents(app) == before


def test_a_usual_hand_has_no_question(client: Phone) -> None:
    """Two hands in a row lead to no question if the second has another bidder and each point goes to the other side."""
    board = start(client)
    for seat, told in ((0, "AB-A"), (1, "BA-B")):
        checked = check(client, bid(client, board, seat, 2), points(told))
        board = client.submit(checked, f"{path_of(checked)}/hands", mode="points")
    assert totals(board) == ["3", "3"]


def test_the_same_hand_an_hour_later_has_no_question(
    client: Phone, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page asks about a hand that equals the last hand only if it follows within half a minute.

    After a longer time, two equal hands are more likely a coincidence than a mistake.
    """
    board = play(client, start(client), 0, 2, "AB-A")
    monkeypatch.setattr("scorekeeper.games.presenters.summaries.MOMENT", -1.0)
    checked = check(client, bid(client, board, 0, 2), points("AB-A"))
    assert totals(client.submit(checked, f"{path_of(checked)}/hands", mode="points")) == ["4", "2"]


def test_a_set_has_no_question(client: Phone) -> None:
    board = play(client, start(client), 0, 3, "AB-B")
    assert totals(board) == ["−3", "2"]


def test_guesses_are_saved_by_one_tap(client: Phone) -> None:
    """When the form for a hand's points opens, the likely winners are already selected, so one tap saves the hand.

    The form also shows the new score.
    """
    step = bid(client, start(client), 1, 3)
    assert words(step.all("output", class_="preview")[0]) == "Made it! Bob and Dee score 3, from 0 to 3."
    seen = next(field.get("data-seen") for field in step.all("input") if field.get("name") == "seen")
    assert totals(client.submit(step, f"{path_of(step)}/hands", mode="points", seen=seen)) == ["0", "3"]


def test_without_a_script_guesses_are_reviewed_first(client: Phone) -> None:
    """Without JavaScript, the button of the form for points says "Review", and the hand is saved only from the review.

    Without JavaScript, the page can't update the new score when a choice changes.
    """
    step = bid(client, start(client), 1, 3)
    assert "Review" in buttons(step)
    looked = client.submit(step, f"{path_of(step)}/hands", 200, mode="points")
    assert "Save" in buttons(looked)
    assert totals(save(client, looked)) == ["0", "3"]


def test_a_low_bid_leaves_points_without_a_guess(client: Phone) -> None:
    """In a game with bowers and a bid of 1, the page selects a likely winner for some points only.

    If the other points are left open, the page asks for their winners and saves nothing.
    """
    step = bid(client, start(client, preset="bowers-12"), 0, 1)
    assert "make 5" not in step.text
    assert "Dashed = our guess. Tap the rest, fix any errors." in step.text
    asked = client.submit(step, f"{path_of(step)}/hands", 422, mode="points")
    assert "Choose who took Right." in asked.text
    assert totals(client.see(path_of(step))) == ["0", "0"]


def test_guesses_are_marked(client: Phone) -> None:
    """Winners that the page selected as likely have a dashed border, which a sentence explains.

    On the review, no winner is marked.
    """
    step = bid(client, start(client), 0, 2)
    assert "Dashed = our guess. Tap to change." in step.text
    assert len([label for label in step.all("label") if "likely" in label.get("class", "")]) == 4
    looked = check(client, step, points("ABA-"))
    assert [label for label in looked.all("label") if "likely" in label.get("class", "")] == []
