"""The form for house rules shows common rules first, hides the others in groups, and lists what isn't usual."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.presenters.new_game import option_fields
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import LOCAL_RULES, PRESETS, local_rules
from scorekeeper.rules.ruleset import with_options
from tests.support.game import press
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone

NEW = "/games/new"


def asked_first(preset: str, **options: object) -> list[str]:
    """Return the names of the options that the form shows first, above the collapsed ones.

    `options` are house rules that differ from those of `preset`.
    """
    return [field.key.removeprefix("rule-") for field in option_fields(PRESETS[preset], options) if field.common]


def differences(page: Page) -> list[str]:
    """Return the lines in which the form says what differs from the usual rules."""
    return [words(line) for line in page.one("div", class_="differs").iter("li")]


def test_the_rules_that_tables_change_most_are_asked_first() -> None:
    six = ["dealer_privilege", "low", "redeal", "draw", "trump_any_time", "win_by"]
    assert asked_first("setback-21") == six
    assert [key for key, option in OPTIONS.items() if option.common] == sorted(six, key=list(OPTIONS).index)


def test_a_rule_without_effect_is_not_asked_first() -> None:
    """An option that has no effect under the game's other rules isn't among the options that the form shows first.

    For example, the option for the lead needed to win has no effect if the bidder's points count first. The option for
    Low has no effect in Some'R'Set, which has no Low.
    """
    assert "win_by" not in asked_first("pitch-11")
    assert "win_by" in asked_first("pitch-11", finish="highest")
    assert "low" not in asked_first("somerset-66")
    assert "dealer_privilege" not in asked_first("bowers-12")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_option_of_a_game_is_on_its_form_once(preset: str) -> None:
    """Each option of a game is on the form once, with an explanation and with the current value chosen.

    The option for a called partner is not on the form, because players choose it with the seating.
    """
    fields = option_fields(PRESETS[preset], {})
    keys = [field.key.removeprefix("rule-") for field in fields]
    rules = PRESETS[preset]
    asked = {key for key, option in OPTIONS.items() if option.game(rules) and getattr(rules, key) not in option.own}
    unasked = set() if rules.has_bids else {key for key, option in OPTIONS.items() if option.bidding}
    assert sorted(keys) == sorted(asked - unasked - {"called_partner"})
    for field in fields:
        assert field.value == field.usual_value
        assert not field.says
        assert not field.help.startswith("Whether")
        assert field.line or all(choice.hint for choice in field.choices)
        chosen = " ".join(choice.value for choice in field.choices if choice.chosen)
        assert chosen == ("" if field.kind == "number" else field.value)


def test_an_unusual_number_can_be_chosen_again() -> None:
    """An unusual number, such as a win by 5 from an imported record, gets its own button beside the usual ones."""
    field = next(each for each in option_fields(PRESETS["setback-21"], {"win_by": 5}) if each.key == "rule-win_by")
    assert [choice.value for choice in field.choices] == ["1", "2", "3", "5"]
    assert field.says == "Win by 5."


def test_a_dealer_stuck_with_0_is_not_a_dealer_who_is_never_stuck() -> None:
    """For the bid that a dealer must make if all others pass, 0 is a possible bid. An empty field turns the rule off.

    In the fields of other rules, 0 turns the rule off.
    """
    fields = {field.key: field for field in option_fields(PRESETS["setback-21"], {"forced_bid": 0, "bid_min": 0})}
    assert fields["rule-forced_bid"].says == "The dealer is stuck with 0 if everyone else passes."
    assert fields["rule-forced_bid"].off_at == ""
    assert fields["rule-game_minimum"].off_at == "0"


def test_the_form_says_what_differs(client: Phone) -> None:
    page = client.submit(client.see(NEW), NEW, 200, **{"rule-draw": "yes", "rule-target": "31", "rule-forced_bid": ""})
    assert differences(page) == [
        "Draw: after the deal, swap up to 4 cards, or up to 5 if you hold an ace.",
        "Played to 31.",
        "If all pass, nobody scores.",
    ]
    assert "hidden" in page.one("p", **{"data-usual-only": ""}).attrib
    assert "hidden" not in client.see(NEW).one("p", **{"data-usual-only": ""}).attrib


def test_groups_are_folded_unless_something_is_wrong_in_them(client: Phone) -> None:
    assert not [group for group in client.see(NEW).all("details", class_="group") if "open" in group.attrib]
    wrong = press(client, client.see(NEW), NEW, "/games", {"rule-win_by": "0"}, status=422)
    groups = [group for group in wrong.all("details", class_="group") if "open" in group.attrib]
    assert [words(group.find("summary")) for group in groups] == ["Winning"]  # type: ignore[arg-type]


def test_rules_with_a_name_are_filled_in_by_one_tap(client: Phone) -> None:
    page = client.submit(client.see(NEW), NEW, 200, local_rules="connecticut-all")
    values = page.form(NEW).values
    assert (values["rule-dealer_privilege"], values["rule-redeal"], values["rule-draw"]) == ("match", "ten", "yes")
    assert len(differences(page)) == 4
    assert "open" in page.one("details", id="house-rules").attrib
    assert [b.get("value") for b in page.all("button", name="local_rules") if b.get("aria-pressed") == "true"] == [
        "connecticut-all"
    ]
    page = client.submit(page, NEW, 200, local_rules="connecticut")
    assert differences(page) == []


@pytest.mark.parametrize("key", ["online-2", "texas", "", "\x00"])
def test_rules_of_another_game_change_nothing(client: Phone, key: str) -> None:
    page = client.submit(client.see(NEW), NEW, 200, **{"local_rules": key, "rule-target": "31"})
    assert differences(page) == ["Played to 31."]


@pytest.mark.parametrize("local", LOCAL_RULES.values(), ids=list(LOCAL_RULES))
def test_rules_with_a_name_differ_from_each_other(local: object) -> None:
    same = [each for each in LOCAL_RULES.values() if (each.preset, each.options) == (local.preset, local.options)]  # type: ignore[attr-defined]
    assert same == [local]


def test_rules_with_a_name_must_be_playable() -> None:
    """If the app's own list of named rules contains rules that can't be played, the program doesn't start."""
    with pytest.raises(RuleViolation):
        local_rules("pitch-11", "bad", "Bad", win_by=2)
    assert "bad" not in LOCAL_RULES
    assert with_options(PRESETS["setback-21"], LOCAL_RULES["connecticut-all"].options).draw
