"""Score arithmetic: the points that a hand adds and subtracts, and whether it ends the game.

Hands and scores are named tuples because hundreds of thousands are made, and a frozen dataclass takes five times as
long to make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorekeeper.rules.bidding import Bid, Call, bid_value
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.table import Table


class Hand(NamedTuple):
    """One hand as the table entered it.

    `bidder` is None if everyone passed; then nothing is scored. `taken` is points by side, or
    (bidder and partner, defenders) if a partner is called. `points` maps categories to sides,
    if the table entered them. `partner` is the seat of the called partner, None for no partner.
    """

    dealer: int
    bidder: int | None = None
    bid: Bid | None = None
    taken: tuple[int, ...] = ()
    points: Mapping[str, int | None] | None = None
    trump: str | None = None
    partner: int | None = None
    tricks: int | None = None
    calls: tuple[Call, ...] | None = None
    captured: tuple[tuple[str, ...], ...] | None = None
    extra: Mapping[str, Any] | None = None
    """Fields of a record's hand that start with `x_`, kept unchanged."""
    side_tricks: tuple[int, ...] | None = None
    """Tricks, in the order of `taken`, if the hand was entered by tricks and red cards (RULES 6)."""
    side_red: tuple[int, ...] | None = None
    """Points of the red cards, in the same order."""

    @property
    def thrown_in(self) -> bool:
        """Return whether everyone passed."""
        return self.bidder is None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning side (None for nobody) and the rule that decided."""

    winner: int | None
    rule: str


class Tally(NamedTuple):
    """The score of a game after some hand.

    `totals` and `sets` are by side. `hands` does not count hands that were thrown in.
    `level`: one more hand has to settle a tie at the top.
    """

    totals: tuple[int, ...]
    sets: tuple[int, ...]
    hands: int = 0
    level: bool = False
    outcome: Outcome | None = None


class Scored(NamedTuple):
    """The changes by one hand: points by side, and whether the bid was made (None: thrown in)."""

    delta: tuple[int, ...]
    made: bool | None


def new_tally(table: Table) -> Tally:
    """Return the score before the first hand."""
    zeros = (0,) * len(table.sides)
    return Tally(zeros, zeros)


def bidding_sides(table: Table, hand: Hand) -> tuple[int, ...]:
    """Return the sides behind the bid: the bidder's, then a called partner's."""
    if hand.bidder is None:
        return ()
    side = table.side_of[hand.bidder]
    return (side,) if hand.partner is None else (side, table.side_of[hand.partner])


def score_hand(table: Table, tally: Tally, hand: Hand) -> Scored:
    """Return the changes by `hand` at the score `tally` (RULES 1; specials RULES 4 and 8; called partner RULES 6)."""
    if hand.bidder is None or hand.bid is None:
        return Scored((0,) * len(table.sides), None)
    ours = bidding_sides(table, hand)
    if table.called:
        took, theirs = hand.taken
        given = [theirs] * len(table.sides)
    else:
        took = hand.taken[ours[0]]
        given = list(hand.taken)
    made = _made(table, hand, took)
    for side in ours:
        given[side] = _bidder_change(table, tally.totals[side], hand.bid, took, made)
    return Scored(tuple(given), made)


def add_hand(table: Table, tally: Tally, hand: Hand, adjusted: Sequence[int] | None = None) -> tuple[Tally, Scored]:
    """Return the score after `hand` and the changes by the hand. The game must not be over.

    `adjusted` are points by side that the table agreed to add after this hand and before the next. They count when the
    end of the game is judged.
    """
    scored = score_hand(table, tally, hand)
    totals = tuple(map(int.__add__, tally.totals, scored.delta))
    if adjusted is not None:
        totals = tuple(map(int.__add__, totals, adjusted))
    if scored.made is None:
        return tally._replace(totals=totals), scored
    sets = tally.sets
    ours = bidding_sides(table, hand)
    if not scored.made:
        sets = tuple(count + (side in ours) for side, count in enumerate(sets))
    hands = tally.hands + 1
    outcome, level = _finish(table.rules, hand, _Played(tally, ours, scored.made, totals, sets, hands))
    return Tally(totals, sets, hands, level, outcome), scored


def leaders_of(totals: Sequence[int]) -> list[int]:
    """Return the sides with the highest total."""
    best = max(totals)
    return [side for side, total in enumerate(totals) if total == best]


def lead_of(totals: Sequence[int], side: int) -> int:
    """Return how far `side` is ahead of the best other side; negative if it is behind."""
    return totals[side] - max(total for other, total in enumerate(totals) if other != side)


def pitch_tricks(rules: Ruleset) -> int | None:
    """Return how many tricks a pitch promises, or None if it promises points (RULES 4 and 10)."""
    return {"tricks": 4, "tricks_all": rules.tricks}.get(rules.pitch_test)


def _made(table: Table, hand: Hand, took: int) -> bool:
    promised = pitch_tricks(table.rules) if hand.bid == "pitch" else None
    if promised is not None:
        return (hand.tricks or 0) >= promised
    assert hand.bid is not None
    return took >= bid_value(table, hand.bid)


def dearest_set(table: Table) -> int:
    """Return the most points that one set can cost at this table."""
    return table.most * (2 if table.rules.set_penalty == "double_shortfall" else 1)


def _bidder_change(table: Table, total: int, bid: Bid, took: int, made: bool) -> int:
    if made:
        if bid == "moon":
            return max(table.rules.target - total, 0) if total >= 0 else -total
        return bid_value(table, bid) if bid == "pitch" else took
    value = bid_value(table, bid)
    penalty = 2 * (value - took) if table.rules.set_penalty == "double_shortfall" and isinstance(bid, int) else value
    return -min(penalty, max(total, 0)) if table.rules.negative == "floor_zero" else -penalty


class _Played(NamedTuple):
    """A hand just scored, as the finish rules need it."""

    before: Tally
    ours: tuple[int, ...]
    made: bool
    totals: tuple[int, ...]
    sets: tuple[int, ...]
    hands: int


_End = tuple[Outcome | None, bool]
"""The outcome or None, and whether one more hand has to settle a tie."""


def _finish(rules: Ruleset, hand: Hand, played: _Played) -> _End:
    us = played.ours[0]
    if isinstance(hand.bid, str) and played.made and played.before.totals[us] >= 0:
        return Outcome(us, hand.bid), False
    if hand.bid == "moon" and not played.made:
        return Outcome(1 - us, "moon_failed"), False
    if rules.max_sets is not None and played.sets[us] >= rules.max_sets:
        return Outcome(1 - us, "max_sets"), False
    return _FINISHES[rules.finish](rules, played)


def _bid_out(rules: Ruleset, played: _Played) -> _End:
    totals = played.totals
    if played.made or rules.go_out == "take":
        for side in played.ours:
            if totals[side] >= rules.target and lead_of(totals, side) >= rules.win_by:
                return Outcome(side, "bid_out"), False
    return None, False


def _bidder_first(rules: Ruleset, played: _Played) -> _End:
    totals = played.totals
    bidder = played.ours[0]
    if played.made and totals[bidder] >= rules.target:
        return Outcome(bidder, "bidder_first"), False
    leaders = leaders_of(totals)
    if len(leaders) == 1 and totals[leaders[0]] >= rules.target:
        return Outcome(leaders[0], "most"), False
    return None, False


def _highest(rules: Ruleset, played: _Played) -> _End:
    totals = played.totals
    leaders = leaders_of(totals)
    if played.before.level and rules.tie_break_round == "decides":
        return (Outcome(leaders[0], "tie_break"), False) if len(leaders) == 1 else (None, True)
    if totals[leaders[0]] < rules.target:
        return None, False
    if len(leaders) > 1:
        if rules.tie == "bidder" and played.ours[0] in leaders:
            return Outcome(played.ours[0], "tie_bidder"), False
        return None, rules.tie == "one_more_hand"
    if lead_of(totals, leaders[0]) >= rules.win_by:
        return Outcome(leaders[0], "highest"), False
    return None, False


def _fixed_hands(rules: Ruleset, played: _Played) -> _End:
    leaders = leaders_of(played.totals)
    if played.hands < (rules.hands_limit or 0) or len(leaders) > 1:
        return None, False
    return Outcome(leaders[0], "fixed_hands"), False


_FINISHES: Mapping[str, Callable[[Ruleset, _Played], _End]] = {
    "bid_out": _bid_out,
    "bidder_first": _bidder_first,
    "highest": _highest,
    "fixed_hands": _fixed_hands,
}
