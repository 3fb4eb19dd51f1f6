"""Score arithmetic: the points that a hand adds and subtracts, and whether it ends the game.

Hands and scores are named tuples because hundreds of thousands are made, and a frozen dataclass takes five times as
long to make.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, NamedTuple

from scorekeeper.rules.bidding import Bid, Call, bid_value
from scorekeeper.rules.parts import Category
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.table import Table


class Hand(NamedTuple):
    """One hand as the players entered it.

    `bidder` is None if everyone passed, and in a game without bidding. `partner` is the seat of the called partner, or
    None for no partner.

    `taken` holds the points by side. If a partner is called, `taken` holds the points by party instead: party 0 is the
    bidder and partner, party 1 the defenders. If everyone passed, `taken` is empty and nothing is scored. In a game
    without bidding, `taken` leaves out the points of the turned-up card, and includes all points that a hung jack
    scores.

    `captured` holds the cards in the same order as `taken`. `points` maps category keys to the side or party that took
    each point, or to None for nobody. `points` is None if the players entered only sums.
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
    """Fields of the hand in its record that start with `x_`, kept unchanged."""
    side_tricks: tuple[int, ...] | None = None
    """Tricks, in the order of `taken`, if the hand was entered as tricks and red cards (RULES 6)."""
    side_red: tuple[int, ...] | None = None
    """Points of the red cards, in the order of `taken`, if the hand was entered that way."""
    turned_up: str | None = None
    """In a game without bidding, the card that set trump, or only its rank; None if not entered (RECORD 3)."""
    jack_hung: bool = False
    """In a game without bidding, whether a side captured the jack that another side was dealt."""
    conceded: bool = False
    """Whether a dealer who was forced to bid gave up the hand; then nobody took anything."""
    revoked: int | None = None
    """The seat of the player who revoked, if the rules make a revoke cost the bid; else None."""

    @property
    def thrown_in(self) -> bool:
        """Return whether everyone passed."""
        return not self.taken


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `winner` is the winning side, or None for nobody. `rule` is the key of the rule that ended the game.
    """

    winner: int | None
    rule: str


class Tally(NamedTuple):
    """The score of a game after a hand.

    `totals` and `sets` are by side. `hands` does not count hands in which everyone passed. `level` means that one more
    hand has to settle a tie at the top.
    """

    totals: tuple[int, ...]
    sets: tuple[int, ...]
    hands: int = 0
    level: bool = False
    outcome: Outcome | None = None


class Scored(NamedTuple):
    """What one hand changed: the points by side, and whether the bid was made (None if nobody bid)."""

    delta: tuple[int, ...]
    made: bool | None


def new_tally(table: Table) -> Tally:
    """Return the score before the first hand."""
    zeros = (0,) * len(table.sides)
    return Tally(zeros, zeros)


def bidding_sides(table: Table, hand: Hand) -> tuple[int, ...]:
    """Return the sides that share the bid: the bidder's side, then a called partner's side.

    Returns () if nobody bid.
    """
    if hand.bidder is None:
        return ()
    side = table.side_of[hand.bidder]
    return (side,) if hand.partner is None else (side, table.side_of[hand.partner])


def offending_sides(table: Table, hand: Hand) -> tuple[int, ...]:
    """Return the sides that lose the amount of the bid because of a revoke in this hand, or () without a revoke.

    If the bidder or the called partner revoked, all sides that share the bid lose the amount. If a defender revoked,
    only the defender's side loses it.
    """
    if hand.revoked is None:
        return ()
    side, ours = table.side_of[hand.revoked], bidding_sides(table, hand)
    return ours if side in ours else (side,)


def may_go_out(rules: Ruleset, ours: Sequence[int]) -> Sequence[int]:
    """Return the sides among `ours` that can win under the finish rule `bid_out`.

    `ours` are the sides that share the bid, the bidder's side first. Usually only the bidder's side can win. In
    Some'R'Set, all sides that share the bid can win (RULES 7).
    """
    return ours if rules.hand_totals else ours[:1]


def score_hand(table: Table, tally: Tally, hand: Hand) -> Scored:
    """Return the points by side that `hand` adds to the score `tally`, and whether the bid was made.

    See RULES 1. Special bids are in RULES 4 and 8, and called partners in RULES 6.
    """
    if not table.rules.has_bids:
        return Scored(_count_out(table, tally.totals, hand)[0], None)
    return _score_bid(table, tally.totals, hand, bidding_sides(table, hand))


def _score_bid(table: Table, totals: Sequence[int], hand: Hand, ours: Sequence[int]) -> Scored:
    """Return the same as `score_hand`, for a game with bidding. `ours` are the sides that share the bid."""
    bid, taken = hand.bid, hand.taken
    if not ours or bid is None:
        return Scored((0,) * len(table.sides), None)
    took = taken[0 if table.called else ours[0]]
    if not table.rules.defenders_score:
        given = [0] * len(table.sides)
    elif table.called:
        given = [taken[1]] * len(table.sides)
    else:
        given = list(taken)
    offenders = offending_sides(table, hand)
    made = not set(offenders) <= set(ours) if offenders else _made(table, hand, took)
    for side in ours:
        given[side] = _bidder_change(table, totals[side], bid, took, made)
    for side in offenders:
        given[side] = -_cost(table.rules, totals[side], bid_value(table, bid))
    return Scored(tuple(given), made)


def add_hand(table: Table, tally: Tally, hand: Hand, adjusted: Sequence[int] | None = None) -> tuple[Tally, Scored]:
    """Return the score after `hand`, and what the hand scored. The game must not be over before the hand.

    `adjusted` holds the points that each side gets by adjustments between `hand` and the next hand. These points are
    added before the rules decide whether the game is over.
    """
    rules = table.rules
    if not rules.has_bids:
        return _add_counted(table, tally, hand, adjusted or (0,) * len(table.sides))
    ours = bidding_sides(table, hand)
    scored = _score_bid(table, tally.totals, hand, ours)
    totals = tuple(map(add, tally.totals, scored.delta))
    if adjusted is not None:
        totals = tuple(map(add, totals, adjusted))
    if scored.made is None:
        return tally._replace(totals=totals), scored
    sets = tally.sets
    if not scored.made:
        sets = tuple([count + (side in ours) for side, count in enumerate(sets)])
    after = Tally(totals, sets, tally.hands + 1)
    outcome, level = ending_of(rules, hand, AfterHand(tally, after, ours, scored.made))
    return (after._replace(level=level, outcome=outcome) if level or outcome else after), scored


def put_up(table: Table, hand: Hand) -> Iterator[tuple[str, int, int]]:
    """Yield (key, side, points) for each point of a hand without a bidder, in the order in which they count (RULES 8).

    The key is a category's key, or "turned_up" for the turned-up card. If only the points of each side are known, the
    key is "taken".
    """
    turned_up = table.rules.turned_up_worth.get((hand.turned_up or "")[:1], 0)
    if turned_up:
        yield "turned_up", table.side_of[hand.dealer], turned_up
    if hand.points is None:
        yield from (("taken", side, points) for side, points in enumerate(hand.taken) if points)
        return
    for category in table.rules.categories:
        side = hand.points[category.key]
        if side is not None:
            yield category.key, side, point_value(table.rules, category, hung=hand.jack_hung)


def point_value(rules: Ruleset, category: Category, *, hung: bool) -> int:
    """Return how many points `category` is worth.

    `hung` means that the jack was captured from the side that was dealt it, so the jack scores `hang_jack` (RULES 8).
    """
    return rules.hang_jack if hung and category.key == "jack" else category.value


def _count_out(table: Table, totals: Sequence[int], hand: Hand) -> tuple[tuple[int, ...], int | None]:
    """Return the points by side that `hand` adds to `totals`, then the first side to reach the target, or None.

    Points count in order until a side reaches the target. If only the points of each side are known, the order of the
    points is unknown. In that case all points count, and the second result is None.
    """
    added = [0] * len(table.sides)
    for key, side, points in put_up(table, hand):
        added[side] += points
        if key != "taken" and totals[side] + added[side] >= table.rules.target:
            return tuple(added), side
    return tuple(added), None


def _add_counted(table: Table, tally: Tally, hand: Hand, adjusted: Sequence[int]) -> tuple[Tally, Scored]:
    """Return the score after `hand`, then the points that `hand` scored, in a game without bidding.

    `adjusted` holds the points that each side gets by adjustments between `hand` and the next hand. Negative
    adjustments are added before the hand is counted, and positive adjustments afterward. Counting stops when a side
    reaches the target. If a negative adjustment were added afterward, the game could go on although some points were
    never counted.
    """
    start = tuple(map(add, tally.totals, (min(points, 0) for points in adjusted)))
    delta, winner = _count_out(table, start, hand)
    totals = tuple(sum(column) for column in zip(tally.totals, delta, adjusted, strict=True))
    leaders = leaders_of(totals)
    if winner is None and len(leaders) == 1 and totals[leaders[0]] >= table.rules.target:
        winner = leaders[0]
    outcome = None if winner is None else Outcome(winner, "count_out")
    return Tally(totals, tally.sets, tally.hands + 1, outcome=outcome), Scored(delta, None)


def leaders_of(totals: Sequence[int]) -> list[int]:
    """Return the sides with the highest total."""
    best = max(totals)
    return [side for side, total in enumerate(totals) if total == best]


def best_of_others(totals: Sequence[int], lost: Collection[int]) -> int | None:
    """Return the side with the highest total among the sides not in `lost`, or None if several are tied."""
    others = [side for side in range(len(totals)) if side not in lost]
    best = [side for side in others if totals[side] == max(totals[other] for other in others)]
    return best[0] if len(best) == 1 else None


def too_low(rules: Ruleset, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the sides that lose the game because their score is too far below zero."""
    if rules.lose_at_minus is None:
        return ()
    return tuple(side for side, total in enumerate(totals) if total <= -rules.lose_at_minus)


