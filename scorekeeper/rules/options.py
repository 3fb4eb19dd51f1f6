"""All options of the rules. Each option is described once, by the `HouseRule` in its field of `Options`.

The app uses that description for the form field, the house rule in words, the line of the rule card, and the check of a
stored value. The description also has the value for a phone whose older state lacks the option. Only the effect of the
option is coded elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, NamedTuple

from scorekeeper.rules.parts import POINTS as CATEGORIES
from scorekeeper.rules.parts import SLAM, Category, Parts, chosen_points
from scorekeeper.rules.phrase import Phrase

MOST_POINTS = 1_000_000
"""Largest number of points in an option: far above any real score, and small enough for every column and drawing."""


class Group(NamedTuple):
    """A group of options under one heading of the house-rules form. The form shows groups in the order of `place`."""

    place: int
    heading: Phrase


class Switch(NamedTuple):
    """Buttons for an option that players often change, at the top of the house-rules form.

    The form shows these options in the order of `place`.
    """

    place: int
    label: Phrase
    values: Mapping[Any, str]
    """The values of the option, with the text on the button for each."""


WINNING = Group(1, Phrase("Winning"))
BIDS = Group(2, Phrase("Bidding"))
STUCK = Group(3, Phrase("Bidding"))
CALLS = Group(4, Phrase("Bidding"))
WORTH = Group(5, Phrase("Points"))
SETS = Group(6, Phrase("Points"))
OWNERS = Group(7, Phrase("Points"))
PLAY = Group(8, Phrase("Play"))

NEEDED, THE_DEAL, BIDDING, THE_PLAY = Phrase("What you need"), Phrase("Deal"), Phrase("Bidding"), Phrase("Play")
POINTS, SCORING, THE_END = Phrase("Points"), Phrase("Scoring"), Phrase("Winning")
"""Headings of the sections of the rule card."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """The description of an option, in words for players. What the option does is coded elsewhere.

    Three fields say which values the option can have:

    - If `values` is set, the option's values are the keys of `values`. Each key is mapped to words for players.
    - If `several` is set, a value is a string with some keys of `several`, in the order of `several` and with
      spaces between. "" means the usual keys.
    - Otherwise, the option's values are the numbers in the range `numbers`, both ends included. None is also a value if
      `nullable` is true.

    `line` has the sentences for the list of house rules. `line` maps values to sentences, or is a template with `{}`
    for the value. `off` is the sentence for 0 or None.

    `card` has the sentences for the end of `section` of the rule card. `card` maps values to sentences, or is a
    template with `%(value)s` for any value but the default. Without `card`, other sentences of the rule card cover the
    option.
    """

    group: Group
    label: Phrase
    help: str = ""
    line: str | Mapping[Any, Phrase] = "{}."
    values: Mapping[Any, Phrase] = field(default_factory=dict)
    several: Mapping[str, str] = field(default_factory=dict)
    numbers: tuple[int, int] = (0, 0)
    nullable: bool = False
    off: Phrase | None = None
    common: Switch | None = None
    """The buttons for the option at the head of the form, if players change it often; else None."""
    seated: bool = False
    """Whether the seating that the players choose decides the option, so that no form of house rules asks for it."""
    section: Phrase | None = None
    card: Mapping[Any, Phrase] | Phrase | None = None
    game: Callable[[Options], bool] = lambda rules: True
    """Returns whether a game with these rules can have the option at all; the form of any other game leaves it out."""
    needs: Callable[[Options], bool] = lambda rules: True
    """Returns whether the option has an effect, given the other options."""
    bidding: bool = False
    """Whether the option only has an effect in a game with bidding."""
    own: tuple[str, ...] = ()
    """Values that belong to some games: house rules can neither choose such a value nor replace it."""
    recorded: Mapping[str, Any] = field(default_factory=dict)
    """Maps a value to its form in records, if records write it differently."""
    idle: Phrase | None = None
    """Why the option has no effect if `game` or `needs` returns False; its value must then be the default."""
    default: Any = None
    """The value if a ruleset doesn't name the option, or if a phone's state is from before the option existed."""

    def allows(self, value: Any) -> bool:
        """Return whether the option can have this value. The values 1 and True are not the same."""
        if self.several:
            return isinstance(value, str) and value == self.joined(value.split())
        if value in self.own:
            return True
        if self.values:
            return any(value is choice or (isinstance(value, str) and value == choice) for choice in self.values)
        low, high = self.numbers
        return (value is None and self.nullable) or (type(value) is int and low <= value <= high)

    def joined(self, keys: Collection[Any]) -> str:
        """Return the chosen `keys` as one string, which is the value of an option with `several`.

        The keys in the result are in the order of `several`, with spaces between them. Unknown keys are left out.
        """
        return " ".join(key for key in self.several if key in keys)

    def read(self, told: Any) -> Any:
        """Return the option's value for `told`, a value from a game record. An unknown `told` is returned unchanged."""
        if self.several and isinstance(told, list):
            value = self.joined(told)
            return value if value and len(value.split()) == len(told) else told
        known = {_exact(written): value for value, written in self.recorded.items()}
        return known.get(_exact(told), told) if isinstance(told, dict) else told

    def written(self, value: Any) -> Any:
        """Return `value` in the format of a game record."""
        return value.split() if self.several else self.recorded.get(value, value)


