"""The form of house rules: what is asked first, what is folded, what differs in words, and rules that have a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.presenters.new_game import option_fields
from scorekeeper.rules.local_rules import LOCAL_RULES, local_rules
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.violation import RuleViolation
from tests.support.game import press
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone

NEW = "/games/new"


def asked_first(preset: str, **options: object) -> list[str]:
    """Return the options that the form asks first, as rows of buttons."""
    return [field.key.removeprefix("rule-") for field in option_fields(PRESETS[preset], options) if field.common]


def differences(page: Page) -> list[str]:
    """Return what the form says differs from the usual rules."""
    return [words(line) for line in page.one("div", class_="differs").iter("li")]


def test_the_rules_that_tables_change_most_are_asked_first() -> None:
    six = ["dealer_privilege", "low", "redeal", "draw", "trump_any_time", "win_by"]
    assert asked_first("setback-21") == six
    assert [key for key, option in OPTIONS.items() if option.common] == sorted(six, key=list(OPTIONS).index)


def test_a_rule_without_effect_is_not_asked_first() -> None:
    """A switch that the rules refuse is no switch: no lead where the bidder goes out first, no Low in Some'R'Set."""
    assert "win_by" not in asked_first("pitch-11")
    assert "win_by" in asked_first("pitch-11", finish="highest")
    assert "low" not in asked_first("somerset-66")
    assert "dealer_privilege" not in asked_first("bowers-12")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_option_of_a_game_is_on_its_form_once(preset: str) -> None:
    """With its value chosen, and the words for every value in hand for the script."""
    fields = option_fields(PRESETS[preset], {})
    keys = [field.key.removeprefix("rule-") for field in fields]
    assert sorted(keys) == sorted(key for key, option in OPTIONS.items() if option.game(PRESETS[preset]))
    for field in fields:
        assert field.value == field.usual_value
        assert not field.says
        assert not field.help.startswith("Whether")
        assert field.line or all(choice.hint for choice in field.choices)
        assert field.kind == "number" or [choice.value for choice in field.choices if choice.chosen] == [field.value]


def test_an_unusual_number_can_be_chosen_again() -> None:
    """Win by 5 came from somewhere else, such as a record: the row of buttons has it too."""
    field = next(each for each in option_fields(PRESETS["setback-21"], {"win_by": 5}) if each.key == "rule-win_by")
    assert [choice.value for choice in field.choices] == ["1", "2", "3", "5"]
    assert field.says == "Win by 5."


def test_the_form_says_what_differs(client: Phone) -> None:
    page = client.submit(client.see(NEW), NEW, 200, **{"rule-draw": "yes", "rule-target": "31", "rule-forced_bid": ""})
    assert differences(page) == [
        "Draw: after the deal, swap up to 4 cards, or up to 5 if you hold an ace.",
        "Played to 31.",
        "If everyone passes, the hand is thrown in.",
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
    """A slip in an entry fails when the program starts."""
    with pytest.raises(RuleViolation):
        local_rules("pitch-11", "bad", "Bad", win_by=2)
    assert "bad" not in LOCAL_RULES
    assert with_options(PRESETS["setback-21"], LOCAL_RULES["connecticut-all"].options).draw