def lead_of(totals: Sequence[int], side: int) -> int:
    """Return how many points `side` is ahead of the best other side. The number is negative if `side` is behind."""
    return totals[side] - max(total for other, total in enumerate(totals) if other != side)


def lead_to_win(rules: Ruleset) -> int:
    """Return by how many points a side at the target must be ahead of the others to win.

    If the option `bidder_lead` is 0, the bidder needs no lead. The result is 1 even then, so the caller must handle the
    bidder separately.
    """
    return max(rules.bidder_lead, 1) if rules.finish == "bidder_first" else rules.win_by


def pitch_tricks(rules: Ruleset) -> int | None:
    """Return how many tricks a pitch promises, or None if a pitch promises points (RULES 4 and 10)."""
    return {"tricks": 4, "tricks_all": rules.tricks}.get(rules.pitch_test)


def _made(table: Table, hand: Hand, took: int) -> bool:
    bid = hand.bid
    assert bid is not None
    promised = pitch_tricks(table.rules) if bid == "pitch" else None
    return took >= bid_value(table, bid) if promised is None else (hand.tricks or 0) >= promised


def dearest_set(table: Table) -> int:
    """Return the most points that a side can lose by being set once at this table."""
    doubled = table.rules.set_penalty == "double_shortfall"
    return max(table.most * (2 if doubled else 1), table.most + table.rules.slam_worth)


