"""The named games, as data: a new game is one new entry here, and no other code.

What a preset means is frozen for the record format `scorekeeper-game/1` (RECORD 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

from scorekeeper.rules.cards import pack_of
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Category, Play, Seating, Topic
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.ruleset import Ruleset, check_combination, check_value
from scorekeeper.rules.table import set_table, sides_of
from scorekeeper.rules.violation import RuleViolation

HIGH = Category("high", Phrase("High"), always=True)
LOW = Category("low", Phrase("Low"), always=True)
JACK = Category("jack", Phrase("Jack"), card="J")
RIGHT = Category("right", Phrase("Right"), card="J")
LEFT = Category("left", Phrase("Left"), card="left")
GAME = Category("game", Phrase("Game"))
OFF_JACK = Category("off_jack", Phrase("Off jack"), card="left")
HIGH_JOKER = Category("high_joker", Phrase("High joker"), card="RJ")
LOW_JOKER = Category("low_joker", Phrase("Low joker"), card="BJ")
THREE = Category("three", Phrase("Three"), value=3, card="3")

FOUR_POINTS = (HIGH, LOW, JACK, GAME)
STANDARD = "23456789TJQKA"


def _alone(*players: int) -> tuple[Seating, ...]:
    return tuple(Seating(count, "alone") for count in players)


_PARTNERS = (Seating(4, "partners"),)

_GAMES: dict[str, Ruleset] = {}
PRESETS: Mapping[str, Ruleset] = _GAMES
"""Every game by its key, in the order in which they are offered."""


NAMED = Play(Phrase("The bidder names trump and leads any card."), batch=3)
TRUMP_FIRST = Phrase("The bidder names trump and leads a trump.")
TWO_JOKERS = Phrase("A standard 52-card deck and two jokers, one high and one low.")
LED = Play(Phrase("The bidder leads first, and the suit of that card is trump."), batch=3)


def game(rules: Ruleset) -> Ruleset:
    """Offer `rules` as a game from now on, and return them.

    Raises `ValueError`, with a sentence that says why, for rules that nobody can play by or that the rule card could
    not explain.
    """
    try:
        for key in OPTIONS:
            check_value(key, getattr(rules, key))
        check_combination(rules)
        for seating in rules.seatings:
            set_table(rules, seating.players, sides_of(seating))
    except RuleViolation as violation:
        raise ValueError(f"The game {rules.preset!r} can't be played: {violation}") from None
    reason = _unplayable(rules)
    if reason:
        raise ValueError(f"The game {rules.preset!r} can't be played: {reason}")
    _GAMES[rules.preset] = rules
    return rules


def _unplayable(rules: Ruleset) -> str:
    """Return what is wrong with the cards, the texts or the key of a game; empty where nothing is."""
    pack, dealt = len(pack_of(rules)), rules.cards_each * max(seating.players for seating in rules.seatings)
    if dealt > pack:
        return f"{dealt} cards are dealt from a pack of {pack}."
    if rules.play.batch and rules.cards_each % rules.play.batch:
        return f"{rules.cards_each} cards can't be dealt {rules.play.batch} at a time: change `batch` in its `play`."
    if not rules.cards_each and not rules.play.deal:
        return "say in `play.deal` how the cards are dealt."
    if not rules.play.pack and (rules.ranks != STANDARD or rules.jokers):
        return "say in `play.pack` which cards are needed."
    unknown = rules.decided - set(get_args(Topic))
    if unknown:
        return f"`decided` names no line of the rule card: {', '.join(sorted(unknown))}."
    return f"there are two games with the key {rules.preset!r}." if rules.preset in _GAMES else ""


SETBACK_21 = game(
    Ruleset(
        preset="setback-21",
        name=Phrase("Setback"),
        seatings=_PARTNERS + _alone(2, 3, 4, 5, 6, 7),
        categories=FOUR_POINTS,
        play=NAMED,
        decided=frozenset(("deal_passes", "all_pass", "low")),
        bid_min=2,
        bid_max=4,
        forced_bid=2,
        target=21,
        finish="bid_out",
        win_by=2,
        redeal="ten_or_two",
    )
)

BOWERS_12 = game(
    Ruleset(
        preset="bowers-12",
        name=Phrase("Setback with bowers"),
        seatings=_PARTNERS,
        categories=(HIGH, LOW, RIGHT, LEFT, GAME),
        ranks="29TJQKA",
        play=replace(
            NAMED,
            pack=Phrase("28 cards: the ace, king, queen, jack, ten, nine and two of each suit."),
            after_deal=Phrase("Bury the last 4 cards face down. They’re out of play."),
            cards=Phrase("The other jack of the same color is a trump too. It ranks between the jack and the ten."),
        ),
        decided=frozenset(("deal_passes", "bids", "all_pass", "low", "winning", "ties")),
        game_minimum=41,
        bid_min=1,
        bid_max=5,
        auction="until_passed",
        target=12,
        finish="bidder_first",
        trump_any_time=True,
    )
)

SETBACK_7 = game(
    Ruleset(
        preset="setback-7",
        name=Phrase("Setback to 7"),
        seatings=_alone(2, 3, 4, 5, 6, 7),
        categories=FOUR_POINTS,
        play=LED,
        decided=frozenset(("higher", "all_pass", "special_bid", "pitch_fails", "winning", "ties")),
        trump_jack_counts=False,
        bid_min=1,
        bid_max=4,
        stop_at_max=False,
        target=7,
        finish="bidder_first",
        trump_any_time=True,
    )
)

game(replace(SETBACK_7, preset="setback-7-pitch", name=Phrase("Setback to 7 with a pitch"), special_bid="pitch"))

PITCH_11 = game(
    Ruleset(
        preset="pitch-11",
        name=Phrase("Pitch"),
        seatings=_alone(3) + _PARTNERS,
        categories=FOUR_POINTS,
        play=replace(LED, batch=0),
        bid_min=2,
        bid_max=4,
        stop_at_max=False,
        dealer_privilege="match",
        dealer_may_match_max=True,
        dealer_may_raise=False,
        forced_bid=2,
        target=11,
        finish="bidder_first",
        trump_any_time=True,
    )
)

SOMERSET_66 = game(
    Ruleset(
        preset="somerset-66",
        name=Phrase("Some'R'Set"),
        seatings=(Seating(3, "alone"), Seating(4, "partners"), Seating(5, "called"), Seating(6, "partners")),
        cards_each=0,
        hand_totals=((3, 28), (4, 24), (5, 22), (6, 20)),
        ranks="",
        play=Play(
            Phrase(
                "The bidder names trump and leads a trump. The winner of that first trick also takes the cards in the "
                "middle."
            ),
            pack=Phrase("The Some'R'Set deck has 50 cards: 49 in seven suits, and the S/S card."),
            deal=Phrase(
                "Deal 16 cards to each of three players, 12 to each of four, or 8 to each of six, and 2 to the middle. "
                "With five players, deal 10 to each and none to the middle."
            ),
            cards=Phrase(
                "S/S is worth 3 points and is always the lowest trump. A double is a card with the same number "
                "twice, such as 12/12 or 0/0. When 0/0 is played, the highest double in the trick wins it, unless "
                "someone plays a trump."
            ),
        ),
        decided=frozenset(("deal_passes", "bids", "auction", "all_pass", "plays_alone")),
        bid_min=1,
        bid_max=None,
        auction="until_passed",
        set_penalty="double_shortfall",
        target=66,
        finish="highest",
        tie="one_more_hand",
        no_trump=True,
    )
)

HORSLEY_66 = game(
    replace(
        SOMERSET_66, preset="horsley-66", name=Phrase("Some'R'Set, Horsley Rules"), set_penalty="bid", no_trump=False
    )
)

AUCTION_PITCH_7 = game(
    Ruleset(
        preset="auction-pitch-7",
        name=Phrase("Auction Pitch"),
        seatings=_alone(2, 3, 4, 5, 6, 7),
        categories=FOUR_POINTS,
        play=LED,
        low="dealt",
        bid_min=2,
        bid_max=4,
        stop_at_max=False,
        dealer_privilege="match",
        target=7,
        finish="bidder_first",
        trump_any_time=True,
    )
)

TEN_POINT_52 = game(
    Ruleset(
        preset="ten-point-52",
        name=Phrase("Ten-point Pitch"),
        seatings=_PARTNERS,
        categories=(
            Category("ace", Phrase("Ace"), always=True, card="A"),
            replace(JACK, always=True),
            replace(OFF_JACK, always=True),
            replace(HIGH_JOKER, always=True),
            replace(LOW_JOKER, always=True),
            Category("ten", Phrase("Ten"), always=True, card="T"),
            Category("two", Phrase("Two"), always=True, card="2", dealt=True),
            replace(THREE, always=True),
        ),
        jokers=True,
        cards_each=9,
        discard_to=6,
        play=Play(
            TRUMP_FIRST,
            pack=TWO_JOKERS,
            after_deal=Phrase("Once trump is named, everyone discards down to 6 cards and keeps their trumps."),
            trumps_only=True,
        ),
        bid_min=4,
        bid_max=10,
        stop_at_max=False,
        forced_bid=4,
        special_bid="moon",
        target=52,
        finish="bidder_first",
    )
)

SMEAR_52 = game(
    Ruleset(
        preset="smear-52",
        name=Phrase("Smear"),
        seatings=_PARTNERS,
        categories=(HIGH, LOW, JACK, OFF_JACK, HIGH_JOKER, LOW_JOKER, GAME, THREE),
        jokers=True,
        play=Play(TRUMP_FIRST, pack=TWO_JOKERS),
        low="dealt",
        bid_min=2,
        bid_max=10,
        stop_at_max=False,
        target=52,
        finish="highest",
        tie="bidder",
    )
)


def preset_named(key: object) -> Ruleset:
    """Return the preset with that key. Raises `RuleViolation` if no preset has it."""
    if not isinstance(key, str):
        raise RuleViolation("preset_unknown", "Name a game by its key, such as “setback-21”.", field="preset")
    if key not in PRESETS:
        raise RuleViolation(
            "preset_unknown", Phrase("There is no game named “%(name)s”.", name=key[:40]), field="preset"
        )
    return PRESETS[key]
