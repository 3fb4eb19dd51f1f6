"""A ruleset: every option of a family of games, as one frozen, validated value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Any, Literal

from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

SeatingKind = Literal["partners", "alone", "called"]


@dataclass(frozen=True, slots=True)
class Seating:
    """How many sit down and who is with whom.

    "partners" makes two sides of every other seat, "alone" a side of each seat, and
    "called" scores each alone while the bidder calls a partner for the hand.
    """

    players: int
    kind: SeatingKind


@dataclass(frozen=True, slots=True)
class Category:
    """One thing a hand is worth points for.

    `always`: some side takes it in every hand. `card`: the rank of the trump that
    carries it ("left" for the other jack of the trump's colour, "RJ" and "BJ" for
    jokers); empty where High, Low or Game is decided by comparing. `dealt`: belongs to
    the player it was dealt to, so the captured cards cannot tell.
    """

    key: str
    label: str
    value: int = 1
    always: bool = False
    card: str = ""
    dealt: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """What only the players need to know: nothing here changes a score."""

    deal: str
    trump: str
    lead: str
    cards: str = ""
    """Cards with a power of their own."""
    follow: str = ""
    """What to play to a trick, where it is not the suit led."""
    six_cards: bool = True
    """Whether each player is dealt six cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The rules one table plays by.

    The first block is the game itself and cannot be changed by an option; the second
    block is every option, with the values the options table allows.
    """

    preset: str
    name: str
    seatings: tuple[Seating, ...]
    categories: tuple[Category, ...] = ()
    hand_totals: tuple[tuple[int, int], ...] = ()
    """(players, points of a hand) where a hand has one total instead of categories."""
    ranks: str = "23456789TJQKA"
    """Ranks of the pack, lowest first."""
    jokers: bool = False
    play: Play

    low: str = "captured"
    game_minimum: int = 0
    game_tie: str = "nobody"
    trump_jack_counts: bool = True
    bid_min: int
    bid_max: int | None
    """None: the points of a hand, which depend on the number of players."""
    auction: str = "once_around"
    stop_at_max: bool = True
    dealer_privilege: str = "none"
    dealer_may_match_max: bool = False
    dealer_may_raise: bool = True
    forced_bid: int | None = None
    forced_bid_exact: bool | None = None
    """Whether a forced dealer bids exactly that; None: where the dealer may not raise (RULES 10)."""
    special_bid: str = "none"
    pitch_test: str = "points"
    set_penalty: str = "bid"
    target: int
    finish: str
    win_by: int = 1
    go_out: str = "make"
    tie: str = "play_on"
    tie_break_round: str = "decides"
    negative: str = "allowed"
    no_trump: bool = False
    hands_limit: int | None = None
    max_sets: int | None = None
    redeal_by: str = "next"
    trump_any_time: bool = False
    redeal: str = "none"
    draw: bool = False

    @property
    def has_bowers(self) -> bool:
        """Return whether the other jack of the trump's colour belongs to the trump suit."""
        return any(category.card == "left" for category in self.categories)

    @property
    def dealer_matches(self) -> bool:
        """Return whether the dealer, calling last, may take the bid at its own number (RULES 2, 5)."""
        return self.dealer_privilege == "match" and self.auction == "once_around"

    @property
    def dealer_raises(self) -> bool:
        """Return whether the dealer may bid above the standing or the forced bid: no only where he may match it."""
        return self.dealer_may_raise or not self.dealer_matches

    @property
    def forced_exactly(self) -> bool:
        """Return whether a dealer who has to bid, after all others passed, bids exactly the forced bid (RULES 10)."""
        return not self.dealer_raises if self.forced_bid_exact is None else self.forced_bid_exact