def _bidder_change(table: Table, total: int, bid: Bid, took: int, made: bool) -> int:
    if made:
        if bid == "moon":
            return max(table.rules.target - total, 0) if total >= 0 else -total
        return bid_value(table, bid) if bid == "pitch" or table.rules.made_scores == "bid" else took
    value = bid_value(table, bid)
    penalty = 2 * (value - took) if table.rules.set_penalty == "double_shortfall" and isinstance(bid, int) else value
    return -_cost(table.rules, total, penalty)


def _cost(rules: Ruleset, total: int, penalty: int) -> int:
    return min(penalty, max(total, 0)) if rules.negative == "floor_zero" else penalty


class AfterHand(NamedTuple):
    """A hand that was just scored, with all that decides whether the game is over.

    `before` and `after` are the scores before and after the hand; `after` doesn't say yet whether the game is over.
    `ours` are the sides that share the bid, and `made` is whether they made the bid.
    """

    before: Tally
    after: Tally
    ours: tuple[int, ...]
    made: bool


_End = tuple[Outcome | None, bool]
"""How the game ended, or None if it goes on, and then whether one more hand has to settle a tie."""


def ending_of(rules: Ruleset, hand: Hand, played: AfterHand) -> _End:
    """Return how a hand ended the game, and whether one more hand has to settle a tie (RULES 1, 4 and 7).

    The first result is None if the game goes on. Only the bid is read from `hand`, in case it is a pitch or a moon.
    Everything else is read from `played`.
    """
    us = played.ours[0]
    if isinstance(hand.bid, str) and played.made and played.before.totals[us] >= 0:
        return Outcome(us, hand.bid), False
    if hand.bid == "moon" and not played.made:
        return Outcome(best_of_others(played.after.totals, played.ours), "moon_failed"), False
    if rules.max_sets is not None and played.after.sets[us] >= rules.max_sets:
        return Outcome(1 - us, "max_sets"), False
    end = _FINISHES[rules.finish](rules, played)
    if rules.lose_at_minus is not None and end[0] is None:
        lost = too_low(rules, played.after.totals)
        return (Outcome(best_of_others(played.after.totals, lost), "lose_at"), False) if lost else end
    return end


