"""Every option of the rules, described once: an entry of `Options` is all that is said of one.

A form, a house rule in words, a line of the rule card, a check of what is stored, what a phone assumes where an older
state lacks the option: all are made from its entry. What an option does stands where the rules ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, NamedTuple

from scorekeeper.rules.parts import Parts
from scorekeeper.rules.phrase import Phrase

MOST_POINTS = 1_000_000
"""Far above any score at a table: keeps numbers in range wherever they are stored or drawn."""


class Group(NamedTuple):
    """Options that are asked for together, and the heading they stand under; groups are asked in order of `place`."""

    place: int
    heading: Phrase


WINNING = Group(1, Phrase("Winning"))
BIDS = Group(2, Phrase("Bidding"))
STUCK = Group(3, Phrase("Bidding"))
CALLS = Group(4, Phrase("Bidding"))
SETS = Group(5, Phrase("Points"))
OWNERS = Group(6, Phrase("Points"))
PLAY = Group(7, Phrase("At the table only"))

THE_DEAL, BIDDING, THE_PLAY = Phrase("The deal"), Phrase("Bidding"), Phrase("Play")
POINTS, SCORING, THE_END = Phrase("Points"), Phrase("Scoring"), Phrase("The end")
"""Sections of the rule card."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """What there is to know of an option, in players' words; its effect aside.

    `line` says a value that differs from the usual one, `{}` for the value's words, and `off` says it where the option
    is turned off. `values` are the choices with their words, or `numbers` the range, both ends included; `nullable`
    numbers can be None too. `card` is a sentence at the end of `section` of the rule card: one for each value, or one
    with `%(value)s`, said of any value but the default. Without it, the card's own sentences speak of the option.
    """

    group: Group
    label: Phrase
    help: Phrase
    line: str = "{}."
    values: Mapping[Any, Phrase] = field(default_factory=dict)
    numbers: tuple[int, int] = (0, 0)
    nullable: bool = False
    off: Phrase | None = None
    section: Phrase | None = None
    card: Mapping[Any, Phrase] | Phrase | None = None
    game: Callable[[Options], bool] = lambda rules: True
    """Whether a game of this kind can have it at all: elsewhere nobody is asked."""
    needs: Callable[[Options], bool] = lambda rules: True
    """Whether the other options leave it an effect."""
    idle: Phrase | None = None
    """Why it has no effect where `game` or `needs` says so; it must then have its default."""
    default: Any = None
    """The neutral value: what a ruleset has that does not name the option, and a phone's state from before it."""

    def allows(self, value: Any) -> bool:
        """Return whether the option can have this value, of the type that it has."""
        if self.values:
            return any(value is choice or (isinstance(value, str) and value == choice) for choice in self.values)
        low, high = self.numbers
        return (value is None and self.nullable) or (type(value) is int and low <= value <= high)


def option(*args: Any, **more: Any) -> Mapping[str, HouseRule]:
    """Return the description of a field of `Options`, as its metadata."""
    return {"option": HouseRule(*args, **more)}


def _matches(rules: Options) -> bool:
    """Whether the dealer, calling last, may take the bid at its own number (RULES 2, 5)."""
    return rules.dealer_privilege == "match" and rules.auction == "once_around"


