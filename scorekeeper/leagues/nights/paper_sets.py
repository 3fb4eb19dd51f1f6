"""Enter the sets of a table where only the final score was entered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.nights.table_disputes import ONLY_DESK, AtTable, scored_table
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

MOST_SETS = 50
"""Sets of one side in a game. More are a typing error."""


@use_case
def tell_sets(*, night: str, table: int, sets: Sequence[int], device: str, now: datetime | None = None) -> None:
    """Save the sets, by side, of a table (its id) with a final score.

    Allowed for phones that may score the game and for helpers; once the result is fixed, phones can only add sets that
    nobody has entered. Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` for a game with hands, for
    impossible sets, if only the desk can change them, and if the night is closed.
    """
    with scored_table(night, table, device, now) as at:
        tell_sets_there(at, sets)


def tell_sets_there(at: AtTable, sets: Sequence[int]) -> None:
    """Do the same as `tell_sets` in the caller's transaction."""
    before = at.row.paper_sets
    if before == list(sets):
        return
    if not (at.game.ended_by or "").startswith("final"):
        raise RuleViolation("not_final", "Enter the final score first. With hands, sets are counted from them.")
    if len(sets) != len(at.game.totals) or not all(0 <= each <= MOST_SETS for each in sets):
        message = Phrase("Enter the sets of each side, from 0 to %(most)s.", most=MOST_SETS)
        raise RuleViolation("sets", message, field="sets")
    if before is not None and at.standing.fixed(at.begun) and not at.helps:
        raise ONLY_DESK
    at.row.paper_sets = list(sets)
    at.note("sets_told", before=before, after=list(sets))
