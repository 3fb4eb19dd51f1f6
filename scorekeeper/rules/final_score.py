"""Find the winner of a game from its final score, or the sides to ask about (RULES 10).

Totals on paper do not always show the winner: the bidder goes out first with 11 against 12. `judge_final` returns the
result that the totals show, `winners_for` the sides that can have won in a given way, and `check_ending` checks the
ending that a table entered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.rules.scoring import dearest_set, lead_of, leaders_of
from scorekeeper.rules.table import Table
from scorekeeper.rules.violation import RuleViolation

Status = Literal["decided", "ask", "question"]

BY_THE_RULES = ("target", "pitch", "moon", "max_sets")
BY_AGREEMENT = ("conceded", "time", "agreed")
ENDED_BY = (*BY_THE_RULES, *BY_AGREEMENT)
"""Ways for a game to end, as in a record. The first four depend on the rules."""

LEADER, LEVEL, THERE, NOBODY = "leader", "level", "there", "nobody"
"""Possible winners: the side ahead, the sides tied at the top, every side at the target, or nobody yet."""

TABLE: Mapping[str, Mapping[str, str]] = {
    "bid_out": {"short": NOBODY, "level": NOBODY, "close": NOBODY, "clear": LEADER},
    "bidder_first": {"short": NOBODY, "level": THERE, "close": THERE, "clear": THERE},
    "highest": {"short": NOBODY, "level": NOBODY, "close": NOBODY, "clear": LEADER},
    "highest, a tie to the bidder": {"short": NOBODY, "level": LEVEL, "close": NOBODY, "clear": LEADER},
    "highest, one more hand decides": {"short": NOBODY, "level": NOBODY, "close": LEADER, "clear": LEADER},
    "fixed_hands": {"short": LEADER, "level": NOBODY, "close": LEADER, "clear": LEADER},
}
"""Maps the finish rule and the shape of the totals to the possible winners by the target (RULES 10).

Shapes: "short": nobody is at the target. "level": a tie at the top, at the target or above. "close": one side leads
by less than `win_by`. "clear": it leads by that or more.
"""


@dataclass(frozen=True, slots=True)
class FinalVerdict:
    """What a final score shows.

    "decided": `winner` won, no other side can have. "ask": ask who won, one of `candidates`. "question": the score
    cannot be final under these rules because of `why`; ask how the game ended, then who won if `winners_for` leaves
    a choice.
    """

    status: Status
    candidates: tuple[int, ...] = ()
    why: Phrase | None = None

    @property
    def winner(self) -> int | None:
        """Return the winner if the score decides it, else None."""
        return self.candidates[0] if self.status == "decided" else None


def judge_final(table: Table, totals: Sequence[int]) -> FinalVerdict:
    """Return the result that `totals`, by side, show as a final score under the rules of `table`."""
    cannot_be = _impossible(table, totals)
    if cannot_be is not None:
        return FinalVerdict("question", why=cannot_be)
    by_target = _by_target(table, totals)
    special = {side for way in (_by_pitch, _by_moon, _by_sets) for side in way(table, totals)}
    # In a game to bid out, take a side with enough of a lead for the winner. The table can still correct it.
    if len(by_target) == 1 and (special <= set(by_target) or table.rules.finish == "bid_out"):
        return FinalVerdict("decided", by_target)
    candidates = tuple(sorted(special.union(by_target)))
    return (
        FinalVerdict("ask", candidates) if candidates else FinalVerdict("question", why=_why_not_final(table, totals))
    )


def winners_for(table: Table, totals: Sequence[int], ended_by: str) -> tuple[int | None, ...]:
    """Return the sides that can have won with `totals` if the game ended by `ended_by` (one of `ENDED_BY`).

    None among them means that it can have ended without a winner. Returns () if the game can't have ended that way.
    """
    return _WAYS[ended_by](table, totals)


def endings_for(table: Table, totals: Sequence[int], winner: int | None) -> tuple[str, ...]:
    """Return the ways (`ENDED_BY`, in that order) in which a game with `totals` can have ended with this winner.

    `winner` None means no winner.
    """
    return tuple(way for way in ENDED_BY if winner in _WAYS[way](table, totals))


def check_way(table: Table, totals: Sequence[int], winner: int | None, ended_by: str) -> None:
    """Raise `RuleViolation` unless a game can end by `ended_by` with `totals`. `winner` None means no winner."""
    if winner not in _WAYS[ended_by](table, totals):
        raise RuleViolation("ended_by", _why_not_so(table, winner, ended_by), field="winner")


def check_ending(table: Table, totals: Sequence[int], winner: int | None, ended_by: str) -> None:
    """Raise `RuleViolation` unless a game known only by `totals` can have ended by `ended_by`.

    `winner` None means no winner. A score that gives the game to another side is refused too.
    """
    check_way(table, totals, winner, ended_by)
    sure = judge_final(table, totals).winner
    # A side that must bid out can have been at the target without winning.
    open_still = ended_by in BY_THE_RULES or (ended_by == "conceded" and table.rules.finish == "bid_out")
    if sure is not None and sure != winner and not open_still:
        message = Phrase("By this score, another side won.")
        raise RuleViolation("winner_decided", message, field="winner")


def _row(rules: Ruleset) -> Mapping[str, str]:
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
    return "close" if lead_of(totals, leaders[0]) < rules.win_by else "clear"


def _by_target(table: Table, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the sides that can have won by the target."""
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
    """Return whether one hand can bring `side` to its total with no game won before it (`bidder_first`).

    A side that others overtook or tied must have made the bid; a side that leads need not. Before the hand, no single
    side was above `most`: all were below the target or, with three sides or more, tied at the top.
    """
    rules = table.rules
    several = len(totals) > 2
    if leads and several:
        return True
    top = max(totals)
    for most in (rules.target - 1, *(range(max(rules.target, top - table.most), top + 1) if several else ())):
        ours = max(0 if leads else rules.bid_min, totals[side] - most)
        others = [total - most for other, total in enumerate(totals) if other != side and total >= most]
        shared = len(others) + (totals[side] - most >= rules.bid_min) >= 2
        if ours + sum(others) <= table.most and (shared or most < rules.target):
            return True
    return False


