"""The rule card, which states every rule of a game in plain words and marks the house rules."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import pytest

from scorekeeper.games.presenters.rule_card import TOPICS, rule_card
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Topic
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import Ruleset, differing, with_options
from tests.rules.strategies import CHOICES
from tests.support.each import for_each
from tests.support.game import start
from tests.support.game_steps import look_then_save
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.games.pages.common import RuleLine
    from tests.support.page import Page
    from tests.support.phone import Phone

pytestmark = pytest.mark.looks

ALSO: dict[str, dict[str, Any]] = {
    "win_by": {"finish": "highest"},
    "bidder_lead": {"finish": "bidder_first"},
    "go_out": {"finish": "bid_out"},
    "tie": {"finish": "highest"},
    "tie_break_round": {"finish": "highest", "tie": "one_more_hand"},
    "hands_limit": {"finish": "fixed_hands"},
    "pitch_test": {"special_bid": "pitch"},
    "slam": {"special_bid": "pitch"},
    "dealer_privilege": {"auction": "once_around"},
    "dealer_may_match_max": {"auction": "once_around", "dealer_privilege": "match"},
    "dealer_may_raise": {"auction": "once_around", "dealer_privilege": "match"},
    "redeal_by": {"forced_bid": None},
    "forced_bid_exact": {"forced_bid": 4},
    "forced_concede": {"forced_bid": 4},
}
"""For some options, the values of other options without which the option has no effect (RULES 1 and 7)."""
TRIED = {"bid_min": 2, "bid_max": 3, "forced_bid": 3, "target": 33, "win_by": 3, "hands_limit": 9, "max_sets": 4}
OTHER = {"game_minimum": 30, "bid_min": 3, "bid_max": 5, "forced_bid": 4}


def values(option: str) -> tuple[Any, ...]:
    """Return the values that the tests try for the option named `option`."""
    if OPTIONS[option].several:
        return CHOICES
    if OPTIONS[option].values:
        return tuple(OPTIONS[option].values)
    return (
        *dict.fromkeys((TRIED.get(option, 30), OTHER.get(option, 7))),
        *((None,) if OPTIONS[option].nullable else ()),
    )


def lines(rules: Ruleset) -> list[RuleLine]:
    """Return every line of the rule card for `rules`."""
    return [line for section in rule_card(rules).sections for line in section.lines]


def neighbours(preset: Ruleset) -> Iterator[tuple[str, Any, Ruleset, Ruleset]]:
    """Yield (option, value, rules with the usual value, rules with this value) for each value that `preset` allows.

    Some options work only together with other options, which `ALSO` lists. Both sets of rules have those other options.
    """
    for option in OPTIONS:
        for value in values(option):
            beside = {key: told for key, told in ALSO.get(option, {}).items() if getattr(preset, key) != told}
            if value == "fixed_hands":
                beside["hands_limit"] = 9
            try:
                with_it = with_options(preset, {**beside, option: value})
                # A game of a fixed number of hands needs a number: compare with another one.
                without = with_options(preset, beside | ({"hands_limit": 5} if option == "hands_limit" else {}))
            except RuleViolation:
                continue
            # By default, what a stuck dealer may bid follows from other options.
            same = option == "forced_bid_exact" and without.forced_exactly == with_it.forced_exactly
            if getattr(without, option) != getattr(with_it, option) and not same:
                yield option, value, without, with_it


def test_every_option_is_tried() -> None:
    """Over all games, `neighbours` yields every option at least once, and more than 300 cases in total."""
    tried = [option for preset in PRESETS.values() for option, *_rules in neighbours(preset)]
    assert set(tried) == set(OPTIONS)
    assert len(tried) > 300


@for_each("preset", PRESETS.values(), parts=4)
def test_a_house_rule_is_marked_on_the_card(preset: Ruleset) -> None:
    """When one option is changed, the card gets a marked line that also states the usual rule."""
    usual = [line.text for line in lines(preset)]
    for option, value, without, with_it in neighbours(preset):
        case = f"{option}={value}"
        before, after = lines(without), lines(with_it)
        new = [line for line in after if line not in before]
        assert new or [line for line in before if line not in after], (
            f"the rule card doesn't mention {case}: give its entry `section` and `card`, "
            "or change a sentence of rule_card.py"
        )
        for line in new:
            if line.text not in usual:
                assert line.house, f"{case}: {line.text}"
                assert line.usual in usual or line.usual == "No rule for this.", f"{case}: {line.usual}"
        if getattr(with_it, option) != getattr(preset, option):
            assert any(line.house for line in after), case
            assert len(rule_card(with_it).house) >= 1, case


@for_each("rules", PRESETS.values())
def test_the_usual_card_marks_no_house_rule(rules: Ruleset) -> None:
    card = rule_card(rules)
    assert card.house == ()
    assert not [line for line in lines(rules) if line.house or line.usual]


@for_each("preset", PRESETS.values(), parts=4)
def test_house_rules_are_whole_sentences(preset: Ruleset) -> None:
    """Each house rule is one whole sentence in players' words. It contains no option names, no "None" and no braces."""
    for option, value, _without, with_it in neighbours(preset):
        case = f"{option}={value}"
        card = rule_card(with_it)
        differ = differing(preset, with_it)
        assert len(card.house) == len(set(card.house)) == len(differ), case
        house = [sentence for rule in card.house for sentence in (rule.usual, rule.ours)]
        assert all(re.fullmatch(r"[A-Z].*[^.]\.", sentence) for sentence in house), (case, house)
        assert all(rule.usual != rule.ours for rule in card.house), case
        for text in (card.title, card.summary, *house, *(line.text + " " + line.usual for line in lines(with_it))):
            assert not re.search(r"None|True|False|\{|\}|_|TODO|\.\.|  \S|,,| ,| \.", text), (case, text)
        assert all(line.text.endswith(".") for line in lines(with_it)), case


