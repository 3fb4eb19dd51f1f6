"""The named games, as data: a new game is a new entry here and nothing else.

What a preset means is frozen for the record format `scorekeeper-game/1` (RECORD 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorekeeper.rules.cards import pack_of
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Category, Play, Seating
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


def _alone(*players: int) -> tuple[Seating, ...]:
    return tuple(Seating(count, "alone") for count in players)


_PARTNERS = (Seating(4, "partners"),)

_GAMES: dict[str, Ruleset] = {}
PRESETS: Mapping[str, Ruleset] = _GAMES
"""Every game by its key, in the order in which they are offered."""


def game(rules: Ruleset) -> Ruleset:
    """Return `rules`, which are offered as a game from now on; raises `ValueError` where nobody can play by them."""
    try:
        for key in OPTIONS:
            check_value(key, getattr(rules, key))
        check_combination(rules)
        for seating in rules.seatings:
            set_table(rules, seating.players, sides_of(seating))
    except RuleViolation as violation:
        raise ValueError(f"The game {rules.preset!r} cannot be: {violation}") from None
    pack, most = len(pack_of(rules)), rules.cards_each * max(seating.players for seating in rules.seatings)
    if most > pack:
        raise ValueError(f"The game {rules.preset!r} cannot be: {most} cards are dealt from a pack of {pack}.")
    if rules.preset in _GAMES:
        raise ValueError(f"There are two games with the key {rules.preset!r}.")
    _GAMES[rules.preset] = rules
    return rules


SETBACK_21 = game(
    Ruleset(
        preset="setback-21",
        name=Phrase("Setback"),
        seatings=_PARTNERS + _alone(2, 3, 4, 5, 6, 7),
        categories=FOUR_POINTS,
        play=Play(
            Phrase("Six cards each, three and three."),
            Phrase("The bidder announces trump."),
            Phrase("The bidder leads any card."),
        ),
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
        play=Play(
            Phrase("Six cards each, three and three; four stay face down."),
            Phrase("The bidder names trump."),
            Phrase("The bidder leads any card."),
            Phrase(
                "Right is the jack of trump. Left is the other jack of the same color: a trump, between "
                "the jack and the ten."
            ),
        ),
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
        play=Play(
            Phrase("Six cards each, three and three."),
            Phrase("The first card led sets trump."),
            Phrase("The bidder leads trump."),
        ),
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
        play=Play(
            Phrase("Six cards each."), Phrase("The first card led sets trump."), Phrase("The bidder leads trump.")
        ),
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
                "Three players 16 cards, four 12, six 8, with two in the middle; "
                "five players 10 and none in the middle."
            ),
            Phrase("The bidder names the trump suit."),
            Phrase("The bidder leads a trump. The winner of that trick also takes the two cards in the middle."),
            Phrase(
                "S/S is worth 3 points and is the lowest trump, whatever the suit. 0/0 makes the highest double of its "
                "trick a trump, unless a regular trump is played to it."
            ),
        ),
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
        play=Play(
            Phrase("Six cards each, three and three."),
            Phrase("The first card led sets trump."),
            Phrase("The bidder leads trump."),
        ),
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
        play=Play(
            Phrase("Nine cards each. Once trump is named, everybody discards down to six cards, keeping trumps."),
            Phrase("The bidder names trump."),
            Phrase("The bidder leads trump."),
            follow=Phrase("Only trumps are played. A player who has none left is out of the hand."),
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
        play=Play(Phrase("Six cards each."), Phrase("The bidder names trump."), Phrase("The bidder leads trump.")),
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
    """Return the preset with that key; raises `RuleViolation` where there is none."""
    if not isinstance(key, str):
        raise RuleViolation("preset_unknown", "The preset must be the name of a game.", field="preset")
    if key not in PRESETS:
        raise RuleViolation(
            "preset_unknown", Phrase("There is no game called “%(name)s”.", name=key[:40]), field="preset"
        )
    return PRESETS[key]