_YES_NO = {True: Phrase("yes"), False: Phrase("no")}
_NO_GAME_POINT = Phrase("there is no Game point in this game")
_ANY = (1, MOST_POINTS)
_BIDS = (1, 28)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Parts):
    """A game with its options, in the order in which records write them."""

    low: str = field(
        default="captured",
        metadata=option(
            OWNERS,
            Phrase("Low belongs to"),
            Phrase("Who gets the point for the lowest trump."),
            Phrase("Low belongs to {}."),
            {"captured": Phrase("whoever takes it"), "dealt": Phrase("whoever was dealt it")},
            game=lambda rules: rules.counts("low"),
            idle=Phrase("there is no Low in this game"),
        ),
    )
    game_minimum: int = field(
        default=0,
        metadata=option(
            OWNERS,
            Phrase("Game needs"),
            Phrase("Card points needed for the Game point; 0: most is enough."),
            Phrase("Game needs {} card points."),
            numbers=(0, 80),
            off=Phrase("The most card points win Game, with no minimum."),
            game=lambda rules: rules.counts("game"),
            idle=_NO_GAME_POINT,
        ),
    )
    game_tie: str = field(
        default="nobody",
        metadata=option(
            OWNERS,
            Phrase("Game tied"),
            Phrase("Who gets the Game point when card points are tied."),
            Phrase("A tied Game goes to {}."),
            {"nobody": Phrase("nobody"), "bidder": Phrase("the bidder"), "defenders": Phrase("the defenders")},
            section=POINTS,
            card={
                "nobody": Phrase("If card points are tied, nobody scores Game."),
                "bidder": Phrase(
                    "If card points are tied, even at 0 to 0, Game goes to the bidder, "
                    "if the bidder is one of those tied."
                ),
                "defenders": Phrase("If card points are tied, even at 0 to 0, Game goes to the defenders."),
            },
            game=lambda rules: rules.counts("game"),
            idle=_NO_GAME_POINT,
        ),
    )
    trump_jack_counts: bool = field(
        default=True,
        metadata=option(
            OWNERS,
            Phrase("Trump jack counts for Game"),
            Phrase("Whether the jack of trump is 1 card point."),
            Phrase("The jack of trump counts for Game: {}."),
            _YES_NO,
            game=lambda rules: rules.counts("game"),
            idle=_NO_GAME_POINT,
        ),
    )
    bid_min: int = field(
        metadata=option(
            BIDS,
            Phrase("Lowest bid"),
            Phrase("The least that can be bid."),
            Phrase("The lowest bid is {}."),
            numbers=_BIDS,
        ),
    )
    bid_max: int | None = field(
        metadata=option(
            BIDS,
            Phrase("Highest bid"),
            Phrase("The most that can be bid."),
            Phrase("The highest bid is {}."),
            numbers=_BIDS,
            nullable=True,
            game=lambda rules: rules.bid_max is not None,
        ),
    )
    """None: the points of a hand, which depend on the number of players."""
    auction: str = field(
        default="once_around",
        metadata=option(
            CALLS,
            Phrase("The bidding goes"),
            Phrase("Whether a player may bid more than once."),
            Phrase("The bidding goes {}."),
            {"once_around": Phrase("once around"), "until_passed": Phrase("round and round until all others pass")},
        ),
    )
    stop_at_max: bool = field(
        default=True,
        metadata=option(
            CALLS,
            Phrase("The highest bid ends it"),
            Phrase("Whether the highest bid ends the bidding at once."),
            Phrase("The highest bid ends the bidding: {}."),
            _YES_NO,
        ),
    )
    dealer_privilege: str = field(
        default="none",
        metadata=option(
            CALLS,
            Phrase("Dealer may match"),
            Phrase("Whether the dealer may take the bid without bidding more."),
            values={
                "none": Phrase("The dealer must bid more to take the bid"),
                "match": Phrase("The dealer may take the bid by matching it"),
            },
            needs=lambda rules: rules.auction == "once_around",
            idle=Phrase("the dealer has no last call when the bidding goes round until all pass"),
        ),
    )
    dealer_may_match_max: bool = field(
        default=False,
        metadata=option(
            CALLS,
            Phrase("Dealer may match the highest"),
            Phrase("Whether the dealer may take even the highest bid."),
            Phrase("The dealer may take the highest bid: {}."),
            _YES_NO,
            needs=_matches,
            idle=Phrase("the dealer may not match a bid at all"),
        ),
    )
    dealer_may_raise: bool = field(
        default=True,
        metadata=option(
            CALLS,
            Phrase("Dealer may raise"),
            Phrase("Whether the dealer may bid more than the others."),
            Phrase("The dealer may raise: {}."),
            _YES_NO,
            needs=_matches,
            idle=Phrase("a dealer who may not match a bid has to be able to raise it"),
        ),
    )
    forced_bid: int | None = field(
        default=None,
        metadata=option(
            STUCK,
            Phrase("Dealer stuck with"),
            Phrase("What the dealer must bid when everyone else passes; empty: the hand is thrown in."),
            Phrase("Everyone else passed: the dealer is stuck with {}."),
            numbers=_BIDS,
            nullable=True,
            off=Phrase("The dealer may pass: then the hand is thrown in."),
        ),
    )
    forced_bid_exact: bool | None = field(
        default=None,
        metadata=option(
            STUCK,
            Phrase("A stuck dealer"),
            Phrase("Whether a dealer who has to bid may bid more than that."),
            values={
                None: Phrase("A stuck dealer bids more only where the dealer may raise"),
                True: Phrase("A stuck dealer bids exactly that"),
                False: Phrase("A stuck dealer may bid more"),
            },
            needs=lambda rules: rules.forced_bid is not None,
            idle=Phrase("the dealer is never forced to bid"),
        ),
    )
    """Whether a forced dealer bids exactly that; None: where the dealer may not raise (RULES 10)."""
    special_bid: str = field(
        default="none",
        metadata=option(
            CALLS,
            Phrase("Above all bids"),
            Phrase("A call for every point, which wins the game at once."),
            values={
                "none": Phrase("No call above the numbers"),
                "pitch": Phrase("A pitch can be called"),
                "moon": Phrase("A moon can be called"),
            },
            game=lambda rules: bool(rules.categories),
            idle=Phrase("this game counts one total, so nobody can take every point by name"),
        ),
    )
    pitch_test: str = field(
        default="points",
        metadata=option(
            CALLS,
            Phrase("A pitch promises"),
            Phrase("What the pitcher must take."),
            Phrase("A pitch promises {}."),
            {
                "points": Phrase("every point of the hand"),
                "tricks": Phrase("four of the six tricks"),
                "tricks_all": Phrase("all six tricks"),
            },
            game=lambda rules: bool(rules.categories),
            needs=lambda rules: rules.special_bid == "pitch",
            idle=Phrase("there is no pitch in this game"),
        ),
    )
    set_penalty: str = field(
        default="bid",
        metadata=option(
            SETS,
            Phrase("A set costs"),
            Phrase("What the bidder loses."),
            Phrase("A set costs {}."),
            {"bid": Phrase("the bid"), "double_shortfall": Phrase("twice what was missing")},
        ),
    )
    target: int = field(
        metadata=option(
            WINNING, Phrase("Play to"), Phrase("The score that can win."), Phrase("Played to {}."), numbers=_ANY
        ),
    )
    finish: str = field(
        metadata=option(
            WINNING,
            Phrase("Who goes out"),
            Phrase("What it takes to win once somebody has the points."),
            values={
                "bid_out": Phrase("You must bid to go out"),
                "bidder_first": Phrase("The bidder goes out first, then the highest"),
                "highest": Phrase("The highest wins, bidder or not"),
                "fixed_hands": Phrase("The highest after a number of hands"),
            },
        ),
    )
    win_by: int = field(
        default=1,
        metadata=option(
            WINNING,
            Phrase("Win by"),
            Phrase("How far ahead the winner must be."),
            Phrase("Win by {}."),
            numbers=_ANY,
            needs=lambda rules: rules.finish in ("highest", "bid_out"),
            idle=Phrase("a lead is not asked for by this way of ending the game"),
        ),
    )
    go_out: str = field(
        default="make",
        metadata=option(
            WINNING,
            Phrase("To bid out"),
            Phrase("Whether the bid must also be made."),
            Phrase("To go out, {}."),
            {"make": Phrase("the bid must be made"), "take": Phrase("taking the bid is enough")},
            needs=lambda rules: rules.finish == "bid_out",
            idle=Phrase("nobody has to bid to go out here"),
        ),
    )
    tie: str = field(
        default="play_on",
        metadata=option(
            WINNING,
            Phrase("Tied at the top"),
            Phrase("What happens when two are tied and could win."),
            Phrase("Tied at the top: {}."),
            {
                "play_on": Phrase("play on"),
                "bidder": Phrase("the bidder wins"),
                "one_more_hand": Phrase("one more hand"),
            },
            needs=lambda rules: rules.finish == "highest",
            idle=Phrase("this way of ending the game has its own answer to a tie"),
        ),
    )
    tie_break_round: str = field(
        default="decides",
        metadata=option(
            WINNING,
            Phrase("After the extra hand"),
            Phrase("Who wins the hand that breaks a tie."),
            Phrase("After the extra hand {}."),
            {"decides": Phrase("the highest score wins"), "threshold": Phrase("the target is still needed")},
            needs=lambda rules: rules.finish == "highest" and rules.tie == "one_more_hand",
            idle=Phrase("no tie-break hand is played here"),
        ),
    )
    negative: str = field(
        default="allowed",
        metadata=option(
            SETS,
            Phrase("Below zero"),
            Phrase("Whether a set can take a score below zero."),
            values={
                "allowed": Phrase("Scores go below zero"),
                "floor_zero": Phrase("A set cannot take you below zero"),
            },
        ),
    )
    no_trump: bool = field(
        default=False,
        metadata=option(
            CALLS,
            Phrase("No trump"),
            Phrase("Whether the bidder may play without trump."),
            Phrase("No trump may be named: {}."),
            _YES_NO,
            game=lambda rules: bool(rules.hand_totals),
            idle=Phrase("every hand of this game has a trump suit"),
        ),
    )
    hands_limit: int | None = field(
        default=None,
        metadata=option(
            WINNING,
            Phrase("Number of hands"),
            Phrase("After so many hands the game ends."),
            Phrase("The game ends after {} hands."),
            numbers=_ANY,
            nullable=True,
            needs=lambda rules: rules.finish == "fixed_hands",
            idle=Phrase("the game does not end after a number of hands"),
        ),
    )
    max_sets: int | None = field(
        default=None,
        metadata=option(
            WINNING,
            Phrase("Sets that lose"),
            Phrase("A side set so many times loses at once."),
            Phrase("A side set {} times loses."),
            numbers=_ANY,
            nullable=True,
            section=THE_END,
            card=Phrase("A side that is set %(value)s times loses at once."),
        ),
    )
    redeal_by: str = field(
        default="next",
        metadata=option(
            STUCK,
            Phrase("After a thrown-in hand"),
            Phrase("Who deals when everyone passed."),
            Phrase("After a thrown-in hand {}."),
            {"next": Phrase("the next player deals"), "same": Phrase("the same dealer deals again")},
            needs=lambda rules: rules.forced_bid is None,
            idle=Phrase("the dealer is forced to bid, so no hand is ever thrown in"),
        ),
    )
    trump_any_time: bool = field(
        default=False,
        metadata=option(
            PLAY,
            Phrase("Trump at any time"),
            Phrase("Whether trump may be played when you could follow suit."),
            Phrase("Trump may be played at any time: {}."),
            _YES_NO,
        ),
    )
    redeal: str = field(
        default="none",
        metadata=option(
            PLAY,
            Phrase("Coke hand"),
            Phrase("When a player may ask for a new hand."),
            values={
                "none": Phrase("No new hands"),
                "ten_or_two": Phrase("A new hand without a ten or higher, and without a two"),
                "ten": Phrase("A new hand without a ten or higher"),
            },
        ),
    )
    draw: bool = field(
        default=False,
        metadata=option(
            PLAY,
            Phrase("Draw"),
            Phrase("Whether players may change up to four cards, five with an ace."),
            Phrase("Players may draw new cards: {}."),
            _YES_NO,
            section=THE_DEAL,
            card=Phrase(
                "After the deal each player may discard up to four cards and draw new ones, or up to five with an ace. "
                "The ace stays hidden, but the player must be able to point it out after the hand if asked."
            ),
        ),
    )

    @property
    def dealer_matches(self) -> bool:
        """Return whether the dealer, calling last, may take the bid at its own number (RULES 2, 5)."""
        return _matches(self)


OPTIONS: Mapping[str, HouseRule] = {
    each.name: replace(each.metadata["option"], default=None if each.default is MISSING else each.default)
    for each in fields(Options)
    if "option" in each.metadata
}
"""Every option by its key, in the order in which records write them."""