@for_each("rules", PRESETS.values())
def test_a_card_answers_what_tables_argue_about(rules: Ruleset) -> None:
    """Every game's card has the same sections, and none is empty. Only a game without bids has no "Bidding" section.

    The card names the target, the lowest bid and each point.
    """
    card = rule_card(rules)
    assert [section.heading for section in card.sections] == [
        "What you need",
        "Deal",
        *(["Bidding"] if rules.has_bids else []),
        "Play",
        "Points",
        "Scoring",
        "Winning",
    ]
    assert all(section.lines for section in card.sections)
    text = " ".join(line.text for line in lines(rules))
    assert str(rules.target) in text
    assert (f"Bid from {rules.bid_min} " in text) == rules.has_bids
    for category in rules.categories:
        assert category.label in text


@for_each(
    ("preset", "says"),
    [
        ("all-fours-14", "Nobody bids. Every side scores the points it takes."),
        ("all-fours-14", "Hang the jack: capture it from the side that was dealt it, and it counts 3."),
        ("all-fours-14", "Turned-up card, for the dealer's side: an ace counts 1, a six 2, a jack 3."),
        (
            "all-fours-14",
            "The first side to reach 14 wins at once. Points count in this order: turned-up card, High, Low, Jack, "
            "Game. The count stops when a side gets there.",
        ),
        ("setback-21", "4 players, partners; or 2 to 7 players, solo."),
        ("setback-21", "A standard 52-card deck."),
        ("setback-21", "If everyone else passes, the dealer must bid at least 2."),
        ("setback-21", "Coke hand: if you have nothing above a nine and no twos, you may ask for new cards."),
        ("setback-21", "You win when you make your bid, have 21 or more, and lead by at least 2. Otherwise play on."),
        ("setback-21", "Low: win the lowest trump in play."),
        ("setback-21", "Jack: win the jack of trump. If nobody was dealt it, nobody scores it."),
        ("bowers-12", "It takes at least 41; otherwise nobody scores Game."),
        ("bowers-12", "Right: win the jack of trump. If it's buried, nobody scores it."),
        ("bowers-12", "Left: win the other jack of the same color. If it's buried, nobody scores it."),
        ("bowers-12", "The other jack of the same color is a trump too. It ranks between the jack and the ten."),
        ("bowers-12", "If all pass, nobody scores; the next player deals."),
        ("setback-7", "The jack of trump doesn't count."),
        ("setback-7-pitch", "Make it with a score of zero or more and you win the game at once."),
        ("setback-7-pitch", "In the published rules, a pitch promises four tricks, not all the points."),
        ("pitch-11", "Each bid must be higher than the last, except the dealer's."),
        ("pitch-11", "The dealer may match the high bid, even a bid of 4, but may not raise it."),
        ("pitch-11", "If everyone else passes, the dealer must bid exactly 2."),
        ("somerset-66", "you score nothing and lose double the points you were short."),
        ("somerset-66", "28 with 3 players, 24 with 4 players, 22 with 5 players, 20 with 6 players."),
        ("somerset-66", "Tied for the lead? Play one more hand; then high score wins, even below 66."),
        ("somerset-66", "S/S is worth 3 points and is always the lowest trump."),
        ("horsley-66", "The bidder names trump and leads a trump."),
        ("horsley-66", "Playing with no trump isn't allowed."),
        ("horsley-66", "you score nothing and lose the amount of the bid."),
        ("ten-point-52", "If it fails, you lose the game."),
        ("ten-point-52", "Two: be dealt the two of trump. It counts for you no matter who wins it."),
        ("ten-point-52", "Three: win the three of trump."),
        ("ten-point-52", "Deal 9 cards to each player."),
        ("smear-52", "Off jack: win the other jack of the same color"),
        ("smear-52", "Low: be dealt the lowest trump in play."),
        ("smear-52", "Tied for the lead? The bidder's side wins if it's in the tie; otherwise play on."),
        ("smear-6", "4 or 6 players, partners; or 3 to 8 players, solo."),
        ("smear-6", "A standard 52-card deck and a joker."),
        ("smear-6", "The joker is the lowest trump, but it never counts as Low."),
        ("six-point", "Joker: win the joker. If nobody was dealt it, nobody scores it."),
        ("nine-point", "Points in a hand: High, Low, Jack and Game, 1 each. Five is worth 5."),
        ("nine-point", "Five: win the five of trump. If nobody was dealt it, nobody scores it."),
        ("eleven-point", "Ace, Ten: win the ace or the ten of trump; each scores on its own."),
        ("eleven-point", "Off ace: win the other ace of the same color, a trump just below the ace."),
        ("thirteen-point", "Off three: win the other three of the same color, a trump just below the three."),
        ("pedro-62", "High: win the ace of trump."),
        ("pedro-62", "Low: be dealt the two of trump. It counts for you no matter who wins it."),
        ("pedro-62", "Game: win the ten of trump."),
        ("pedro-62", "Off five: win the other five of the same color, a trump just below the five."),
        ("cinch-51", "Low: win the two of trump. If it's discarded or wasn't dealt, nobody scores it."),
        ("cinch-51", "High: win the ace of trump. If it's discarded or wasn't dealt, nobody scores it."),
        ("cinch-51", "If the deck runs out, shuffle the discarded cards that aren't trumps and go on dealing."),
        ("all-fours-14", "The same dealer deals again, and points for turned-up cards stand."),
        ("ten-point-52", "If more than 6 of your trumps score, discard down to 6 anyway, and add the discarded ones"),
        (
            "ten-point-52",
            "If the moon fails, both lose 10, and neither of them can win.",
        ),
        ("thirteen-point", "If more than 6 of your trumps score, discard down to 6 anyway, and add the discarded ones"),
        (
            "call-partner-pitch",
            "the bidder first takes the 4 cards that are left. Nobody else draws.",
        ),
        ("somerset-66", "With no trump, S/S belongs to no suit and can't win a trick. If it's led, the next card sets"),
        ("somerset-66", "With five players, the bidder may then name any card as the partner's."),
        ("cinch-51", "If everyone else passes, the dealer must bid exactly 1."),
        ("cinch-51", "Deal 9 cards to each player, 3 at a time. With 5 or 6 players, deal 6 to each."),
        ("ten-point-52", "The bidder takes what is left of it and keeps 6 cards."),
        ("five-point", "With 6 players: 3 teams of 2. Partners sit across from each other."),
        (
            "somerset-66",
            "With 6 players: 2 teams of 3. Partners sit across from each other; in teams of three or four, they take",
        ),
        ("all-fours-14", "The player on the dealer's left may beg for another"),
        ("smudge", "Scorekeeper calls a smudge a pitch. A pitch outranks"),
        ("oklahoma-21", "Deal 9 cards to each player. With 6 players, deal 8 to each."),
        ("oklahoma-21", "The bidder takes it before naming trump. Then everyone discards down to 6 cards."),
        ("oklahoma-21", "discard down to 6 anyway; nobody scores the discarded ones."),
    ],
    parts=2,
)
def test_each_game_has_its_rules_on_its_card(client: Phone, preset: str, says: str) -> None:
    """Without house rules, the rule card of each game states that game's rules from sections 2 to 8 of RULES."""
    page = client.see(f"/rules/{preset}")
    assert says in page.text
    assert page.h1 == f"How to play {PRESETS[preset].name}"
    assert not page.all("section", class_="house-rules")


