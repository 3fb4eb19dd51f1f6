"""Every option of the rules, described once, in its entry of `Options`.

The form field, the house rule in words, the line of the rule card, the check of a stored value, and the value that a
phone takes where an older state lacks the option are all made from the entry. Only the effect is coded elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, NamedTuple

from scorekeeper.rules.parts import Parts
from scorekeeper.rules.phrase import Phrase

MOST_POINTS = 1_000_000
"""Far above any real score; keeps numbers in range wherever they are stored or drawn."""


class Group(NamedTuple):
    """Options that are asked under one heading; groups are asked in order of `place`."""

    place: int
    heading: Phrase


class Switch(NamedTuple):
    """How an option that real tables often change is asked, at the head of the form, in order of `place`."""

    place: int
    label: Phrase
    values: Mapping[Any, str]
    """The values to choose from, with the text on each button."""


WINNING = Group(1, Phrase("Winning"))
BIDS = Group(2, Phrase("Bidding"))
STUCK = Group(3, Phrase("Bidding"))
CALLS = Group(4, Phrase("Bidding"))
SETS = Group(5, Phrase("Points"))
OWNERS = Group(6, Phrase("Points"))
PLAY = Group(7, Phrase("Play"))

NEEDED, THE_DEAL, BIDDING, THE_PLAY = Phrase("What you need"), Phrase("Deal"), Phrase("Bidding"), Phrase("Play")
POINTS, SCORING, THE_END = Phrase("Points"), Phrase("Scoring"), Phrase("Winning")
"""Sections of the rule card."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """The description of an option, in players' words; its effect aside.

    `line` states a value as a house rule: one sentence for each value, or a template with `{}` for the value; `off` is
    the sentence for 0 or None. `values` are the choices with their words, or `numbers` the range, both ends included;
    with `nullable`, None is allowed too. `card` is a sentence at the end of `section` of the rule card: one for each
    value, or a template with `%(value)s` for any value but the default. Without it, other sentences of the card
    cover the option.
    """

    group: Group
    label: Phrase
    help: str = ""
    line: str | Mapping[Any, Phrase] = "{}."
    values: Mapping[Any, Phrase] = field(default_factory=dict)
    numbers: tuple[int, int] = (0, 0)
    nullable: bool = False
    off: Phrase | None = None
    common: Switch | None = None
    """How it is asked at the head of the form, if it is one of the rules that tables change most."""
    section: Phrase | None = None
    card: Mapping[Any, Phrase] | Phrase | None = None
    game: Callable[[Options], bool] = lambda rules: True
    """Whether a game of this kind can have the option at all; the form of any other game leaves it out."""
    needs: Callable[[Options], bool] = lambda rules: True
    """Whether the option has an effect beside the other options."""
    idle: Phrase | None = None
    """Why it has no effect where `game` or `needs` is false; it must then have its default."""
    default: Any = None
    """The neutral value: of a ruleset that doesn't name the option, and of a phone's state from before it existed."""

    def allows(self, value: Any) -> bool:
        """Return whether the option can have this value, of exactly the right type."""
        if self.values:
            return any(value is choice or (isinstance(value, str) and value == choice) for choice in self.values)
        low, high = self.numbers
        return (value is None and self.nullable) or (type(value) is int and low <= value <= high)


def option(*args: Any, **more: Any) -> Mapping[str, HouseRule]:
    """Return the description of a field of `Options`, as its metadata."""
    return {"option": HouseRule(*args, **more)}


def _matches(rules: Options) -> bool:
    """Return whether the dealer, bidding last, may win the bid by matching it (RULES 2, 5)."""
    return rules.dealer_privilege == "match" and rules.auction == "once_around"


_YES_NO = {True: Phrase("yes"), False: Phrase("no")}
_NO_GAME_POINT = Phrase("this game has no Game point")
_ANY = (1, MOST_POINTS)
_BIDS = (1, 28)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Parts):
    """A game with its options, in the order in which records write them."""

    low: str = field(
        default="captured",
        metadata=option(
            OWNERS,
            Phrase("Low goes to"),
            values={"captured": Phrase("the player who wins it"), "dealt": Phrase("the player who was dealt it")},
            line={
                "captured": Phrase("Low goes to the player who wins it."),
                "dealt": Phrase("Low goes to the player who was dealt it."),
            },
            common=Switch(
                2, Phrase("Low goes to the player who was dealt it"), {"captured": Phrase("No"), "dealt": Phrase("Yes")}
            ),
            game=lambda rules: rules.counts("low"),
            idle=Phrase("this game has no Low"),
        ),
    )
    game_minimum: int = field(
        default=0,
        metadata=option(
            OWNERS,
            Phrase("Card points needed for Game"),
            Phrase("Enter 0 if the most card points always win Game."),
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
            Phrase("A tie for Game goes to"),
            values={"nobody": Phrase("nobody"), "bidder": Phrase("the bidder"), "defenders": Phrase("the defenders")},
            line={
                "nobody": Phrase("A tie for Game goes to nobody."),
                "bidder": Phrase("A tie for Game goes to the bidder."),
                "defenders": Phrase("A tie for Game goes to the defenders."),
            },
            game=lambda rules: rules.counts("game"),
            idle=_NO_GAME_POINT,
        ),
    )
    trump_jack_counts: bool = field(
        default=True,
        metadata=option(
            OWNERS,
            Phrase("Jack of trump counts toward Game"),
            values=_YES_NO,
            line={
                True: Phrase("The jack of trump counts toward Game."),
                False: Phrase("The jack of trump doesn’t count toward Game."),
            },
            game=lambda rules: rules.counts("game"),
            idle=_NO_GAME_POINT,
        ),
    )
    bid_min: int = field(
        metadata=option(
            BIDS, Phrase("Lowest bid allowed"), line=Phrase("The lowest bid allowed is {}."), numbers=_BIDS
        ),
    )
    bid_max: int | None = field(
        metadata=option(
            BIDS,
            Phrase("Highest bid allowed"),
            line=Phrase("The highest bid allowed is {}."),
            numbers=_BIDS,
            nullable=True,
            off=Phrase("The highest bid allowed is all the points in the hand."),
            game=lambda rules: rules.bid_max is not None,
        ),
    )
    """None: the points of a hand, which depend on the number of players."""
    auction: str = field(
        default="once_around",
        metadata=option(
            CALLS,
            Phrase("Bidding goes"),
            values={"once_around": Phrase("once around"), "until_passed": Phrase("around until all but one pass")},
            line={
                "once_around": Phrase("The bidding goes around once."),
                "until_passed": Phrase("The bidding goes around until all but one have passed."),
            },
        ),
    )
    stop_at_max: bool = field(
        default=True,
        metadata=option(
            CALLS,
            Phrase("The highest bid allowed ends the bidding"),
            values=_YES_NO,
            line={
                True: Phrase("The highest bid allowed ends the bidding."),
                False: Phrase("The highest bid allowed doesn’t end the bidding."),
            },
        ),
    )
    dealer_privilege: str = field(
        default="none",
        metadata=option(
            CALLS,
            Phrase("Dealer may match the high bid"),
            values={"none": Phrase("no"), "match": Phrase("yes")},
            line={
                "none": Phrase("The dealer may not match the high bid."),
                "match": Phrase("The dealer may match the high bid."),
            },
            common=Switch(1, Phrase("Dealer may match the high bid"), {"none": Phrase("No"), "match": Phrase("Yes")}),
            needs=lambda rules: rules.auction == "once_around",
            idle=Phrase("when bidding goes around more than once, the dealer isn’t always last"),
        ),
    )
    dealer_may_match_max: bool = field(
        default=False,
        metadata=option(
            CALLS,
            Phrase("Dealer may match even the highest bid allowed"),
            values=_YES_NO,
            line={
                True: Phrase("The dealer may match even the highest bid allowed."),
                False: Phrase("The dealer may not match the highest bid allowed."),
            },
            needs=_matches,
            idle=Phrase("the dealer may not match any bid"),
        ),
    )
    dealer_may_raise: bool = field(
        default=True,
        metadata=option(
            CALLS,
            Phrase("Dealer may raise the high bid"),
            values=_YES_NO,
            line={
                True: Phrase("The dealer may raise the high bid."),
                False: Phrase("The dealer may not raise the high bid."),
            },
            needs=_matches,
            idle=Phrase("a dealer who may not match a bid must be able to raise it"),
        ),
    )
    forced_bid: int | None = field(
        default=None,
        metadata=option(
            STUCK,
            Phrase("Dealer stuck with"),
            Phrase("What the dealer must bid if everyone else passes. Leave blank to throw in the hand."),
            Phrase("The dealer is stuck with {} if everyone else passes."),
            numbers=_BIDS,
            nullable=True,
            off=Phrase("If everyone passes, the hand is thrown in."),
        ),
    )
    forced_bid_exact: bool | None = field(
        default=None,
        metadata=option(
            STUCK,
            Phrase("A dealer who must bid"),
            values={
                None: Phrase("may bid more if “Dealer may raise the high bid” is on"),
                True: Phrase("must bid exactly the minimum"),
                False: Phrase("may always bid more"),
            },
            line={
                None: Phrase("A dealer who must bid may bid more only if the rules let the dealer raise."),
                True: Phrase("A dealer who must bid bids exactly the minimum."),
                False: Phrase("A dealer who must bid may bid more."),
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
            Phrase("Special bid"),
            Phrase("A bid above all others that can win the game at once."),
            values={"none": Phrase("none"), "pitch": Phrase("pitch"), "moon": Phrase("moon")},
            line={
                "none": Phrase("There is no pitch or moon."),
                "pitch": Phrase("You may bid a pitch."),
                "moon": Phrase("You may bid a moon."),
            },
            game=lambda rules: bool(rules.categories),
            idle=Phrase("this game has no pitch or moon"),
        ),
    )
    pitch_test: str = field(
        default="points",
        metadata=option(
            CALLS,
            Phrase("To make a pitch, you must take"),
            line=Phrase("To make a pitch, you must take {}."),
            values={
                "points": Phrase("all the points in the hand"),
                "tricks": Phrase("four tricks"),
                "tricks_all": Phrase("all the tricks"),
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
            line=Phrase("A set costs {}."),
            values={"bid": Phrase("the bid"), "double_shortfall": Phrase("double the points you were short")},
        ),
    )
    target: int = field(
        metadata=option(WINNING, Phrase("Play to"), line=Phrase("Played to {}."), numbers=_ANY),
    )
    finish: str = field(
        metadata=option(
            WINNING,
            Phrase("How to win"),
            values={
                "bid_out": Phrase("bid to go out"),
                "bidder_first": Phrase("bidder goes out first"),
                "highest": Phrase("high score wins"),
                "fixed_hands": Phrase("high score after a fixed number of hands"),
            },
            line={
                "bid_out": Phrase("You must bid to go out."),
                "bidder_first": Phrase("The bidder goes out first, then the high score."),
                "highest": Phrase("High score wins, bidder or not."),
                "fixed_hands": Phrase("High score wins after a fixed number of hands."),
            },
        ),
    )
    win_by: int = field(
        default=1,
        metadata=option(
            WINNING,
            Phrase("Win by"),
            line=Phrase("Win by {}."),
            numbers=_ANY,
            common=Switch(6, Phrase("Win by"), {1: "1", 2: "2", 3: "3"}),
            needs=lambda rules: rules.finish in ("highest", "bid_out"),
            idle=Phrase("this way of winning doesn’t need a lead"),
        ),
    )
    go_out: str = field(
        default="make",
        metadata=option(
            WINNING,
            Phrase("To go out"),
            values={
                "make": Phrase("you must make your bid"),
                "take": Phrase("you must be the bidder; you don’t have to make your bid"),
            },
            line={
                "make": Phrase("To go out, you must make your bid."),
                "take": Phrase("To go out, you must be the bidder; you don’t have to make your bid."),
            },
            needs=lambda rules: rules.finish == "bid_out",
            idle=Phrase("nobody has to bid to go out here"),
        ),
    )
    tie: str = field(
        default="play_on",
        metadata=option(
            WINNING,
            Phrase("Ties at the end"),
            values={
                "play_on": Phrase("play on"),
                "bidder": Phrase("the bidder wins"),
                "one_more_hand": Phrase("play one more hand"),
            },
            line={
                "play_on": Phrase("Tied at the end: play on."),
                "bidder": Phrase("Tied at the end: the bidder wins."),
                "one_more_hand": Phrase("Tied at the end: play one more hand."),
            },
            needs=lambda rules: rules.finish == "highest",
            idle=Phrase("this way of winning settles ties itself"),
        ),
    )
    tie_break_round: str = field(
        default="decides",
        metadata=option(
            WINNING,
            Phrase("After the extra hand"),
            values={"decides": Phrase("high score wins"), "threshold": Phrase("you must still reach the target")},
            line={
                "decides": Phrase("After the extra hand, high score wins."),
                "threshold": Phrase("After the extra hand, you must still reach the target."),
            },
            needs=lambda rules: rules.finish == "highest" and rules.tie == "one_more_hand",
            idle=Phrase("no tie-break hand is played here"),
        ),
    )
    negative: str = field(
        default="allowed",
        metadata=option(
            SETS,
            Phrase("Scores below zero"),
            values={"allowed": Phrase("yes"), "floor_zero": Phrase("no")},
            line={
                "allowed": Phrase("Scores can go below zero."),
                "floor_zero": Phrase("A set can’t take you below zero."),
            },
        ),
    )
    no_trump: bool = field(
        default=False,
        metadata=option(
            CALLS,
            Phrase("Bidder may play with no trump"),
            values=_YES_NO,
            line={
                True: Phrase("The bidder may play with no trump."),
                False: Phrase("Playing with no trump isn’t allowed."),
            },
            game=lambda rules: bool(rules.hand_totals),
            idle=Phrase("every hand of this game has a trump suit"),
        ),
    )
    hands_limit: int | None = field(
        default=None,
        metadata=option(
            WINNING,
            Phrase("Number of hands"),
            Phrase("Only used when the game ends after a fixed number of hands."),
            Phrase("Number of hands: {}."),
            numbers=_ANY,
            nullable=True,
            off=Phrase("No limit on hands."),
            needs=lambda rules: rules.finish == "fixed_hands",
            idle=Phrase("the game doesn’t end after a fixed number of hands"),
        ),
    )
    max_sets: int | None = field(
        default=None,
        metadata=option(
            WINNING,
            Phrase("Lose the game after this many sets"),
            Phrase("Only in games with two sides. Leave blank for no limit."),
            Phrase("Lose the game after this many sets: {}."),
            numbers=_ANY,
            nullable=True,
            off=Phrase("No limit on sets."),
            section=THE_END,
            card=Phrase("Lose the game after this many sets: %(value)s."),
        ),
    )
    redeal_by: str = field(
        default="next",
        metadata=option(
            STUCK,
            Phrase("After a thrown-in hand"),
            values={"next": Phrase("the next player deals"), "same": Phrase("the same dealer deals again")},
            line={
                "next": Phrase("After a thrown-in hand, the next player deals."),
                "same": Phrase("After a thrown-in hand, the same dealer deals again."),
            },
            needs=lambda rules: rules.forced_bid is None,
            idle=Phrase("the dealer must bid if everyone else passes, so no hand is ever thrown in"),
        ),
    )
    trump_any_time: bool = field(
        default=False,
        metadata=option(
            PLAY,
            Phrase("Trump any time"),
            Phrase("Even if you could follow suit."),
            values=_YES_NO,
            line={
                True: Phrase("You may play trump any time."),
                False: Phrase("You may play trump only if you’re out of the suit led."),
            },
            common=Switch(5, Phrase("Trump any time"), {False: Phrase("No"), True: Phrase("Yes")}),
        ),
    )
    redeal: str = field(
        default="none",
        metadata=option(
            PLAY,
            Phrase("Coke hand"),
            Phrase("With a hand this poor you may ask for new cards."),
            values={
                "none": Phrase("none"),
                "ten_or_two": Phrase("nothing above a nine, no twos"),
                "ten": Phrase("nothing above a nine, twos allowed"),
            },
            line={
                "none": Phrase("No coke hand."),
                "ten_or_two": Phrase("Coke hand: nothing above a nine, and no twos."),
                "ten": Phrase("Coke hand: nothing above a nine (twos allowed)."),
            },
            common=Switch(
                3,
                Phrase("Coke hand"),
                {
                    "none": Phrase("No"),
                    "ten_or_two": Phrase("Nothing above a nine, no twos"),
                    "ten": Phrase("Nothing above a nine, twos allowed"),
                },
            ),
        ),
    )
    draw: bool = field(
        default=False,
        metadata=option(
            PLAY,
            Phrase("Draw"),
            Phrase("After the deal, swap up to 4 cards, or up to 5 if you hold an ace."),
            values=_YES_NO,
            line={
                True: Phrase("Draw: after the deal, swap up to 4 cards, or up to 5 if you hold an ace."),
                False: Phrase("No draw."),
            },
            common=Switch(4, Phrase("Draw"), {False: Phrase("No"), True: Phrase("Yes")}),
            section=THE_DEAL,
            card=Phrase(
                "Draw: after the deal you may swap up to 4 cards, or up to 5 if you hold an ace. You don’t have to "
                "show the ace, but you must be able to point it out after the hand if asked."
            ),
        ),
    )

    @property
    def dealer_matches(self) -> bool:
        """Return whether the dealer, bidding last, may win the bid by matching it (RULES 2, 5)."""
        return _matches(self)


OPTIONS: Mapping[str, HouseRule] = {
    each.name: replace(each.metadata["option"], default=None if each.default is MISSING else each.default)
    for each in fields(Options)
    if "option" in each.metadata
}
"""Every option by its key, in the order in which records write them."""
