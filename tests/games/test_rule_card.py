"""The rule card: every rule of a table in plain language, and each place where the house differs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.games.presenters.rule_card import rule_card
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.violation import RuleViolation
from tests.support.game import start
from tests.support.game_steps import look_then_save
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.games.pages import RuleLine
    from tests.support.page import Page
    from tests.support.phone import Phone

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
    "forced_bid_exact": {"forced_bid": 4},
}
"""What an option needs beside it to have an effect (RULES 1 and 7)."""
TRIED = {"bid_min": 2, "bid_max": 3, "forced_bid": 3, "target": 33, "win_by": 3, "hands_limit": 9, "max_sets": 4}
OTHER = {"game_minimum": 30, "bid_min": 3, "bid_max": 5, "forced_bid": 4}


def values(option: str) -> tuple[Any, ...]:
    """Return the values to try for an option."""
    if OPTIONS[option].values:
        return tuple(OPTIONS[option].values)
    return (
        *dict.fromkeys((TRIED.get(option, 30), OTHER.get(option, 7))),
        *((None,) if OPTIONS[option].nullable else ()),
    )


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
            # What a stuck dealer may bid goes by the other options until it is said.
            same = option == "forced_bid_exact" and without.forced_exactly == with_it.forced_exactly
            if getattr(without, option) != getattr(with_it, option) and not same:
                yield option, value, without, with_it


CHANGES = [
    pytest.param(preset, option, without, with_it, id=f"{preset.preset}-{option}-{value}")
    for preset in PRESETS.values()
    for option, value, without, with_it in neighbours(preset)
]


def test_every_option_is_tried() -> None:
    """No option escapes what follows, and most presets can change most of them."""
    tried = {str(case.values[1]) for case in CHANGES}
    assert tried == set(OPTIONS)
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
        ("setback-21", "If everybody else passes, the dealer must bid at least 2."),
        ("setback-21", "Coke hand: a player with no card of ten or higher, and no two, may ask for six new cards."),
        ("setback-21", "The game ends when the side that made the bid has 21 or more and leads by 2 or more"),
        ("setback-21", "Low goes to the winner of the lowest trump in play."),
        ("setback-21", "The jack may be out of play; then nobody scores it."),
        ("bowers-12", "At least 41 are needed; otherwise nobody scores Game."),
        ("bowers-12", "Right goes to the winner of the jack of trump. The jack may be buried"),
        ("bowers-12", "Left goes to the winner of the other jack of the same color."),
        ("bowers-12", "Left is the other jack of the same color: a trump, between the jack and the ten."),
        ("bowers-12", "If everybody passes, the hand is thrown in and the next player deals."),
        ("setback-7", "The jack of trump counts nothing here."),
        ("setback-7-pitch", "Made with a score of zero or more, it wins the game at once."),
        ("setback-7-pitch", "The published rules say that a pitch promises four tricks. This table counts points."),
        ("pitch-11", "The dealer may take the bid by matching it, even the highest, but may not bid more."),
        ("pitch-11", "If everybody else passes, the dealer must bid exactly 2."),
        ("somerset-66", "they score nothing and lose twice what was missing"),
        ("somerset-66", "28 with 3, 24 with 4, 22 with 5, 20 with 6 players"),
        ("somerset-66", "Tied at the top: one more hand, and then the highest score wins, even below the target."),
        ("somerset-66", "S/S is worth 3 points and is the lowest trump, whatever the suit."),
        ("horsley-66", "The bidder names the trump suit."),
        ("horsley-66", "Playing without trump is not allowed."),
        ("horsley-66", "they score nothing and lose the bid"),
        ("ten-point-52", "A failed moon loses the game."),
        ("ten-point-52", "Two stays with the player who was dealt the two of trump."),
        ("ten-point-52", "Three goes to the winner of the three of trump."),
        ("smear-52", "Off jack goes to the winner of the other jack of the same color"),
        ("smear-52", "Low goes to the player who was dealt the lowest trump in play."),
        ("smear-52", "Tied at the top: the bidder wins."),
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
        "The game ends when the side that made the bid has 21 or more and leads by 2 or more, all at that moment. "
        "Otherwise play goes on.",
    ]
    assert (
        "The ace stays hidden, but the player must be able to point it out after the hand if asked." in marked(page)[0]
    )
    assert "has 31 or more" in marked(page)[2]


def test_what_is_not_played_here_is_said(client: Phone) -> None:
    """A coke hand is usual; this table has none."""
    board = start(client, rules={"redeal": "none"})
    assert marked(client.see(f"{board.path}/rules")) == [
        "House Not played here. Usually: Coke hand: a player with no card of ten or higher, and no two, may ask for "
        "six new cards."
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


@pytest.mark.parametrize(
    ("preset", "options", "says"),
    [
        ("bowers-12", {"special_bid": "pitch"}, "promises every point of the hand. Made with a score of zero or more"),
        ("bowers-12", {"special_bid": "pitch"}, "Made from below zero, it scores 5."),
        ("bowers-12", {"special_bid": "pitch"}, "A failed pitch costs 5."),
        ("bowers-12", {"special_bid": "pitch", "pitch_test": "tricks"}, "Made from below zero, it scores 5."),
        ("smear-52", {"special_bid": "pitch"}, "A failed pitch costs 10."),
        ("ten-point-52", {"special_bid": "pitch"}, "Made from below zero, it scores 10."),
        ("setback-7-pitch", {}, "A failed pitch costs 4."),
        ("setback-7-pitch", {"pitch_test": "tricks_all"}, "This table wants all six."),
        ("setback-21", {"forced_bid_exact": True}, "If everybody else passes, the dealer must bid exactly 2."),
        ("pitch-11", {"forced_bid_exact": False}, "If everybody else passes, the dealer must bid at least 2."),
        ("pitch-11", {"game_tie": "defenders"}, "even at 0 to 0, Game goes to the defenders."),
        ("pitch-11", {"finish": "highest", "win_by": 2}, "The highest score wins once it is 11 or more and 2 ahead"),
        ("bowers-12", {"game_minimum": 0}, "The most card points win Game, with no minimum."),
        ("bowers-12", {"negative": "floor_zero"}, "A set cannot take you below zero."),
        ("setback-21", {"win_by": 1}, "has 21 or more and leads by 1 or more"),
    ],
)
def test_a_house_rule_is_said_as_it_is_played(preset: str, options: dict[str, Any], says: str) -> None:
    card = rule_card(with_options(PRESETS[preset], options))
    told = " ".join((*card.house, *(line.text for section in card.sections for line in section.lines)))
    assert says in told


def test_no_card_says_a_thing_twice_or_denies_itself() -> None:
    """A suit or none is named once, and a bid to go out needs no line on ties."""
    for preset in PRESETS:
        told = [line.text for line in lines(PRESETS[preset])]
        assert len(told) == len(set(told))
    horsley = " ".join(line.text for line in lines(PRESETS["horsley-66"]))
    assert horsley.lower().count("without trump") == 1
    assert "or no trump" not in horsley
    assert "Tied at the top" not in " ".join(line.text for line in lines(PRESETS["setback-21"]))


@pytest.mark.parametrize(
    ("preset", "decided"),
    [
        (
            "setback-21",
            ["The deal passes", "If everybody else passes", "Low goes to"],
        ),
        (
            "bowers-12",
            [
                "The deal passes",
                "Bids go",
                "If everybody passes",
                "Low goes to",
                "A bidder who makes",
                "Tied at the top",
            ],
        ),
        (
            "setback-7-pitch",
            [
                "Each bid must",
                "If everybody passes",
                "A pitch is",
                "A failed pitch",
                "The published rules",
                "A bidder who",
            ],
        ),
        ("pitch-11", []),
        (
            "horsley-66",
            ["The deal passes", "Bids go", "The bidding goes", "If everybody passes", "If the bidder holds"],
        ),
    ],
)
def test_a_card_marks_what_this_app_decided(client: Phone, preset: str, decided: list[str]) -> None:
    """What the published rules leave open is marked, and what the house changed is marked as that instead."""
    marked = [line.text for line in lines(PRESETS[preset]) if line.decided]
    assert len(marked) == len(decided)
    assert all(text.startswith(start) for text, start in zip(marked, decided, strict=True))
    page = client.see(f"/rules/{preset}")
    assert len(page.all("span", class_="app")) == len(decided) + 1
    assert "No mark: from the published rules of the game." in page.text
    changed = rule_card(with_options(PRESETS[preset], {"target": 15}))
    assert not [line for section in changed.sections for line in section.lines if line.decided and line.house]


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("setback-21", "Six cards each, three and three."),
        ("setback-21", "no card of ten or higher, and no two, may ask for six new cards."),
        ("setback-21", "The player to the left of the dealer bids first."),
        ("setback-21", "The bidder announces trump. The bidder leads any card."),
        ("setback-21", "only a player who has none of the suit led may play trump."),
        ("setback-21", "Low goes to the winner of the lowest trump in play."),
        ("setback-21", "The jack may be out of play; then nobody scores it."),
        ("bowers-12", "Six cards each, three and three; four stay face down."),
        ("bowers-12", "The bidder names trump. The bidder leads any card."),
        ("bowers-12", "trump may be played at any time."),
        ("setback-7", "Six cards each, three and three."),
        ("setback-7", "High goes to the winner of the highest trump in play."),
        ("setback-7", "Low goes to the winner of the lowest trump in play."),
        ("setback-7", "Jack goes to the winner of the jack of trump."),
        ("setback-7", "The first card led sets trump. The bidder leads trump."),
        ("setback-7", "trump may be played at any time."),
        ("setback-7-pitch", "The published rules say that a pitch promises four tricks."),
        ("pitch-11", "Six cards each."),
        ("pitch-11", "The first card led sets trump."),
        ("pitch-11", "trump may be played at any time."),
        ("pitch-11", "Jack goes to the winner of the jack of trump."),
        ("somerset-66", "Three players 16 cards, four 12, six 8, with two in the middle;"),
        ("somerset-66", "The bidder leads a trump. The winner of that trick also takes the two cards in the middle."),
        ("somerset-66", "S/S is worth 3 points and is the lowest trump, whatever the suit."),
        ("somerset-66", "0/0 makes the highest double of its trick a trump"),
    ],
)
def test_the_published_rules_stand_on_the_card(preset: str, says: str) -> None:
    """What changes no score is on the card, where a table looks it up."""
    assert says in " ".join(line.text for line in lines(PRESETS[preset]))
