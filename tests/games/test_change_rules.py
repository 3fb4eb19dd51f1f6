"""Changing the house rules during a game: its effect is shown first, and it counts from the first hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.game import CLEAN, bid, contents, path_of, play, play_all, sheet, start, totals
from tests.support.game_steps import call_all, effect, import_record, log_of, look_then_save, problem, record_of
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

SET_TWICE = ((0, 3, "AABB"), (1, 2, "ABBB"), (0, 4, "AAAB"))
"""Ann set (−3 to 2), Bob made 2 (−2 to 5), Ann set again (−6 to 6)."""


def address(board: Page) -> str:
    """Return the address at which a game's house rules are changed."""
    return f"{path_of(board)}/house-rules"


def look(phone: Phone, board: Page, status: int = 200, **rules: object) -> Page:
    """Ask for the effect of other rules."""
    fields = {f"rule-{key}": value for key, value in rules.items()}
    return phone.submit(phone.see(address(board)), address(board), status, **fields)


def change(phone: Phone, board: Page, **rules: object) -> Page:
    """Look at the effect of other rules, then save them."""
    return look_then_save(phone, address(board), **{f"rule-{key}": value for key, value in rules.items()})


def wrong(page: Page) -> dict[str, str]:
    """Return the error beside each option that has one."""
    return {str(error.get("id")).removeprefix("error-rule-"): words(error) for error in page.all("p", role="alert")}


def test_the_page_shows_the_rules_in_force(client: Phone) -> None:
    """Every field has the value of this table, and the usual value where it differs."""
    board = start(client, rules={"target": "31", "dealer_privilege": "match"})
    page = client.see(address(board))
    values = page.form(address(board)).values
    assert (values["rule-target"], values["rule-dealer_privilege"]) == ("31", "match")
    assert "Usual: 21." in page.text
    assert not page.all("section", class_="effect")


def test_the_effect_on_every_hand_is_shown_before_it_is_saved(client: Phone, app: Flask, board: Page) -> None:
    """With a floor at zero it is 0 to 2 after the first hand; looking writes nothing."""
    board = play_all(client, board, SET_TWICE)
    assert totals(board) == ["−6", "6"]
    before = contents(app)
    page = look(client, board, negative="floor_zero")
    assert effect(page) == [
        "1 −3 to 2 0 to 2",
        "2 −2 to 5 1 to 5",
        "3 −6 to 6 0 to 6",
        "New score: 0 to 6. Game continues.",
    ]
    assert contents(app) == before
    after = client.submit(page, address(board))
    assert totals(after) == ["0", "6"]
    assert "A set can’t take you below zero." in after.text


def test_only_hands_that_change_are_listed(client: Phone, board: Page) -> None:
    """Another penalty changes only the totals after the first set."""
    board = play_all(client, board, ((1, 2, "AABB"), (0, 3, "AABB")))
    assert totals(board) == ["−1", "4"]
    page = look(client, board, set_penalty="double_shortfall")
    assert effect(page) == ["2 −1 to 4 0 to 4", "New score: 0 to 4. Game continues."]


def test_a_change_without_a_total_says_so(client: Phone, board: Page) -> None:
    """Another target, while both sides are far from it."""
    board = play_all(client, board, SET_TWICE)
    assert effect(look(client, board, target="31")) == [
        "The totals don't change.",
        "New score: −6 to 6. Game continues.",
    ]
    after = change(client, board, target="31")
    assert "To 31" in after.text
    assert "25 to go. Must make a bid to win." in after.text


def test_a_lower_target_ends_the_game_earlier(client: Phone, board: Page) -> None:
    """The game ends with hand 2; hand 3 stays on the sheet but doesn't count."""
    board = play_all(client, board, CLEAN[:3])
    page = look(client, board, target="8")
    why = "Ann and Cid win. Ann and Cid made their bid of 4 and win 8-0."
    assert effect(page) == ["3 12 to 0 doesn't count", why]
    after = client.submit(page, address(board))
    assert totals(after) == ["8", "0"]
    assert "after the end" in sheet(after)[2]
    assert "last hand" in sheet(after)[1]
    assert "Ann and Cid win" in after.text


