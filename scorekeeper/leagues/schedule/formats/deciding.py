"""How a game counts for the night that has played its hands, or was stopped."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.leagues.schedule.formats.night import GameVerdict, Option, Stand
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

ONE_MORE = Option("one_more", Phrase("Level at the end: one more hand decides"), 0, 0, 1)


def decide(stand: Stand, *, hands: int | None = None, one_more: bool) -> GameVerdict:
    """Return how a game counts.

    What the rules of the game say is over is over. Else the game goes on until the bell, or until that many `hands`
    are scored; a hand that was dealt when the bell rings is played out. Then most points win. Level: `one_more` hand,
    and another while it stays level, or nobody has won.
    """
    if stand.over:
        return _over(stand)
    if stand.bell and stand.open_hand:
        return GameVerdict("playing", None, Phrase("The hand that was dealt is played out."))
    if not stand.bell and (hands is None or stand.hands < hands):
        return GameVerdict("playing", None, Phrase("The game goes on."))
    leader = in_front(stand.points)
    if leader is not None:
        return GameVerdict("won", leader, Phrase("Most points when it ended."))
    if one_more:
        return GameVerdict("playing", None, Phrase("Level: one more hand decides."))
    return GameVerdict("level", None, Phrase("Level when it ended: nobody has won."))


def without_winner(table: int) -> RuleViolation:
    """Return what keeps the next round waiting: a table of the last one has no winner."""
    return RuleViolation("results", Phrase("Table %(number)s has no winner yet: say who won first.", number=table))


def in_front(points: Sequence[int]) -> int | None:
    """Return the side with more points than every other, None where that place is shared."""
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None


def _over(stand: Stand) -> GameVerdict:
    if stand.winner is None:
        return GameVerdict("level", None, Phrase("The game ended without a winner."))
    return GameVerdict("won", stand.winner, Phrase("Played out."))