def _by_pitch(table: Table, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the sides that can have won by a pitch from zero or above, worth every point unless by tricks."""
    if table.rules.special_bid != "pitch":
        return ()
    all_points = table.rules.pitch_test == "points"
    return tuple(
        side
        for side, total in enumerate(totals)
        if total >= table.most and not (all_points and _over_before(table, totals, side, -table.most))
    )


def _by_moon(table: Table, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the sides that can have won on a moon: made, it sets the score to the target; failed, the other wins."""
    if table.rules.special_bid != "moon":
        return ()
    free = table.rules.finish not in ("bidder_first", "highest")
    made = (side for side, total in enumerate(totals) if total >= table.rules.target)
    return tuple(
        sorted(
            {side for side in made if free or side in leaders_of(totals)} | _others_failed(table, totals, table.most)
        )
    )


def _by_sets(table: Table, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the sides that can have won because the other was set too often, whatever the score."""
    if table.rules.max_sets is None:
        return ()
    least = table.rules.bid_min if table.rules.set_penalty == "bid" else 2
    return tuple(sorted(_others_failed(table, totals, least)))


def _others_failed(table: Table, totals: Sequence[int], cost: int) -> set[int]:
    """Return the sides, of two, whose opponents can have lost this much in the last hand, with no winner before it."""
    stopped_at_zero = table.rules.negative == "floor_zero"
    return {
        1 - side
        for side, total in enumerate(totals)
        if not _over_before(table, totals, side, 0 if stopped_at_zero and total == 0 else cost)
    }


def _over_before(table: Table, totals: Sequence[int], side: int, change: int) -> bool:
    """Return whether a side had won before the last hand, which changed `side`'s total by `change`.

    If it lost points, the others may have scored in that hand and had less before.
    """
    rules = table.rules
    if rules.finish not in ("bidder_first", "highest"):
        return False
    before = [total + change * (other == side) for other, total in enumerate(totals)]
    leaders = leaders_of(before)
    if before[leaders[0]] < rules.target or len(leaders) > 1:
        return False
    wanted = rules.win_by if rules.finish == "highest" else 1
    return lead_of(before, leaders[0]) >= wanted and (leaders[0] == side or change < 0)


def _by_time(table: Table, totals: Sequence[int]) -> tuple[int | None, ...]:
    """Return the possible winners on time: the side ahead; in a tie, a draw or one of the tied sides."""
    leaders = leaders_of(totals)
    return (leaders[0],) if len(leaders) == 1 else (*leaders, None)


_WAYS: Mapping[str, Callable[[Table, Sequence[int]], tuple[int | None, ...]]] = {
    "target": _by_target,
    "pitch": _by_pitch,
    "moon": _by_moon,
    "max_sets": _by_sets,
    "conceded": lambda table, totals: tuple(range(len(totals))),
    "time": _by_time,
    "agreed": lambda table, totals: (*range(len(totals)), None),
}


def _impossible(table: Table, totals: Sequence[int]) -> Phrase | None:
    """Return why no game by these rules can end with these numbers, for any winner."""
    rules = table.rules
    top, lowest = max(totals), min(totals)
    if rules.negative == "floor_zero" and lowest < 0:
        return Phrase("Scores don't go below zero at this table.")
    if rules.finish == "bid_out":
        # A defender's points have no upper limit.
        return None
    most = rules.hands_limit * table.most if rules.finish == "fixed_hands" and rules.hands_limit else 0
    if rules.finish != "fixed_hands":
        most = rules.target - 1 + table.most
    # Only a tie at the top lets a game go on beyond that, and then others were just as high a hand ago; of two sides
    # one is the bidder, so there is none where the bidder goes out first.
    if rules.finish == "bidder_first" and len(totals) == 2 and top > most:
        return _too_high(totals)
    close = rules.win_by - 1 if rules.finish == "highest" else 0
    runner_up = top - lead_of(totals, leaders_of(totals)[0])
    if top > most and runner_up < top - table.most - dearest_set(table) - close:
        return _too_high(totals)
    return None


def _too_high(totals: Sequence[int]) -> Phrase:
    rest = max(totals) - lead_of(totals, leaders_of(totals)[0])
    return Phrase("By these rules, no game can end %(top)s to %(rest)s.", top=max(totals), rest=rest)


def _why_not_final(table: Table, totals: Sequence[int]) -> Phrase:
    rules = table.rules
    top = max(totals)
    shape = _shape(rules, totals)
    if rules.finish == "bidder_first" and shape != "short":
        return _too_high(totals)
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
        win_by=rules.win_by,
    )


def _why_not_so(table: Table, winner: int | None, ended_by: str) -> Phrase:
    rules = table.rules
    unknown = {
        "pitch": (rules.special_bid != "pitch", Phrase("You can't bid a pitch in this game.")),
        "moon": (rules.special_bid != "moon", Phrase("You can't bid a moon in this game.")),
        "max_sets": (rules.max_sets is None, Phrase("At this table, nobody loses by sets.")),
    }
    if ended_by in unknown and unknown[ended_by][0]:
        return unknown[ended_by][1]
    if ended_by == "time":
        return Phrase("When time runs out, the side ahead wins.")
    if winner is None:
        return Phrase("Choose the winner. Only a game that ran out of time or was called off has none.")
    return Phrase("With this score, that side can't have won that way.")