def marked(page: Page) -> list[str]:
    """Return the lines of the rule card that are marked as house rules."""
    return [words(line) for line in page.all("li", class_="house")]


def test_the_card_of_a_game_names_its_house_rules(client: Phone, other: Phone) -> None:
    """A card lists the house rules in a table and also marks them in the list of all rules, each with the usual rule.

    Phones that don't score the game can open the card, too.
    """
    board = start(client, rules={"target": "31", "draw": "yes", "dealer_privilege": "match"})
    assert f"{board.path}/rules" in [a.get("href") for a in board.all("a")]
    page = other.see(f"{board.path}/rules")
    rows = [[words(cell) for cell in row.iter("td")] for row in page.one("section", class_="house-rules").iter("tr")]
    assert sorted(rows[1:]) == [
        ["No draw.", "Draw: after the deal, swap up to 4 cards, or up to 5 if you hold an ace."],
        ["Played to 21.", "Played to 31."],
        ["The dealer may not match the high bid.", "The dealer may match the high bid."],
    ]
    assert [line.split(" Usually: ")[1] for line in marked(page)] == [
        "No rule for this.",
        "Each bid must be higher than the last.",
        "The dealer may not match the high bid.",
        "You win when you make your bid, have 21 or more, and lead by at least 2. Otherwise play on.",
    ]
    assert "you must be able to point it out after the hand if asked." in marked(page)[0]
    assert "have 31 or more" in marked(page)[3]


