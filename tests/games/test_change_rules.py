"""House rules can be changed during a game. They then count from the first hand, and a page first shows the effect."""

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
"""Three hands as (bidder's seat, bid, winners of High, Low, Jack and Game).

Ann was set, Bob made 2, and Ann was set again. The scores after these hands are −3 to 2, −2 to 5 and −6 to 6.
"""


def address(board: Page) -> str:
    """Return the address at which a game's house rules are changed."""
    return f"{path_of(board)}/house-rules"


def look(phone: Phone, board: Page, status: int = 200, **rules: object) -> Page:
    """Enter other house rules without saving them, and return the page that follows.

    The page shows the effect of the rules, or an error if `status` is 422. `rules` are the options to change, without
    the prefix "rule-".
    """
    fields = {f"rule-{key}": value for key, value in rules.items()}
    return phone.submit(phone.see(address(board)), address(board), status, **fields)


def change(phone: Phone, board: Page, **rules: object) -> Page:
    """Enter other house rules, look at the page with their effect, save them, and return the board.

    `rules` are the options to change, without the prefix "rule-".
    """
    return look_then_save(phone, address(board), **{f"rule-{key}": value for key, value in rules.items()})


def wrong(page: Page) -> dict[str, str]:
    """Return a dict from the name of each option that has an error to the error message on the page."""
    return {str(error.get("id")).removeprefix("error-rule-"): words(error) for error in page.all("p", role="alert")}


def test_the_page_shows_the_rules_in_force(client: Phone) -> None:
    """On the page for changing the rules, every field has the value that this game uses.

    If the preset's usual value differs, it is shown beside the field.
    """
    board = start(client, rules={"target": "31", "dealer_privilege": "match"})
    page = client.see(address(board))
    values = page.form(address(board)).values
    assert (values["rule-target"], values["rule-dealer_privilege"]) == ("31", "match")
    assert "Usual: 21." in page.text
    assert not page.all("section", class_="effect")


def test_the_effect_on_every_hand_is_shown_before_it_is_saved(client: Phone, app: Flask, board: Page) -> None:
    """Before new rules are saved, the page shows their effect on every hand, and stores nothing.

    Under the new rules of this test, scores can't go below zero, so the first side has 0 after the first hand, not −3.
    """
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
    assert "A set can't take you below zero." in after.text


def test_only_hands_that_change_are_listed(client: Phone, board: Page) -> None:
    """The page with the effect lists only hands after which the totals change.

    For example, another penalty for a set changes no totals before the first set.
    """
    board = play_all(client, board, ((1, 2, "AABB"), (0, 3, "AABB")))
    assert totals(board) == ["−1", "4"]
    page = look(client, board, set_penalty="double_shortfall")
    assert effect(page) == ["2 −1 to 4 0 to 4", "New score: 0 to 4. Game continues."]


def test_a_change_without_a_total_says_so(client: Phone, board: Page) -> None:
    """If new rules change no total, the page says so.

    For example, a higher target changes no total while both sides are far below it.
    """
    board = play_all(client, board, SET_TWICE)
    assert effect(look(client, board, target="31")) == [
        "The totals don't change.",
        "Score: −6 to 6. Game continues.",
    ]
    after = change(client, board, target="31")
    assert "To 31" in after.text
    assert "25 to go. Must make a bid to win." in after.text


def test_a_lower_target_ends_the_game_earlier(client: Phone, board: Page) -> None:
    """If a lower target makes the game end with hand 2, hand 3 stays on the sheet but doesn't count."""
    board = play_all(client, board, CLEAN[:3])
    page = look(client, board, target="8")
    why = "Ann and Cid win. Ann and Cid made their bid of 4 and won 8 to 0."
    assert effect(page) == ["3 12 to 0 doesn't count", why]
    after = client.submit(page, address(board))
    assert totals(after) == ["8", "0"]
    assert "after the end" in sheet(after)[2]
    assert "last hand" in sheet(after)[1]
    assert "Ann and Cid win" in after.text


def test_a_higher_target_reopens_a_game(client: Phone, board: Page) -> None:
    """With a higher target, a finished game goes on with the next hand."""
    over = play_all(client, board, CLEAN)
    assert "Ann and Cid win" in over.text
    page = look(client, over, target="31")
    assert effect(page) == ["The totals don't change.", "Score: 24 to 0. Game continues."]
    after = client.submit(page, address(over))
    assert after.all("button", name="call")
    assert totals(play(client, after, 1, 3, "BBBA")) == ["25", "3"]


def test_a_limit_of_sets_ends_a_game(client: Phone, board: Page) -> None:
    """If a limit on sets is added, a side that was set that many times loses at once (RULES 1)."""
    board = play_all(client, board, SET_TWICE)
    after = change(client, board, max_sets="2")
    assert "Ann and Cid were set 2 times and lost." in after.text
    assert "Bob and Dee win" in after.text


