"""Find the winner of a game from its final score, or else the sides that may have won (RULES 10).

The totals of a game on paper do not always show the winner. For example, a bidder may win with 11 points against 12 if
the rules let the bidder go out first. `judge_final` returns the result that the totals show. `winners_for` returns the
sides that can have won in a given way. `check_ending` checks the ending that the players entered.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import (
    best_of_others,
    dearest_set,
    lead_of,
    lead_to_win,
    leaders_of,
    point_value,
    too_low,
)
from scorekeeper.rules.table import Table

Status = Literal["decided", "ask", "question"]

BY_THE_RULES = ("target", "pitch", "moon", "max_sets", "lose_at")
BY_AGREEMENT = ("conceded", "time", "agreed")
ENDED_BY = (*BY_THE_RULES, *BY_AGREEMENT)
"""Ways for a game to end, as in a record. The first five are decided by the rules, the others by the players."""

LEADER, LEVEL, THERE, NOBODY = "leader", "level", "there", "nobody"
"""Possible winners: the side ahead, the sides tied at the top, every side at the target, or nobody."""

TABLE: Mapping[str, Mapping[str, str]] = {
    "bid_out": {"short": NOBODY, "level": NOBODY, "close": NOBODY, "clear": LEADER},
    "bidder_first": {"short": NOBODY, "level": THERE, "close": THERE, "clear": THERE},
    "bidder_first, with a lead": {"short": NOBODY, "level": NOBODY, "close": NOBODY, "clear": LEADER},
    "highest": {"short": NOBODY, "level": NOBODY, "close": NOBODY, "clear": LEADER},
    "highest, a tie to the bidder": {"short": NOBODY, "level": LEVEL, "close": NOBODY, "clear": LEADER},
    "highest, one more hand decides": {"short": NOBODY, "level": NOBODY, "close": LEADER, "clear": LEADER},
    "count_out": {"short": NOBODY, "level": NOBODY, "close": NOBODY, "clear": LEADER},
    "fixed_hands": {"short": LEADER, "level": NOBODY, "close": LEADER, "clear": LEADER},
}
"""Maps each finish rule, and then each shape of the totals, to the sides that can have won at the target (RULES 10).