def test_a_usual_rule_that_this_table_drops_is_named(client: Phone) -> None:
    board = start(client, rules={"redeal": "none"})
    assert marked(client.see(f"{board.path}/rules")) == [
        "At this table Doesn't apply. Usually: Coke hand: if you have nothing above a nine and no twos, you may ask "
        "for new cards."
    ]


def test_the_card_follows_a_change_of_rules(client: Phone) -> None:
    board = start(client)
    look_then_save(client, f"{board.path}/house-rules", **{"rule-max_sets": "3"})
    page = client.see(f"{board.path}/rules")
    assert any("Lose the game after this many sets: 3." in line for line in marked(page))


def test_an_unknown_game_has_no_card(client: Phone) -> None:
    """The address of a rule card for an unknown game leads to a 404."""
    assert "There is no such game." in client.see("/rules/setback-22", 404).text
    assert client.see("/games/xxxxxxxxxx/rules", 404).status == 404


@for_each(
    ("preset", "options", "says"),
    [
        ("bowers-12", {"special_bid": "pitch"}, "promises all 5 points. Make it with a score of zero"),
        ("bowers-12", {"special_bid": "pitch"}, "Make it from below zero and you score 5."),
        ("bowers-12", {"special_bid": "pitch"}, "If a pitch fails, you lose 5."),
        ("bowers-12", {"special_bid": "pitch", "pitch_test": "tricks"}, "Make it from below zero and you score 5."),
        ("bowers-12", {"special_bid": "pitch", "negative": "floor_zero"}, "all 5 points. Make it and you win the game"),
        ("ten-point-52", {}, "Make it from below zero and it only brings you to 0."),
        ("ten-point-52", {"negative": "floor_zero"}, "Make it and you win the game at once. If it fails"),
        ("smear-52", {"special_bid": "pitch"}, "If a pitch fails, you lose 10."),
        ("ten-point-52", {"special_bid": "pitch"}, "Make it from below zero and you score 10."),
        ("setback-7-pitch", {}, "If a pitch fails, you lose 4. It also fails if fewer than 4 points are in play."),
        ("setback-7-pitch", {"pitch_test": "tricks_all"}, "The published rules ask for only four tricks."),
        ("setback-21", {"forced_bid_exact": True}, "If everyone else passes, the dealer must bid exactly 2."),
        ("pitch-11", {"forced_bid_exact": False}, "If everyone else passes, the dealer must bid at least 2."),
        ("pitch-11", {"game_tie": "defenders"}, "Tie for Game, even 0 to 0: the defenders get the point."),
        ("pitch-11", {"finish": "highest", "win_by": 2}, "High score wins once it's 11 or more and at least 2 ahead"),
        ("bowers-12", {"game_minimum": 40}, "Tie for Game: nobody gets the point."),
        ("bowers-12", {"game_minimum": 0}, "The most card points win Game, with no minimum."),
        ("bowers-12", {"negative": "floor_zero"}, "A set can't take you below zero."),
        ("setback-21", {"made_scores": "bid"}, "Make your bid and you score the bid, however much you took."),
        ("setback-21", {"defenders_score": False}, "even above the bid. Defenders score nothing."),
        ("pitch-11", {"game_tie": "dealer"}, "the dealer's side gets the point if it's in the tie."),
        ("setback-21", {"lose_at_minus": 11}, "A score of −11 or lower loses the game. The highest of the other sides"),
        ("pitch-11", {"bidder_lead": 2}, "Make your bid and reach 11 with a lead of at least 2 to win."),
        ("cinch-51", {"bid_min": 0, "forced_bid": 0}, "the dealer bids 0, names trump, and can't be set."),
        ("setback-21", {"bid_min": 0, "forced_bid": 0}, "the dealer bids 0 and can't be set, or bids more."),
        ("setback-21", {"bid_min": 0, "forced_bid": 0}, "The dealer is stuck with 0 if everyone else passes."),
        (
            "ten-point-52",
            {"points": ["high", "low", "jack", "off_jack", "high_joker", "low_joker", "ten"], "special_bid": "none"},
            "discard down to 6 anyway; nobody scores the discarded ones.",
        ),
        ("setback-21", {"win_by": 1}, "have 21 or more, and lead by at least 1."),
        ("setback-21", {"finish": "fixed_hands", "hands_limit": 1}, "High score after 1 hand wins."),
    ],
)
def test_a_house_rule_reads_as_it_is_played(preset: str, options: dict[str, Any], says: str) -> None:
    card = rule_card(with_options(PRESETS[preset], options))
    text = " ".join(
        (*(rule.ours for rule in card.house), *(line.text for section in card.sections for line in section.lines))
    )
    assert says in text