def _bid_out(rules: Ruleset, played: AfterHand) -> _End:
    totals = played.after.totals
    if played.made or rules.go_out == "take":
        for side in may_go_out(rules, played.ours):
            if totals[side] >= rules.target and lead_of(totals, side) >= rules.win_by:
                return Outcome(side, "bid_out"), False
    return None, False


def _bidder_first(rules: Ruleset, played: AfterHand) -> _End:
    totals = played.after.totals
    bidder = played.ours[0]
    if played.made and totals[bidder] >= rules.target:
        ahead = rules.bidder_lead == 0 or lead_of(totals, bidder) >= rules.bidder_lead
        return Outcome(bidder, "bidder_first") if ahead else None, False
    top = max(totals)
    if top >= rules.target and lead_of(totals, totals.index(top)) >= max(rules.bidder_lead, 1):
        return Outcome(totals.index(top), "most"), False
    return None, False


def _highest(rules: Ruleset, played: AfterHand) -> _End:
    totals = played.after.totals
    settles = played.before.level and rules.tie_break_round == "decides"
    if max(totals) < rules.target and not settles:
        return None, False
    leaders = leaders_of(totals)
    if settles:
        return (Outcome(leaders[0], "tie_break"), False) if len(leaders) == 1 else (None, True)
    if len(leaders) > 1:
        if rules.tie == "bidder" and played.ours[0] in leaders:
            return Outcome(played.ours[0], "tie_bidder"), False
        return None, rules.tie == "one_more_hand"
    if lead_of(totals, leaders[0]) >= rules.win_by:
        return Outcome(leaders[0], "highest"), False
    return None, False


def _fixed_hands(rules: Ruleset, played: AfterHand) -> _End:
    if played.after.hands < (rules.hands_limit or 0):
        return None, False
    leaders = leaders_of(played.after.totals)
    return (Outcome(leaders[0], "fixed_hands") if len(leaders) == 1 else None), False


_FINISHES: Mapping[str, Callable[[Ruleset, AfterHand], _End]] = {
    "bid_out": _bid_out,
    "bidder_first": _bidder_first,
    "highest": _highest,
    "fixed_hands": _fixed_hands,
}
