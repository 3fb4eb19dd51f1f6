"""The rule card: every rule of a table in plain language, and each place where the house differs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.games.rulecard import rule_card
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import CHOICES, NULLABLE, NUMBERS, OPTIONS, Ruleset, with_options
from scorekeeper.rules.violation import RuleViolation
from tests.games.moves import look_then_save
from tests.games.play import start
from tests.page import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.games.pages import RuleLine
    from tests.page import Page
    from tests.phone import Phone

pytestmark = pytest.mark.looks

ALSO: dict[str, dict[str, Any]] = {
    "win_by": {"finish": "highest"},
    "go_out": {"finish": "bid_out"},
    "tie": {"finish": "highest"},
    "tie_break_round": {"finish": "highest", "tie": "one_more_hand"},
    "hands_limit": {"finish": "fixed_hands"},
    "pitch_test": {"special_bid": "pitch"},
    "dealer_privilege": {"auction": "once_around"},
    "dealer_may_match_max": {"auction": "once_around", "dealer_privilege": "match"},
    "dealer_may_raise": {"auction": "once_around", "dealer_privilege": "match"},
    "redeal_by": {"forced_bid": None},
}
"""What an option needs beside it to have an effect (RULES 1 and 7)."""
TRIED = {"bid_min": 2, "bid_max": 3, "forced_bid": 3, "target": 33, "win_by": 3, "hands_limit": 9, "max_sets": 4}
OTHER = {"game_minimum": 30, "bid_min": 3, "bid_max": 5, "forced_bid": 4}


def values(option: str) -> tuple[Any, ...]:
    """Return the values to try for an option."""
    if option in CHOICES:
        return CHOICES[option]
    return (*dict.fromkeys((TRIED.get(option, 30), OTHER.get(option, 7))), *((None,) if option in NULLABLE else ()))


def lines(rules: Ruleset) -> list[RuleLine]:
    """Return every line of the card."""
    return [line for section in rule_card(rules).sections for line in section.lines]


def neighbours(preset: Ruleset) -> Iterator[tuple[str, Any, Ruleset, Ruleset]]:
    """Yield each option with each value that can be played: the rules without and with it."""
    for option in OPTIONS:
        for value in values(option):
            beside = {key: told for key, told in ALSO.get(option, {}).items() if getattr(preset, key) != told}
            if value == "fixed_hands":
                beside["hands_limit"] = 9
            try:
                with_it = with_options(preset, {**beside, option: value})
                # A number of hands is needed as soon as they are counted: compare it with another number.
                without = with_options(preset, beside | ({"hands_limit": 5} if option == "hands_limit" else {}))
            except RuleViolation:
                continue
            if getattr(without, option) != getattr(with_it, option):
                yield option, value, without, with_it


CHANGES = [
    pytest.param(preset, option, without, with_it, id=f"{preset.preset}-{option}-{value}")
    for preset in PRESETS.values()
    for option, value, without, with_it in neighbours(preset)
]


def test_every_option_is_tried() -> None:
    """No option escapes what follows, and most presets can change most of them."""
    tried = {str(case.values[1]) for case in CHANGES}
    assert tried == set(CHOICES) | set(NUMBERS)
    assert len(CHANGES) > 300


@pytest.mark.parametrize(("preset", "option", "without", "with_it"), CHANGES)
def test_a_change_is_said_and_marked(preset: Ruleset, option: str, without: Ruleset, with_it: Ruleset) -> None:
    """The card of a table that changed one thing has another line, marked, that says how it usually is."""
    before, after = lines(without), lines(with_it)
    new = [line for line in after if line not in before]
    assert new or [line for line in before if line not in after], "the change is nowhere on the card"
    usual = [line.text for line in lines(preset)]
    for line in new:
        if line.text not in usual:
            assert line.house, line.text
            assert line.usual in usual or line.usual == "No such rule.", line.usual
    if getattr(with_it, option) != getattr(preset, option):
        assert any(line.house for line in after)
        assert len(rule_card(with_it).house) >= 1


@pytest.mark.parametrize("rules", PRESETS.values(), ids=list(PRESETS))
def test_the_usual_card_marks_nothing(rules: Ruleset) -> None:
    """Nothing differs from itself."""
    card = rule_card(rules)
    assert card.house == ()
    assert not [line for line in lines(rules) if line.house or line.usual]


@pytest.mark.parametrize(("preset", "option", "without", "with_it"), CHANGES)
def test_the_head_and_the_card_speak_in_sentences(
    preset: Ruleset, option: str, without: Ruleset, with_it: Ruleset
) -> None:
    """One sentence for each option that differs; in players' words, no name of an option, no None, no braces."""
    card = rule_card(with_it)
    differ = [key for key in OPTIONS if getattr(with_it, key) != getattr(preset, key)]
    assert len(card.house) == len(set(card.house)) == len(differ)
    assert all(re.fullmatch(r"[A-Z].*[^.]\.", sentence) for sentence in card.house), card.house
    for text in (card.title, card.summary, *card.house, *(line.text + " " + line.usual for line in lines(with_it))):
        assert not re.search(r"None|True|False|\{|\}|_|TODO|\.\.|  \S|,,| ,| \.", text), text
    assert all(line.text.endswith(".") for line in lines(with_it))