def test_the_log_has_the_rules_and_score_before_and_after(client: Phone, board: Page) -> None:
    after = change(client, play_all(client, board, SET_TWICE), negative="floor_zero")
    newest = log_of(client, after)[0]
    for part in (
        "House rules changed.",
        "Usual rules. Score: −6 to 6.",
        "A set can't take you below zero. New score: 0 to 6. Game continues.",
    ):
        assert part in newest


def test_the_effect_is_shown_again_for_other_rules(client: Phone, app: Flask, board: Page) -> None:
    """If a form sends other rules than those whose effect the page showed, nothing is saved.

    Instead, the page shows the effect of the rules that were sent.
    """
    board = play_all(client, board, SET_TWICE)
    page = look(client, board, negative="floor_zero")
    before = contents(app)
    again = client.submit(page, address(board), 200, **{"rule-negative": "allowed", "rule-target": "31"})
    assert effect(again)[0] == "The totals don't change."
    assert contents(app) == before


def test_unchanged_rules_write_nothing(client: Phone, app: Flask, board: Page) -> None:
    before = contents(app)
    page = look(client, board)
    assert effect(page) == ["The totals don't change.", "Score: 0 to 0. Game continues."]
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
    """Rules that don't allow the bid of a played hand are refused, and the page names the hand."""
    board = play_all(client, board, SET_TWICE)
    before = contents(app)
    page = look(client, board, 422, **rules)
    assert problem(page) == says
    assert not page.all("section", class_="effect")
    assert contents(app) == before


def test_a_thrown_in_hand_does_not_fit_a_forced_bid(client: Phone, app: Flask) -> None:
    """If a hand was thrown in, the rules can't be changed so that the dealer is forced to bid (RULES 1)."""
    board = start(client, preset="bowers-12")
    board = client.submit(board, f"{board.path}/bid", call="passed")
    before = contents(app)
    assert problem(look(client, board, 422, forced_bid="2")) == (
        "Hand 1 doesn't fit these rules. The dealer can't pass here and must bid 2."
    )
    assert contents(app) == before


def test_the_bid_in_play_must_fit(client: Phone, app: Flask, board: Page) -> None:
    bid(client, board, 0, 4)
    before = contents(app)
    assert problem(look(client, board, 422, bid_max="3")) == "Bids go from 2 to 3."
    assert contents(app) == before


def test_the_bid_in_play_stays(client: Phone, board: Page) -> None:
    """If the rules are changed after a bid was entered, the bid stays."""
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
        ({"bid_max": "9"}, "bid_max", "A hand has only 4 points, so the highest bid allowed can't be 9."),
        ({"dealer_may_match_max": "yes"}, "dealer_may_match_max", None),
        ({"tie": "bidder"}, "tie", None),
        ({"negative": "<b>"}, "negative", None),
    ],
)
def test_a_bad_rule_is_refused_at_its_field(
    client: Phone, app: Flask, board: Page, rules: dict[str, str], option: str, says: str | None
) -> None:
    """An invalid rule is refused with the error at its field, and nothing is stored."""
    before = contents(app)
    errors = wrong(look(client, board, 422, **rules))
    assert list(errors) == [option]
    assert says is None or errors[option] == says
    assert contents(app) == before


def test_a_limit_on_sets_needs_two_sides(client: Phone, app: Flask) -> None:
    """Three solo players can't have a limit on sets (RULES 1)."""
    board = start(client, ("Ann", "Bob", "Cid"), preset="setback-7-pitch", seating="3", dealer=2)
    before = contents(app)
    says = "A limit on sets only works with two sides."
    assert wrong(look(client, board, 422, max_sets="3")) == {"max_sets": says}
    assert contents(app) == before


def test_another_phone_changes_nothing(client: Phone, other: Phone, app: Flask, board: Page) -> None:
    """A phone that only watches can neither open the page for changing rules nor send its form."""
    form = client.see(address(board)).form(address(board)).values
    before = contents(app)
    assert other.see(address(board), 403).status == 403
    other.see("/games/new")
    assert other.post(address(board), data={**form, "rule-target": "2"}).status_code in (400, 403)
    assert contents(app) == before


def test_a_late_change_is_refused(client: Phone, app: Flask, board: Page) -> None:
    """A change of rules is refused if another hand was saved after the page showed the effect."""
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


@pytest.mark.slow
def test_changed_rules_are_in_the_record(client: Phone, other: Phone, board: Page) -> None:
    """After the rules were changed, the game's record has the new rules.

    Another phone that imports the record gets the same score.
    """
    after = change(client, play_all(client, board, SET_TWICE), negative="floor_zero", target="31")
    record = record_of(client, after)
    assert record["ruleset"]["options"] == {"target": 31, "negative": "floor_zero"}
    assert totals(import_record(other, record)) == ["0", "6"]


def test_counted_cards_are_recounted(client: Phone) -> None:
    """If a rule about card points changes, the cards of a counted hand are counted again.

    With the jack of trump counted, Ann has 5 card points to Bob's 4, gets Game and makes the bid of 3.
    """
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
    """The rules of a game with only a final score can't be changed, because there are no hands to rescore."""
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