Shapes: "short": nobody is at the target. "level": a tie at the top, at the target or above. "close": one side leads by
less than `win_by`. "clear": one side leads by `win_by` or more.
"""


@dataclass(frozen=True, slots=True)
class FinalVerdict:
    """What a final score says about the winner. `status` is one of three values.

    - "decided": the only side in `candidates` won.
    - "ask": the players must say which side of `candidates` won.
    - "question": the score cannot be final under these rules, for the reason `why`. The players must say how the game
      ended, and also who won if `winners_for` returns several sides.
    """

    status: Status
    candidates: tuple[int, ...] = ()
    why: Phrase | None = None

    @property
    def winner(self) -> int | None:
        """Return the winner (a side) if the score decides it, else None."""
        return self.candidates[0] if self.status == "decided" else None


def judge_final(table: Table, totals: Sequence[int]) -> FinalVerdict:
    """Return what the final score `totals`, by side, says about the winner under the rules of `table`."""
    cannot_be = _impossible(table, totals)
    if cannot_be is not None:
        return FinalVerdict("question", why=cannot_be)
    lost = _by_limit(table, totals)
    by_target = tuple(side for side in lost if side is not None) if lost else _by_target(table, totals)
    # A score that is too low was the last bidder's, who made no pitch and no moon, unless a defender revoked. A moon
    # that failed can be a partner's too.
    alone = lost and not table.called and not table.rules.revoke_costs_bid
    ways = () if alone else (_by_pitch, _by_moon, _by_sets)
    special = {side for way in ways for side in way(table, totals)}
    # In a game to bid out, take a side with enough of a lead for the winner. The table can still correct it.
    if len(by_target) == 1 and (special <= set(by_target) or table.rules.finish == "bid_out"):
        return FinalVerdict("decided", by_target)
    candidates = tuple(sorted(side for side in special.union(by_target) if side is not None))
    return (
        FinalVerdict("ask", candidates) if candidates else FinalVerdict("question", why=_why_not_final(table, totals))
    )


def winners_for(table: Table, totals: Sequence[int], ended_by: str) -> tuple[int | None, ...]:
    """Return the sides that can have won with `totals` if the game ended by `ended_by` (one of `ENDED_BY`).

    The result contains None if the game may have ended without a winner. The result is () if the game can't have ended
    by `ended_by`.
    """
    return _WAYS[ended_by](table, totals)


def endings_for(table: Table, totals: Sequence[int], winner: int | None) -> tuple[str, ...]:
    """Return the possible endings of a game with these `totals` and this `winner`, in the order of `ENDED_BY`.

    `winner` is a side, or None for no winner.
    """
    return tuple(way for way in ENDED_BY if winner in _WAYS[way](table, totals))


def check_way(table: Table, totals: Sequence[int], winner: int | None, ended_by: str) -> None:
    """Raise `RuleViolation` unless a game with these `totals` and this `winner` can end by `ended_by`.

    `winner` is a side, or None for no winner. `ended_by` is one of `ENDED_BY`.
    """
    if winner not in _WAYS[ended_by](table, totals):
        raise RuleViolation("ended_by", _why_not_so(table, winner, ended_by), field="winner")


def check_ending(table: Table, totals: Sequence[int], winner: int | None, ended_by: str) -> None:
    """Raise `RuleViolation` unless a game known only by its `totals` can have ended with this winner in this way.

    `winner` is a side, or None for no winner. `ended_by` is one of `ENDED_BY`. A violation is also raised if the score
    shows that another side won.
    """
    check_way(table, totals, winner, ended_by)
    sure = judge_final(table, totals).winner
    # A side that must bid out can have been at the target without winning.
    open_still = ended_by in BY_THE_RULES or (ended_by == "conceded" and table.rules.finish == "bid_out")
    if sure is not None and sure != winner and not open_still:
        message = Phrase("By this score, another side won.")
        raise RuleViolation("winner_decided", message, field="winner")


def _row(rules: Ruleset) -> Mapping[str, str]:
    if rules.finish == "bidder_first" and rules.bidder_lead:
        return TABLE["bidder_first, with a lead"]
    if rules.finish != "highest":
        return TABLE[rules.finish]
    if rules.tie == "bidder":
        return TABLE["highest, a tie to the bidder"]
    decides = rules.tie == "one_more_hand" and rules.tie_break_round == "decides"
    return TABLE["highest, one more hand decides" if decides else "highest"]


def _shape(rules: Ruleset, totals: Sequence[int]) -> str:
    leaders = leaders_of(totals)
    if totals[leaders[0]] < rules.target and rules.finish != "fixed_hands":
        return "short"
    if len(leaders) > 1:
        return "level"
    return "close" if lead_of(totals, leaders[0]) < lead_to_win(rules) else "clear"


def _by_target(table: Table, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the sides that can have won by reaching the target."""
    rules = table.rules
    leaders = tuple(leaders_of(totals))
    found = _row(rules)[_shape(rules, totals)]
    if found != THERE:
        return () if found == NOBODY else leaders
    return tuple(
        side
        for side, total in enumerate(totals)
        if total >= rules.target and _fits_a_last_hand(table, totals, side, leads=leaders == (side,))
    )


def _fits_a_last_hand(table: Table, totals: Sequence[int], side: int, *, leads: bool) -> bool:
    """Return whether `side` can have won in a last hand with `totals` after it, under the finish rule `bidder_first`.

    `leads` means that no other side has as many points. If `leads` is False, `side` must have made the bid. The game
    must still have been undecided before the last hand. That means that no side had reached the target, or that several
    sides were tied at the top.
    """
    rules = table.rules
    several = len(totals) > 2
    if leads and several:
        return True
    top = max(totals)
    for most in (rules.target - 1, *(range(max(rules.target, top - table.most_scored), top + 1) if several else ())):
        ours = max(0 if leads or rules.revoke_costs_bid else rules.bid_min, totals[side] - most)
        others = [total - most for other, total in enumerate(totals) if other != side and total >= most]
        shared = len(others) + (totals[side] - most >= min(rules.bid_min, ours)) >= 2
        if fewest_points(table, ours, others) <= table.most_scored and (shared or most < rules.target):
            return True
    return False


def fewest_points(table: Table, ours: int, others: Sequence[int]) -> int:
    """Return the smallest total of a hand that can give each side at least the points that the side needs.

    The bidder's side needs `ours` points. `others` holds the points that each other side needs.
    """
    if not table.called:
        return ours + sum(others)
    # All defenders get the same points, and the called partner those of the bidder: best the one that needs most.
    partner, *defenders = sorted((*others, 0), reverse=True)
    return min(max(ours, partner) + max(defenders, default=0), ours + max(others, default=0))