def test_a_higher_target_reopens_a_game(client: Phone, board: Page) -> None:
    """A game played to 21 by mistake goes on with the next hand."""
    over = play_all(client, board, CLEAN)
    assert "Ann and Cid win" in over.text
    page = look(client, over, target="31")
    assert effect(page) == ["The totals don't change.", "New score: 24 to 0. Game continues."]
    after = client.submit(page, address(over))
    assert after.all("button", name="call")
    assert totals(play(client, after, 1, 3, "BBBA")) == ["25", "3"]


def test_a_limit_of_sets_ends_a_game(client: Phone, board: Page) -> None:
    """A side that is set that many times loses at once (RULES 1)."""
    board = play_all(client, board, SET_TWICE)
    after = change(client, board, max_sets="2")
    assert "Ann and Cid were set 2 times and lose." in after.text
    assert "Bob and Dee win" in after.text


def test_the_log_has_the_rules_and_score_before_and_after(client: Phone, board: Page) -> None:
    after = change(client, play_all(client, board, SET_TWICE), negative="floor_zero")
    newest = log_of(client, after)[0]
    for part in (
        "House rules changed.",
        "Usual rules. Score: −6 to 6.",
        "A set can’t take you below zero. New score: 0 to 6. Game continues.",
    ):
        assert part in newest


def test_the_effect_is_shown_again_for_other_rules(client: Phone, app: Flask, board: Page) -> None:
    """Only rules whose effect was shown are saved."""
    board = play_all(client, board, SET_TWICE)
    page = look(client, board, negative="floor_zero")
    before = contents(app)
    again = client.submit(page, address(board), 200, **{"rule-negative": "allowed", "rule-target": "31"})
    assert effect(again)[0] == "The totals don't change."
    assert contents(app) == before


def test_unchanged_rules_write_nothing(client: Phone, app: Flask, board: Page) -> None:
    before = contents(app)
    page = look(client, board)
    assert effect(page) == ["The totals don't change.", "New score: 0 to 0. Game continues."]
    client.submit(page, address(board))
    assert contents(app) == before


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"bid_min": "3", "forced_bid": "3"}, "Hand 2 doesn't fit these rules. Bids go from 3 to 4."),
        ({"bid_max": "3"}, "Hand 3 doesn't fit these rules. Bids go from 2 to 3."),
    ],
)
def test_rules_that_a_played_hand_breaks_are_refused(
    client: Phone, app: Flask, board: Page, rules: dict[str, str], says: str
) -> None:
    """The page names the hand whose bid the new rules don't allow."""
    board = play_all(client, board, SET_TWICE)
    before = contents(app)
    page = look(client, board, 422, **rules)
    assert problem(page) == says
    assert not page.all("section", class_="effect")
    assert contents(app) == before


def test_a_thrown_in_hand_does_not_fit_a_forced_bid(client: Phone, app: Flask) -> None:
    """A hand can be thrown in only where nobody must bid (RULES 1)."""
    board = start(client, preset="bowers-12")
    board = client.submit(board, f"{board.path}/bid", call="passed")
    before = contents(app)
    assert problem(look(client, board, 422, forced_bid="2")) == (
        "Hand 1 doesn't fit these rules. You can't throw in the hand here. The dealer must bid 2."
    )
    assert contents(app) == before


def test_the_bid_in_play_must_fit(client: Phone, app: Flask, board: Page) -> None:
    bid(client, board, 0, 4)
    before = contents(app)
    assert problem(look(client, board, 422, bid_max="3")) == "Bids go from 2 to 3."
    assert contents(app) == before


def test_the_bid_in_play_stays(client: Phone, board: Page) -> None:
    """It was made under other rules and stands; its calls are dropped, since they might be illegal now."""
    page = call_all(client, board, ["pass", 3, "pass", "pass"])
    after = change(client, page, target="31")
    assert "B Bob bid 3" in after.text