def test_no_card_repeats_or_contradicts_itself() -> None:
    """No line appears twice on a card, and no card has a line that can't apply to its game.

    For example, the card of Setback to 21 has no line on ties for the lead, because there only the side of the last
    bidder can win.
    """
    for preset in PRESETS:
        texts = [line.text for line in lines(PRESETS[preset])]
        assert len(texts) == len(set(texts))
    horsley = " ".join(line.text for line in lines(PRESETS["horsley-66"]))
    assert horsley.lower().count("no trump") == 1
    assert "Tied for the lead" not in " ".join(line.text for line in lines(PRESETS["setback-21"]))


@pytest.mark.parametrize(
    ("preset", "decided"),
    [
        ("setback-21", ["After every hand", "After a misdeal", "If everyone else passes", "Low: win"]),
        (
            "bowers-12",
            [
                "After every hand",
                "After a misdeal",
                "Bid from 1",
                "Each bid must",
                "If all pass",
                "Low: win",
                "Make your bid and",
                "Tied for the lead",
            ],
        ),
        (
            "setback-7-pitch",
            [
                "After a misdeal",
                *("Each bid must", "The dealer may not", "If all pass", "A pitch", "If a pitch"),
                *("Make your bid and", "Tied for the lead"),
            ],
        ),
        ("pitch-11", ["After a misdeal", "Low: win"]),
        (
            "cinch-51",
            [
                *("If the deck runs out", "After a misdeal", "If everyone else passes"),
                *("Make your bid and you score", "Miss your bid", "Make your bid and reach", "Tied for the lead"),
            ],
        ),
        (
            "horsley-66",
            [
                *("After every hand", "After a misdeal", "Bid from 1", "Bidding goes", "If all pass"),
                "If you name a card",
            ],
        ),
    ],
)
def test_a_card_marks_what_this_app_decided(client: Phone, preset: str, decided: list[str]) -> None:
    """If the published rules don't settle a question, the card marks the app's own rule with "In this app".

    A house rule is never marked as the app's own.
    """
    marked = [line.text for line in lines(PRESETS[preset]) if line.decided]
    assert len(marked) == len(decided)
    assert all(text.startswith(start) for text, start in zip(marked, decided, strict=True))
    page = client.see(f"/rules/{preset}")
    assert [words(line) for line in page.all("li", class_="decided")] == [f"In this app: {text}" for text in marked]
    assert bool(page.all("p", class_="key")) == bool(decided)
    changed = rule_card(with_options(PRESETS[preset], {"target": 15}))
    assert not [line for section in changed.sections for line in section.lines if line.decided and line.house]