def _by_pitch(table: Table, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the sides that can have won by a pitch, which is worth all points of a hand.

    A side with a negative score can't win by a pitch, so the winner's total must be at least the points of a hand. If
    only taking all the points makes a pitch, the other sides took no points in the last hand. In that case, a side is
    left out if the game would already have been over before the last hand.
    """
    if table.rules.special_bid != "pitch":
        return ()
    # A revoke makes a pitch, too.
    all_points = table.rules.pitch_test == "points" and not table.rules.revoke_costs_bid
    return tuple(
        side
        for side, total in enumerate(totals)
        if total >= table.most_scored
        and not (
            all_points and all(_over_before(table, totals, ours, -table.most_scored) for ours in _bidding(table, side))
        )
    )


def _by_moon(table: Table, totals: Sequence[int]) -> tuple[int | None, ...]:
    """Return the sides that can have won because of a moon bid, made or failed.

    A side that makes a moon gets at least the target score. After a failed moon, another side wins. The result contains
    None if several sides may be tied for the win after a failed moon.
    """
    if table.rules.special_bid != "moon":
        return ()
    leaders = leaders_of(totals)
    # Of three sides or more, two may be tied or too close at the target when a third shoots the moon.
    close = len(totals) > 2 and lead_of(totals, leaders[0]) < lead_to_win(table.rules)
    free = close or not _leader_wins(table.rules) or table.rules.revoke_costs_bid
    made = {side for side, total in enumerate(totals) if total >= table.rules.target and (free or side in leaders)}
    return _in_order(made | _others_failed(table, totals, table.most))


def _by_sets(table: Table, totals: Sequence[int]) -> tuple[int | None, ...]:
    """Return the sides that can have won because another side was set too often.

    The result contains None if several sides may be tied for the win.
    """
    if table.rules.max_sets is None:
        return ()
    least = max(table.rules.bid_min, 1) if table.rules.set_penalty == "bid" else 2
    return _in_order(_others_failed(table, totals, least))


def _by_limit(table: Table, totals: Sequence[int]) -> tuple[int | None, ...]:
    """Return a tuple with the winner if a side lost the game by being too far below zero, else ().

    The winner is the other side with the highest total, or None if several other sides share the highest total.
    """
    lost = too_low(table.rules, totals)
    return (best_of_others(totals, lost),) if lost else ()


def _in_order(winners: Collection[int | None]) -> tuple[int | None, ...]:
    return (*sorted(side for side in winners if side is not None), *([None] if None in winners else []))


def _others_failed(table: Table, totals: Sequence[int], cost: int) -> set[int | None]:
    """Return the sides that can have won because another side lost the game in the last hand.

    `cost` is how many points the losing side is assumed to have lost in that hand. The side with the highest total
    among the remaining sides wins. The result contains None if several sides may be tied for the win. Cases in which a
    side had already won before the last hand are left out.
    """
    stopped_at_zero = table.rules.negative == "floor_zero"
    return {
        best_of_others(totals, lost)
        for side, total in enumerate(totals)
        for lost in _bidding(table, side)
        if not _over_before(table, totals, lost, 0 if stopped_at_zero and total == 0 else cost)
    }


def _bidding(table: Table, bidder: int) -> tuple[tuple[int, ...], ...]:
    """Return every possible group of sides that share the bid if a player of side `bidder` wins the auction.

    The first group is the bidder's side alone. If the bidder calls a partner, more groups follow. Each holds the
    bidder's side and the side of one possible partner.
    """
    partners = [side for side in range(len(table.sides)) if side != bidder] if table.called else []
    return ((bidder,), *((bidder, partner) for partner in partners))


def _over_before(table: Table, totals: Sequence[int], ours: Collection[int], change: int) -> bool:
    """Return whether a side had already won before the last hand, in which the sides `ours` shared the bid.

    The total of each side in `ours` before that hand is its final total plus `change`. If `change` is positive, these
    sides lost points in the hand. Other sides may then have gained points, so a high total of another side proves
    nothing.
    """
    rules = table.rules
    if not _leader_wins(rules):
        return False
    before = [total + change * (other in ours) for other, total in enumerate(totals)]
    leaders = leaders_of(before)
    if before[leaders[0]] < rules.target or len(leaders) > 1:
        return False
    return lead_of(before, leaders[0]) >= lead_to_win(rules) and (leaders[0] in ours or change < 0)


def _leader_wins(rules: Ruleset) -> bool:
    """Return whether a side wins by reaching the target with a big enough lead, no matter who bid."""
    return rules.finish == "highest" or (rules.finish == "bidder_first" and not rules.bidder_lead)


def _by_time(table: Table, totals: Sequence[int]) -> tuple[int | None, ...]:
    """Return the sides that can have won when time ran out.

    The result is the side that is ahead. If several sides are tied for the lead, the result is these sides, followed by
    None for a draw.
    """
    leaders = leaders_of(totals)
    return (leaders[0],) if len(leaders) == 1 else (*leaders, None)


_WAYS: Mapping[str, Callable[[Table, Sequence[int]], tuple[int | None, ...]]] = {
    "target": _by_target,
    "pitch": _by_pitch,
    "moon": _by_moon,
    "max_sets": _by_sets,
    "lose_at": _by_limit,
    "conceded": lambda table, totals: tuple(range(len(totals))),
    "time": _by_time,
    "agreed": lambda table, totals: (*range(len(totals)), None),
}


def _impossible(table: Table, totals: Sequence[int]) -> Phrase | None:
    """Return the reason why no game by these rules can end with these totals, or None if a game can."""
    rules = table.rules
    top, lowest = max(totals), min(totals)
    if rules.negative == "floor_zero" and lowest < 0:
        return Phrase("Scores don't go below zero at this table.")
    lost = too_low(rules, totals)
    if len(lost) > 1 + table.called or any(totals[side] <= _limit(table) - dearest_set(table) for side in lost):
        return Phrase("By these rules, the game is over before a score is that low.")
    if rules.finish == "bid_out":
        # A defender's points have no upper limit.
        return None
    most = rules.hands_limit * table.most_scored if rules.finish == "fixed_hands" and rules.hands_limit else 0
    if rules.finish != "fixed_hands":
        most = rules.target - 1 + (_most_at_once(rules) if rules.finish == "count_out" else table.most_scored)
    # Only a tie at the top lets a game go on beyond that, and then others were just as high a hand ago; of two sides
    # one is the bidder, so there is none where the bidder goes out first.
    if rules.finish == "bidder_first" and not rules.bidder_lead and len(totals) == 2 and top > most:
        return _too_high(totals)
    if _first_there_wins(table) and (top > most or sum(total >= rules.target for total in totals) > 1):
        return _too_high(totals)
    close = lead_to_win(rules) - 1 if rules.finish in ("bidder_first", "highest") else 0
    runner_up = top - lead_of(totals, leaders_of(totals)[0])
    before = top - table.most_scored - close
    if rules.finish == "bidder_first" and rules.bidder_lead:
        # A bidder who reached the target without the lead keeps a side that has it from winning.
        before = min(before, rules.target)
    if top > most and runner_up < before - dearest_set(table):
        return _too_high(totals)
    return None


def _limit(table: Table) -> int:
    return -(table.rules.lose_at_minus or 0)


def _first_there_wins(table: Table) -> bool:
    """Return whether the game always ends as soon as one side reaches the target.

    The result is True if points are counted one by one (`count_out`). The result is also True if only one side gains
    points in each hand and a lead of 1 is enough to win.
    """
    rules = table.rules
    one_gains = not rules.defenders_score and not table.called
    return rules.finish == "count_out" or (one_gains and _leader_wins(rules) and lead_to_win(rules) == 1)


def _most_at_once(rules: Ruleset) -> int:
    """Return the most points that one category or the turned-up card can score.

    If counting stops at the target, this is the most that the last counted point can add to a total.
    """
    return max(
        *rules.turned_up_worth.values(), *(point_value(rules, category, hung=True) for category in rules.categories)
    )


def _too_high(totals: Sequence[int]) -> Phrase:
    rest = max(totals) - lead_of(totals, leaders_of(totals)[0])
    return Phrase("By these rules, no game can end %(top)s to %(rest)s.", top=max(totals), rest=rest)


def _why_not_final(table: Table, totals: Sequence[int]) -> Phrase:
    rules = table.rules
    top = max(totals)
    shape = _shape(rules, totals)
    if rules.finish == "bidder_first" and not rules.bidder_lead and shape != "short":
        return _too_high(totals)
    if too_low(rules, totals):
        return Phrase("Nobody won: the sides that are left are tied.")
    if shape == "short":
        return Phrase("Nobody has reached %(target)s.", target=rules.target)
    if shape == "level":
        return Phrase("It's tied at %(total)s, so the game isn't over.", total=top)
    lead = lead_of(totals, leaders_of(totals)[0])
    return Phrase(
        "%(total)s to %(rest)s is only %(lead)s ahead, and you must win by %(win_by)s.",
        total=top,
        rest=top - lead,
        lead=lead,
        win_by=lead_to_win(rules),
    )


def _why_not_so(table: Table, winner: int | None, ended_by: str) -> Phrase:
    rules = table.rules
    unknown = {
        "pitch": (rules.special_bid != "pitch", Phrase("You can't bid a pitch in this game.")),
        "moon": (rules.special_bid != "moon", Phrase("You can't bid a moon in this game.")),
        "lose_at": (rules.lose_at_minus is None, Phrase("At this table, nobody loses by a low score.")),
        "max_sets": (rules.max_sets is None, Phrase("At this table, nobody loses by sets.")),
    }
    if ended_by in unknown and unknown[ended_by][0]:
        return unknown[ended_by][1]
    if ended_by == "time":
        return Phrase("When time runs out, the side ahead wins.")
    if winner is None:
        return Phrase("Choose the winner. Only a game that ran out of time or was called off has none.")
    return Phrase("With this score, that side can't have won that way.")