def _exact(points: Mapping[str, Any]) -> str:
    # As text, 1, 1.0 and true differ.
    return repr(sorted(points.items()))


def option(*args: Any, **more: Any) -> Mapping[str, HouseRule]:
    """Return the metadata for a field of `Options`: a `HouseRule` built from these arguments."""
    return {"option": HouseRule(*args, **more)}


def _matches(rules: Options) -> bool:
    """Return whether the dealer, who bids last, may win the auction by matching the high bid (RULES 2, 5)."""
    return rules.dealer_privilege == "match" and rules.auction == "once_around"


_YES_NO = {True: Phrase("yes"), False: Phrase("no")}
_NO_GAME_POINT = Phrase("card points don't count in this game")
_ONLY_WITHOUT_BIDS = Phrase("it counts only in games without bidding")
_ANY = (1, MOST_POINTS)
_BIDS, _FROM_ZERO = (1, 28), (0, 28)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Parts):
    """The options of a game.

    The base class has the parts of a game that no option changes. A game record lists the options in the order of
    these fields.
    """

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
            game=lambda rules: rules.compares("game"),
            idle=_NO_GAME_POINT,
        ),
    )
    game_tie: str = field(
        default="nobody",
        metadata=option(
            OWNERS,
            Phrase("A tie for Game goes to"),
            values={
                "nobody": Phrase("nobody"),
                "bidder": Phrase("the bidder"),
                "defenders": Phrase("the defenders"),
                "dealer": Phrase("the dealer's side"),
            },
            line={
                "nobody": Phrase("A tie for Game goes to nobody."),
                "bidder": Phrase("A tie for Game goes to the bidder."),
                "defenders": Phrase("A tie for Game goes to the defenders."),
                "dealer": Phrase("A tie for Game goes to the dealer's side."),
            },
            game=lambda rules: rules.compares("game"),
            idle=_NO_GAME_POINT,
            bidding=True,
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
                False: Phrase("The jack of trump doesn't count toward Game."),
            },
            game=lambda rules: rules.compares("game"),
            idle=_NO_GAME_POINT,
        ),
    )
    bid_min: int = field(
        default=1,
        metadata=option(
            BIDS,
            Phrase("Lowest bid allowed"),
            Phrase("You can enter 0. A player who bids 0 can't be set."),
            Phrase("The lowest bid allowed is {}."),
            numbers=_FROM_ZERO,
            bidding=True,
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
            bidding=True,
        ),
    )
    """The highest bid; None stands for all points of a hand, which can depend on the number of players."""
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
            own=("none",),
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
                False: Phrase("The highest bid allowed doesn't end the bidding."),
            },
            bidding=True,
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
            idle=Phrase("when bidding goes around more than once, the dealer isn't always last"),
            bidding=True,
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
            bidding=True,
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
            bidding=True,
        ),
    )
    forced_bid: int | None = field(
        default=None,
        metadata=option(
            STUCK,
            Phrase("Dealer stuck with"),
            Phrase("What the dealer must bid if everyone else passes. Leave blank if the dealer may pass."),
            Phrase("The dealer is stuck with {} if everyone else passes."),
            numbers=_FROM_ZERO,
            nullable=True,
            off=Phrase("If all pass, nobody scores."),
            bidding=True,
        ),
    )
    forced_bid_exact: bool | None = field(
        default=None,
        metadata=option(
            STUCK,
            Phrase("When the dealer is stuck"),
            values={
                None: Phrase("may bid more only if “Dealer may raise the high bid” is yes"),
                True: Phrase("must bid exactly that"),
                False: Phrase("may bid more"),
            },
            line={
                None: Phrase("A dealer who is stuck may bid more only if the dealer may raise the high bid."),
                True: Phrase("A dealer who is stuck must bid exactly that."),
                False: Phrase("A dealer who is stuck may bid more."),
            },
            needs=lambda rules: rules.forced_bid is not None,
            idle=Phrase("the dealer is never forced to bid"),
            bidding=True,
        ),
    )
    """Whether a forced dealer must bid exactly the forced bid; None: only if the dealer may not raise (RULES 10)."""
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
            bidding=True,
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
            bidding=True,
        ),
    )
    set_penalty: str = field(
        default="bid",
        metadata=option(
            SETS,
            Phrase("A set costs"),
            line=Phrase("A set costs {}."),
            values={"bid": Phrase("the bid"), "double_shortfall": Phrase("double the points you were short")},
            bidding=True,
        ),
    )
    target: int = field(
        metadata=option(WINNING, Phrase("Play to"), line=Phrase("Played to {}."), numbers=_ANY),
    )
    finish: str = field(
        metadata=option(
            WINNING,
            Phrase("How to win"),
            help=Phrase(
                "Bid to go out: you win only in a hand in which you made your bid. Bidder goes out first: anyone can "
                "win, but if two reach the score in the same hand, the bidder wins."
            ),
            values={
                "bid_out": Phrase("bid to go out"),
                "bidder_first": Phrase("bidder goes out first"),
                "highest": Phrase("high score wins"),
                "fixed_hands": Phrase("high score after a fixed number of hands"),
            },
            line={
                "bid_out": Phrase("You must bid to go out: without the bid, you can't win."),
                "bidder_first": Phrase("The bidder goes out first, then the high score."),
                "highest": Phrase("High score wins, bidder or not."),
                "fixed_hands": Phrase("High score wins after a fixed number of hands."),
            },
            own=("count_out",),
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
            idle=Phrase("this way of winning doesn't need a lead"),
        ),
    )
    go_out: str = field(
        default="make",
        metadata=option(
            WINNING,
            Phrase("To go out"),
            values={
                "make": Phrase("you must make your bid"),
                "take": Phrase("having had the bid is enough, even if you were set"),
            },
            line={
                "make": Phrase("To go out, you must make your bid."),
                "take": Phrase("To go out, having had the bid is enough, even if you were set."),
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
                "floor_zero": Phrase("A set can't take you below zero."),
            },
            bidding=True,
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
                False: Phrase("Playing with no trump isn't allowed."),
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
            idle=Phrase("the game doesn't end after a fixed number of hands"),
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
            bidding=True,
        ),
    )
    redeal_by: str = field(
        default="next",
        metadata=option(
            STUCK,
            Phrase("If all pass"),
            values={"next": Phrase("the next player deals"), "same": Phrase("the same dealer deals again")},
            line={
                "next": Phrase("If all pass, the next player deals."),
                "same": Phrase("If all pass, the same dealer deals again."),
            },
            needs=lambda rules: rules.forced_bid is None,
            idle=Phrase("the dealer must bid if the others pass, so there is always a bid"),
            bidding=True,
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
                False: Phrase("You may play trump only if you're out of the suit led."),
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
                "Draw: after the deal you may swap up to 4 cards, or up to 5 if you hold an ace. You don't have to "
                "show the ace, but you must be able to point it out after the hand if asked."
            ),
        ),
    )
    hang_jack: int = field(
        default=1,
        metadata=option(
            OWNERS,
            Phrase("Points for hanging the jack"),
            Phrase("Hanging the jack is capturing the jack of trump from the side that was dealt it."),
            Phrase("Hanging the jack scores {}."),
            numbers=(1, 9),
            section=POINTS,
            card=Phrase("Hang the jack: capture it from the side that was dealt it, and it counts %(value)s."),
            game=lambda rules: rules.auction == "none" and rules.counts("jack"),
            idle=_ONLY_WITHOUT_BIDS,
        ),
    )
    turned_up_points: str = field(
        default="none",
        metadata=option(
            OWNERS,
            Phrase("The turned-up card scores for the dealer"),
            values={
                "none": Phrase("nothing"),
                "six": Phrase("ace 1, six 2, jack 3"),
                "two": Phrase("ace 1, two 2, jack 3"),
                "jack": Phrase("jack 1"),
            },
            line={
                "none": Phrase("The turned-up card scores nothing."),
                "six": Phrase("The turned-up card scores for the dealer: ace 1, six 2, jack 3."),
                "two": Phrase("The turned-up card scores for the dealer: ace 1, two 2, jack 3."),
                "jack": Phrase("The turned-up card scores for the dealer: jack 1."),
            },
            section=POINTS,
            card={
                "six": Phrase("Turned-up card, for the dealer's side: an ace counts 1, a six 2, a jack 3."),
                "two": Phrase("Turned-up card, for the dealer's side: an ace counts 1, a two 2, a jack 3."),
                "jack": Phrase("Turned-up card, for the dealer's side: a jack counts 1."),
            },
            recorded={
                "none": {},
                "six": {"A": 1, "6": 2, "J": 3},
                "two": {"A": 1, "2": 2, "J": 3},
                "jack": {"J": 1},
            },
            game=lambda rules: rules.auction == "none",
            idle=_ONLY_WITHOUT_BIDS,
        ),
    )

    @property
    def has_bids(self) -> bool:
        """Return whether players bid. If they don't, every side scores what it takes (RULES 8)."""
        return self.auction != "none"

    @property
    def turned_up_worth(self) -> Mapping[str, int]:
        """Return how many points the turned-up card gives the dealer's side, as a mapping from rank to points.

        Ranks that are missing from the mapping score nothing.
        """
        worth: Mapping[str, int] = OPTIONS["turned_up_points"].written(self.turned_up_points)
        return worth

    called_partner: bool = field(
        default=False,
        metadata=option(
            PLAY,
            Phrase("Called partner"),
            values=_YES_NO,
            line={
                True: Phrase("The bidder calls a partner for the hand."),
                False: Phrase("Nobody calls a partner."),
            },
            seated=True,
            game=lambda rules: rules.may_call,
            idle=Phrase("in this game, the seating decides that"),
        ),
    )
    made_scores: str = field(
        default="taken",
        metadata=option(
            SETS,
            Phrase("A made bid scores"),
            values={"taken": Phrase("all the points taken"), "bid": Phrase("only the bid")},
            line={
                "taken": Phrase("A made bid scores all the points taken, even above the bid."),
                "bid": Phrase("A made bid scores only the bid."),
            },
            bidding=True,
        ),
    )
    defenders_score: bool = field(
        default=True,
        metadata=option(
            SETS,
            Phrase("Defenders score what they take"),
            values=_YES_NO,
            line={
                True: Phrase("Defenders score what they take."),
                False: Phrase("Defenders score nothing."),
            },
            bidding=True,
        ),
    )
    lose_at_minus: int | None = field(
        default=None,
        metadata=option(
            WINNING,
            Phrase("Lose the game this many points below zero"),
            Phrase("11 means that a score of −11 or lower loses. Leave blank for no limit."),
            Phrase("A score of −{} or lower loses the game."),
            numbers=_ANY,
            nullable=True,
            off=Phrase("No score is too low to go on."),
            section=THE_END,
            card=Phrase(
                "A score of −%(value)s or lower loses the game. The highest of the other sides wins; if they tie for "
                "it, nobody wins."
            ),
            needs=lambda rules: rules.negative == "allowed",
            idle=Phrase("a set can't take anyone below zero here"),
            bidding=True,
        ),
    )
    bidder_lead: int = field(
        default=0,
        metadata=option(
            WINNING,
            Phrase("Lead needed to win, for the bidder and everyone else"),
            Phrase(
                "With 0, a bidder who makes the bid and reaches the target wins even when behind. Otherwise the "
                "highest score wins."
            ),
            Phrase("To win, the bidder and everyone else must lead by at least {}."),
            numbers=(0, MOST_POINTS),
            off=Phrase("A bidder who makes the bid and reaches the target wins even when behind."),
            needs=lambda rules: rules.finish == "bidder_first",
            idle=Phrase("this lead is asked for only where the bidder goes out first"),
            bidding=True,
        ),
    )
    forced_concede: bool = field(
        default=False,
        metadata=option(
            STUCK,
            Phrase("A dealer who is stuck may give up the hand"),
            Phrase("The dealer's side is set, and the hand isn't played."),
            values=_YES_NO,
            line={
                True: Phrase("A dealer who is stuck may give up the hand."),
                False: Phrase("A dealer who is stuck must play the hand."),
            },
            section=BIDDING,
            card=Phrase(
                "A dealer who is stuck may give up the hand: nothing is played, the dealer's side is set, and nobody "
                "else scores."
            ),
            needs=lambda rules: bool(rules.forced_bid),
            idle=Phrase("the dealer is never forced to bid"),
            bidding=True,
        ),
    )
    revoke_costs_bid: bool = field(
        default=False,
        metadata=option(
            SETS,
            Phrase("A renege costs the bid"),
            Phrase(
                "A renege (or revoke) is not following suit when you could. When you enter the points of a hand, the "
                "app asks who reneged."
            ),
            values=_YES_NO,
            line={
                True: Phrase("A renege costs the bid."),
                False: Phrase("The table decides what a renege costs."),
            },
            section=SCORING,
            card=Phrase(
                "A side that reneges loses the amount of the bid and scores nothing. If a defender reneges, the bidder "
                "can't be set: the bid counts as made."
            ),
            bidding=True,
        ),
    )

    points: str = field(
        default="",
        metadata=option(
            WORTH,
            Phrase("Points in a hand"),
            Phrase("If you change these points, the highest bid becomes their new total, unless you change that too."),
            Phrase("Points in a hand: {}."),
            several={key: category.label for key, category in CATEGORIES.items()},
            game=lambda rules: bool(rules.usual_points) and rules.auction != "none",
            idle=Phrase("the points of this game can't be chosen"),
        ),
    )
    """Keys of the points of a hand; empty for the usual ones of the game."""
    slam: bool = field(
        default=False,
        metadata=option(
            CALLS,
            Phrase("A pitch needs all the points and every trick, and counts 1 more"),
            values=_YES_NO,
            line={
                True: Phrase("A pitch needs all the points and every trick, and counts 1 more."),
                False: Phrase("Taking every trick isn't worth an extra point."),
            },
            game=lambda rules: bool(rules.usual_points),
            needs=lambda rules: rules.special_bid == "pitch" and rules.pitch_test == "points",
            idle=Phrase("no pitch in this game promises points"),
            bidding=True,
        ),
    )

    def __post_init__(self) -> None:
        """Set `categories` to the points named in the option `points`."""
        object.__setattr__(self, "categories", chosen_points(self.usual_points, self.points))

    def points_of(self, bid: int | str | None) -> tuple[Category, ...]:
        """Return the categories of points in a hand with this bid.

        In a pitch, taking all the tricks may be an extra point (RULES 4).
        """
        return (*self.categories, SLAM) if bid == "pitch" and self.slam_worth else self.categories

    @property
    def slam_worth(self) -> int:
        """Return the points for taking all the tricks in a pitch, or 0 if the rules have no such point."""
        return SLAM.value * (self.slam and self.special_bid == "pitch" and self.pitch_test == "points")

    @property
    def dealer_matches(self) -> bool:
        """Return whether the dealer, who bids last, may win the auction by matching the high bid (RULES 2, 5)."""
        return _matches(self)


OPTIONS: Mapping[str, HouseRule] = {
    each.name: replace(each.metadata["option"], default=None if each.default is MISSING else each.default)
    for each in fields(Options)
    if "option" in each.metadata
}
"""Every option by its key, in the order in which records write them."""