CHOICES: Mapping[str, tuple[Any, ...]] = {
    "low": ("captured", "dealt"),
    "game_tie": ("nobody", "bidder", "defenders"),
    "trump_jack_counts": (True, False),
    "auction": ("once_around", "until_passed"),
    "stop_at_max": (True, False),
    "dealer_privilege": ("none", "match"),
    "dealer_may_match_max": (True, False),
    "dealer_may_raise": (True, False),
    "forced_bid_exact": (None, True, False),
    "special_bid": ("none", "pitch", "moon"),
    "pitch_test": ("points", "tricks", "tricks_all"),
    "set_penalty": ("bid", "double_shortfall"),
    "finish": ("bid_out", "bidder_first", "highest", "fixed_hands"),
    "go_out": ("make", "take"),
    "tie": ("play_on", "bidder", "one_more_hand"),
    "tie_break_round": ("decides", "threshold"),
    "negative": ("allowed", "floor_zero"),
    "no_trump": (True, False),
    "redeal_by": ("next", "same"),
    "trump_any_time": (True, False),
    "redeal": ("none", "ten_or_two", "ten"),
    "draw": (True, False),
}

MOST_POINTS = 1_000_000
"""Far above any score at a table: keeps numbers in range wherever they are stored or drawn."""

NUMBERS: Mapping[str, tuple[int, int]] = {
    "game_minimum": (0, 80),
    "bid_min": (1, 28),
    "bid_max": (1, 28),
    "forced_bid": (1, 28),
    "target": (1, MOST_POINTS),
    "win_by": (1, MOST_POINTS),
    "hands_limit": (1, MOST_POINTS),
    "max_sets": (1, MOST_POINTS),
}
"""Number options and the range each can have, both ends included."""

NULLABLE = frozenset({"bid_max", "forced_bid", "hands_limit", "max_sets"})
"""Number options that can also be None."""

OPTIONS: tuple[str, ...] = tuple(
    field.name for field in fields(Ruleset) if field.name in CHOICES or field.name in NUMBERS
)
"""Every option, in the order of the options table."""

_Check = Callable[[Ruleset], Phrase | None]


def _with_category(key: str, reason: Phrase) -> _Check:
    return lambda rules: None if any(category.key == key for category in rules.categories) else reason


def _if(test: Callable[[Ruleset], bool], reason: Phrase) -> _Check:
    return lambda rules: None if test(rules) else reason


_NO_GAME_POINT = Phrase("there is no Game point in this game")

UNUSED: Mapping[str, tuple[Any, _Check]] = {
    "low": ("captured", _with_category("low", Phrase("there is no Low in this game"))),
    "game_minimum": (0, _with_category("game", _NO_GAME_POINT)),
    "game_tie": ("nobody", _with_category("game", _NO_GAME_POINT)),
    "trump_jack_counts": (True, _with_category("game", _NO_GAME_POINT)),
    "dealer_privilege": (
        "none",
        _if(
            lambda r: r.auction == "once_around",
            Phrase("the dealer has no last call when the bidding goes round until all pass"),
        ),
    ),
    "dealer_may_match_max": (
        False,
        _if(lambda r: r.dealer_matches, Phrase("the dealer may not match a bid at all")),
    ),
    "dealer_may_raise": (
        True,
        _if(lambda r: r.dealer_matches, Phrase("a dealer who may not match a bid has to be able to raise it")),
    ),
    "forced_bid_exact": (
        None,
        _if(lambda r: r.forced_bid is not None, Phrase("the dealer is never forced to bid")),
    ),
    "pitch_test": ("points", _if(lambda r: r.special_bid == "pitch", Phrase("there is no pitch in this game"))),
    "special_bid": (
        "none",
        _if(lambda r: bool(r.categories), Phrase("this game counts one total, so nobody can take every point by name")),
    ),
    "win_by": (
        1,
        _if(
            lambda r: r.finish in ("highest", "bid_out"),
            Phrase("a lead is not asked for by this way of ending the game"),
        ),
    ),
    "go_out": ("make", _if(lambda r: r.finish == "bid_out", Phrase("nobody has to bid to go out here"))),
    "tie": (
        "play_on",
        _if(lambda r: r.finish == "highest", Phrase("this way of ending the game has its own answer to a tie")),
    ),
    "tie_break_round": (
        "decides",
        _if(lambda r: r.finish == "highest" and r.tie == "one_more_hand", Phrase("no tie-break hand is played here")),
    ),
    "no_trump": (False, _if(lambda r: bool(r.hand_totals), Phrase("every hand of this game has a trump suit"))),
    "hands_limit": (
        None,
        _if(lambda r: r.finish == "fixed_hands", Phrase("the game does not end after a number of hands")),
    ),
    "redeal_by": (
        "next",
        _if(lambda r: r.forced_bid is None, Phrase("the dealer is forced to bid, so no hand is ever thrown in")),
    ),
}
"""Options that can be without effect: the neutral value, and why the option does nothing (None where it counts)."""