@pytest.mark.parametrize(("kept", "left_out"), [("ace", "ten"), ("ten", "ace")])
def test_an_ace_or_a_ten_alone_has_its_own_line(kept: str, left_out: str) -> None:
    """If only one of the ace and the ten of trump scores a point, the rule card has a line for that card alone.

    No line mentions the two cards together.
    """
    ten_point = PRESETS["ten-point-52"]
    categories = tuple(each for each in ten_point.categories if each.key != left_out)
    texts = [line.text for line in lines(replace(ten_point, usual_points=categories, bid_max=9))]
    assert f"{kept.capitalize()}: win the {kept} of trump." in texts
    assert not [text for text in texts if text.startswith("Ace, Ten")]


def test_a_smudge_is_no_pitch_of_the_published_text() -> None:
    """The rule card of Setback with a pitch bid quotes the published rule that a pitch promises four tricks.

    The cards of Setback without a pitch and of Smudge, which has a similar bid, don't have this quote.
    """
    for preset, said in (("setback-7-pitch", True), ("smudge", False), ("setback-7", False)):
        text = " ".join(line.text for line in lines(PRESETS[preset]))
        assert ("In the published rules, a pitch promises four tricks" in text) is said


def test_every_topic_names_a_line_of_the_card() -> None:
    """Some topics may be missing from published rules. For each of these, some game's rule card has a sentence."""
    assert set(TOPICS) == set(get_args(Topic))
    assert all(any(sentence(rules) for rules in PRESETS.values()) for sentence in TOPICS.values())


def test_the_card_of_a_game_of_nine_cards_counts_nine() -> None:
    """If Setback is played with nine cards for each player, the rule card doesn't contain the word "six"."""
    setback = PRESETS["setback-21"]
    nine = replace(setback, cards_each=9, special_bid="pitch", pitch_test="tricks_all")
    text = " ".join(line.text for line in lines(nine))
    assert "Deal 9 cards to each player, 3 at a time." in text
    assert "There are 9 tricks in a hand." in text
    assert "promises all the tricks" in text
    assert "six" not in text.lower()


