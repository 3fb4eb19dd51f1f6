"""Enter how often each side was set (failed to make its bid), at a table where only the final score was entered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.nights.table_disputes import AtTable, check_sets, scored_table
from scorekeeper.rules.violation import RuleViolation


@use_case
def tell_sets(*, night: str, table: int, sets: Sequence[int], device: str, now: datetime | None = None) -> None:
    """Save how often each side was set at a table (its id) whose final score was entered without hands.

    A side is set if it fails to make its bid. Directors, helpers and the phones that score the game may do this. Once
    the result is locked for phones, a phone can still add missing numbers of sets, but it can't change saved numbers.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` for a game with hands, for impossible sets,
    if the phone can no longer change the sets, or if the night is closed.
    """
    with scored_table(night, table, device, now) as at:
        tell_sets_there(at, sets)


def tell_sets_there(at: AtTable, sets: Sequence[int]) -> None:
    """Save how often each side of the table `at` was set (failed to make its bid), in the caller's transaction.

    Raises `RuleViolation` as `tell_sets` does.
    """
    before = at.row.paper_sets
    if before == list(sets):
        return
    if not (at.game.ended_by or "").startswith("final"):
        raise RuleViolation("not_final", "Enter the final score first. With hands, sets are counted from them.")
    check_sets(at.game, sets)
    if before is not None and at.standing.fixed and not at.helps:
        raise at.only_desk
    at.row.paper_sets = list(sets)
    at.note("sets_told", before=before, after=list(sets))