@pytest.mark.parametrize("rules", PRESETS.values(), ids=list(PRESETS))
def test_a_card_answers_what_tables_argue_about(rules: Ruleset) -> None:
    """The deal, the bidding, the points, the score and the end of each game."""
    card = rule_card(rules)
    assert [section.heading for section in card.sections] == [
        "The deal",
        "Bidding",
        "Play",
        "Points",
        "Scoring",
        "The end",
    ]
    assert all(section.lines for section in card.sections)
    text = " ".join(line.text for line in lines(rules))
    assert str(rules.target) in text
    assert f"from {rules.bid_min} to" in text
    for category in rules.categories:
        assert category.label in text


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("setback-21", "When everybody else passes, the dealer must bid 2."),
        ("setback-21", "Coke hand: who has no ten or higher and no two may show the hand and get a new one."),
        ("setback-21", "The game ends when the side that made the bid has 21 or more and leads by 2"),
        ("bowers-12", "it takes at least 41"),
        ("bowers-12", "Left is the other jack of its colour: a trump, between the jack and the ten."),
        ("bowers-12", "When everybody passes, the hand is thrown in and the next player deals."),
        ("setback-7", "The jack of trump counts nothing here."),
        ("setback-7-pitch", "Made from zero or above it wins the game at once"),
        ("pitch-11", "The dealer may take the bid by matching it, even the highest, but may not bid more."),
        ("pitch-11", "When everybody else passes, the dealer must bid exactly 2."),
        ("somerset-66", "it costs twice what was missing"),
        ("somerset-66", "28 with 3, 24 with 4, 22 with 5, 20 with 6 players"),
        ("somerset-66", "Level at the top: one more hand, after which the highest score wins."),
        ("somerset-66", "S/S is worth 3 points and is the lowest trump, whatever the suit."),
        ("horsley-66", "No trump may not be named."),
        ("horsley-66", "it costs the bid"),
        ("ten-point-52", "failed it loses the game"),
        ("smear-52", "Level at the top: the bidder wins."),
    ],
)
def test_the_rules_of_each_game_stand_on_its_card(client: Phone, preset: str, says: str) -> None:
    """RULES 2 to 8, on the page of the usual rules."""
    page = client.see(f"/rules/{preset}")
    assert says in page.text
    assert page.h1 == f"The rules of {PRESETS[preset].name}"
    assert not page.all("section", class_="house-rules")


def marked(page: Page) -> list[str]:
    """Return the lines of the card that are marked as the house's own."""
    return [words(line) for line in page.all("li", class_="house")]


def test_the_card_of_a_game_names_its_house_rules(client: Phone, other: Phone) -> None:
    """At the head, and where they belong, with how it usually goes; everyone who has the address may read it."""
    board = start(client, rules={"target": "31", "draw": "yes", "dealer_privilege": "match"})
    assert f"{board.path}/rules" in [a.get("href") for a in board.all("a")]
    page = other.see(f"{board.path}/rules")
    head = [words(line) for line in page.one("section", class_="house-rules").iter("li")]
    assert sorted(head) == [
        "Played to 31.",
        "Players may draw new cards: yes.",
        "The dealer may take the bid by matching it.",
    ]
    assert [line.split(" Usually:")[1][1:] for line in marked(page)] == [
        "No such rule.",
        "The dealer must bid more than the others to take the bid.",
        "The game ends when the side that made the bid has 21 or more and leads by 2, all at that moment. "
        "Anybody else plays on.",
    ]
    assert "Before play each player may change up to four cards, five with an ace." in marked(page)[0]
    assert "has 31 or more" in marked(page)[2]


def test_what_is_not_played_here_is_said(client: Phone) -> None:
    """A coke hand is usual; this table has none."""
    board = start(client, rules={"redeal": "none"})
    assert marked(client.see(f"{board.path}/rules")) == [
        "House Not played here. Usually: Coke hand: who has no ten or higher and no two may show the hand and get a "
        "new one."
    ]


def test_the_card_follows_a_change_of_rules(client: Phone) -> None:
    """What counts now is what stands on it."""
    board = start(client)
    look_then_save(client, f"{board.path}/house-rules", **{"rule-max_sets": "3"})
    page = client.see(f"{board.path}/rules")
    assert any("A side that is set 3 times loses at once." in line for line in marked(page))


def test_an_unknown_game_has_no_card(client: Phone) -> None:
    """A slip in the address."""
    assert "There is no such game." in client.see("/rules/setback-22", 404).text
    assert client.see("/games/xxxxxxxxxx/rules", 404).status == 404