def why_unused(rules: Ruleset, option: str) -> Phrase | None:
    """Return why `option` has no effect under these rules, or None where it has one (RULES 1)."""
    known = UNUSED.get(option)
    return known[1](rules) if known else None


def with_options(preset: Ruleset, options: Mapping[str, Any]) -> Ruleset:
    """Return `preset` with `options` in place of its own values.

    Raises `RuleViolation` (field = the option) for an unknown option, a value outside its
    range, an option without effect under these rules that is not neutral, or a combination
    that no game can be played by.
    """
    for key, value in options.items():
        _check_value(key, value)
    rules = replace(preset, **options)
    for key, value in options.items():
        if value == getattr(preset, key):
            continue
        reason = why_unused(rules, key)
        if reason and value != UNUSED[key][0]:
            message = Phrase("“%(option)s” cannot be %(value)s: %(why)s.", option=key, value=_value(value), why=reason)
            raise RuleViolation("option_unused", message, field=key)
    check_combination(rules)
    return rules


def differing(preset: Ruleset, rules: Ruleset) -> dict[str, Any]:
    """Return the options of `rules` that differ from `preset`, in the order of the options table."""
    return {key: getattr(rules, key) for key in OPTIONS if getattr(rules, key) != getattr(preset, key)}


def check_combination(rules: Ruleset) -> None:
    """Raise `RuleViolation` for rules that no game can be played by, whatever the seating."""
    top = rules.bid_max
    most = sum(category.value for category in rules.categories) or max(total for _, total in rules.hand_totals)
    problems: tuple[tuple[bool, str, Phrase], ...] = (
        (
            top is not None and top > most,
            "bid_max",
            Phrase("A hand has only %(most)s points, so nobody can bid %(top)s.", most=most, top=top),
        ),
        (
            rules.bid_min > (top or most),
            "bid_min",
            Phrase(
                "The lowest bid, %(lowest)s, is above the highest, %(highest)s.",
                lowest=rules.bid_min,
                highest=top or most,
            ),
        ),
        (
            rules.forced_bid is not None and not rules.bid_min <= rules.forced_bid <= (top or most),
            "forced_bid",
            Phrase(
                "The dealer cannot be forced to bid %(bid)s: bids go from %(lowest)s to %(highest)s.",
                bid=rules.forced_bid,
                lowest=rules.bid_min,
                highest=top or most,
            ),
        ),
        (
            rules.finish == "fixed_hands" and rules.hands_limit is None,
            "hands_limit",
            Phrase("Say after how many hands the game ends."),
        ),
    )
    for wrong, field, message in problems:
        if wrong:
            raise RuleViolation("option_combination", message, field=field)


def _check_value(key: str, value: Any) -> None:
    if key in CHOICES:
        allowed = CHOICES[key]
        if not any(value is choice or (isinstance(value, str) and value == choice) for choice in allowed):
            message = Phrase("“%(option)s” must be %(values)s.", option=key, values=_or(allowed))
            raise RuleViolation("option_value", message, field=key)
    elif key in NUMBERS:
        low, high = NUMBERS[key]
        if value is None and key in NULLABLE:
            return
        if type(value) is not int or not low <= value <= high:
            message = Phrase(
                "“%(option)s” must be a whole number from %(low)s to %(high)s.", option=key, low=low, high=high
            )
            raise RuleViolation("option_value", message, field=key)
    else:
        name = str(key)[:40]
        raise RuleViolation("option_unknown", Phrase("There is no option called “%(name)s”.", name=name), field=name)


def _value(value: Any) -> str:
    known = {True: Phrase("yes"), False: Phrase("no"), None: Phrase("none")}
    return known[value] if isinstance(value, bool | None) else str(value)


def _or(values: tuple[Any, ...]) -> str:
    return reduce(lambda one, other: Phrase("%(one)s or %(other)s", one=one, other=other), map(_value, values))