@for_each(
    ("preset", "says"),
    [
        ("setback-21", "Deal 6 cards to each player, 3 at a time."),
        ("setback-21", "nothing above a nine and no twos, you may ask for new cards."),
        ("setback-21", "The player to the dealer's left bids first."),
        ("setback-21", "The bidder names trump and leads any card."),
        ("setback-21", "If you're out of that suit, you may play trump or any other card."),
        ("setback-21", "The highest trump wins the trick, or the highest card of the suit led"),
        ("setback-21", "There are 6 tricks in a hand."),
        ("setback-21", "Low: win the lowest trump in play."),
        ("setback-21", "Jack: win the jack of trump. If nobody was dealt it, nobody scores it."),
        ("bowers-12", "28 cards: the ace, king, queen, jack, ten, nine and two of each suit."),
        ("bowers-12", "Deal 6 cards to each player, 3 at a time."),
        ("bowers-12", "Bury the last 4 cards face down."),
        ("bowers-12", "The bidder names trump and leads any card."),
        ("bowers-12", "you may play trump any time."),
        ("setback-7", "Deal 6 cards to each player, 3 at a time."),
        ("setback-7", "High: win the highest trump in play."),
        ("setback-7", "Low: win the lowest trump in play."),
        ("setback-7", "Jack: win the jack of trump."),
        ("setback-7", "The bidder leads first, and the suit of that card is trump."),
        ("setback-7", "you may play trump any time."),
        ("setback-7-pitch", "In the published rules, a pitch promises four tricks, not all the points."),
        ("pitch-11", "Deal 6 cards to each player."),
        ("pitch-11", "The bidder leads first, and the suit of that card is trump."),
        ("pitch-11", "you may play trump any time."),
        ("pitch-11", "Jack: win the jack of trump."),
        ("somerset-66", "Deal 16 cards to each of three players, 12 to each of four, or 8 to each of six,"),
        ("somerset-66", "The winner of that first trick also takes the cards in the middle."),
        ("somerset-66", "S/S is worth 3 points and is always the lowest trump."),
        ("somerset-66", "When 0/0 is played, the highest double in the trick wins it,"),
    ],
)
def test_the_published_rules_stand_on_the_card(preset: str, says: str) -> None:
    """The card also has the published rules that don't affect the score, so that players can look them up."""
    assert says in " ".join(line.text for line in lines(PRESETS[preset]))


def test_a_tie_that_the_minimum_rules_out_is_not_explained() -> None:
    text = " ".join(line.text for section in rule_card(PRESETS["bowers-12"]).sections for line in section.lines)
    assert "It takes at least 41" in text
    assert "Tie for Game" not in text


@pytest.mark.parametrize(
    ("preset", "options"),
    [("pedro-62", {}), ("cinch-51", {}), ("ten-point-52", {"points": ["high", "low", "jack", "game"]})],
)
def test_six_cards_hold_every_trump_that_scores(preset: str, options: dict[str, Any]) -> None:
    """If at most six trumps score, the card doesn't say what happens when a player holds more than six of them."""
    card = rule_card(with_options(PRESETS[preset], options))
    assert not [line for section in card.sections for line in section.lines if "of your trumps score" in line.text]


def test_the_card_says_how_games_usually_go(client: Phone) -> None:
    """The facts are those of the players of a game, or of the usual number of players; a rare game has none."""
    page = client.see("/rules/setback-21")
    facts = words(page.one("details", class_="facts"))
    assert re.search(r"Bids that are made: 2 \(8\d%\), 3 \(7\d%\), 4 \(6\d%\)\.", facts)
    assert "Somebody scores the jack in " in facts
    assert "Game is tied in " in facts
    assert "A game takes about 1" in facts
    assert "The side that deals first wins 50% of games." in facts
    assert "hands with 4 players, dealt at random" in facts
    board = start(client, ("Ann", "Bob"), preset="setback-7", seating="2")
    assert "hands with 2 players" in words(client.see(f"{board.path}/rules").one("details", class_="facts"))
    assert not client.see("/rules/all-fours-14").all("details", class_="facts")