@pytest.mark.parametrize(
    ("rules", "option", "says"),
    [
        ({"target": "0"}, "target", "“Play to” must be a whole number from 1 to 1000000."),
        ({"target": "x"}, "target", "“Play to” must be a whole number from 1 to 1000000."),
        ({"target": ""}, "target", "“Play to” must be a whole number from 1 to 1000000."),
        ({"target": "9" * 5000}, "target", "“Play to” must be a whole number from 1 to 1000000."),
        ({"finish": "fixed_hands"}, "hands_limit", "Enter the number of hands."),
        ({"bid_max": "9"}, "bid_max", "A hand has only 4 points, so the highest bid allowed can’t be 9."),
        ({"dealer_may_match_max": "yes"}, "dealer_may_match_max", None),
        ({"tie": "bidder"}, "tie", None),
        ({"negative": "<b>"}, "negative", None),
    ],
)
def test_a_bad_rule_is_refused_at_its_field(
    client: Phone, app: Flask, board: Page, rules: dict[str, str], option: str, says: str | None
) -> None:
    """The error stands at the option, and nothing is written."""
    before = contents(app)
    errors = wrong(look(client, board, 422, **rules))
    assert list(errors) == [option]
    assert says is None or errors[option] == says
    assert contents(app) == before


def test_a_moon_needs_two_sides(client: Phone, app: Flask) -> None:
    """Three solo players can't have a moon (RULES 8)."""
    board = start(client, ("Ann", "Bob", "Cid"), preset="setback-7-pitch", seating="3", dealer=2)
    before = contents(app)
    assert wrong(look(client, board, 422, special_bid="moon")) == {"special_bid": "A moon only works with two sides."}
    assert contents(app) == before


def test_another_phone_changes_nothing(client: Phone, other: Phone, app: Flask, board: Page) -> None:
    """A phone that only watches can't see or use this page."""
    form = client.see(address(board)).form(address(board)).values
    before = contents(app)
    assert other.see(address(board), 403).status == 403
    other.see("/games/new")
    assert other.post(address(board), data={**form, "rule-target": "2"}).status_code in (400, 403)
    assert contents(app) == before


def test_a_late_change_is_refused(client: Phone, app: Flask, board: Page) -> None:
    """After another hand was saved, the effect that was shown is out of date."""
    page = look(client, board, target="31")
    play(client, board, 0, 3, "AAAB")
    before = contents(app)
    late = client.submit(page, address(board), 409)
    assert "Someone else changed the game first" in late.text
    assert contents(app) == before


def test_a_change_sent_twice_counts_once(client: Phone, app: Flask, board: Page) -> None:
    page = look(client, board, target="31")
    client.submit(page, address(board))
    before = contents(app)
    assert "To 31" in client.submit(page, address(board)).text
    assert contents(app) == before


def test_changed_rules_are_in_the_record(client: Phone, other: Phone, board: Page) -> None:
    """The record has the new rules, and scores the same on another phone."""
    after = change(client, play_all(client, board, SET_TWICE), negative="floor_zero", target="31")
    record = record_of(client, after)
    assert record["ruleset"]["options"] == {"target": 31, "negative": "floor_zero"}
    assert totals(import_record(other, record)) == ["0", "6"]


def test_counted_cards_are_recounted(client: Phone) -> None:
    """Once the jack of trump counts, Ann has 5 card points to Bob's 4, gets Game and makes the bid of 3."""
    record = {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "setback-7"},
        "players": ["Ann", "Bob", "Cid"],
        "first_dealer": 2,
        "hands": [{"bidder": 0, "bid": 3, "trump": "S", "captured": [["JS", "AS"], ["2S", "KH", "JD"], ["3S"]]}],
    }
    board = import_record(client, record)
    assert totals(board) == ["−3", "1", "0"]
    page = look(client, board, trump_jack_counts="yes")
    assert effect(page) == ["1 −3, 1 and 0 3, 1 and 0", "New score: 3, 1 and 0. Game continues."]


def test_the_rules_of_a_final_score_cannot_change(client: Phone, app: Flask) -> None:
    """A paper table's result has no hands to rescore."""
    record = {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "setback-21"},
        "players": ["Ann", "Bob", "Cid", "Dee"],
        "first_dealer": 3,
        "final": [21, 14],
    }
    board = import_record(client, record)
    before = contents(app)
    assert problem(look(client, board, 422, target="31")) == (
        "This game has only a final score, so you can't change it."
    )
    assert contents(app) == before


def test_play_again_keeps_the_changed_rules(client: Phone, board: Page) -> None:
    over = change(client, play_all(client, board, CLEAN), target="24")
    assert "Played to 24." in client.submit(over, f"{over.path}/rematch").text
