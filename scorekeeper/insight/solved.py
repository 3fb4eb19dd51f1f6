"""Solve the win probabilities of a table once, and keep them for every game that is played by the same rules."""

from __future__ import annotations

from contextlib import suppress
from threading import Lock, Thread
from typing import TYPE_CHECKING

from cachetools import LRUCache

from scorekeeper.insight.effort import Effort, TooLongError
from scorekeeper.insight.model import Model
from scorekeeper.insight.priors import SIMULATED, has_prior, prior_hands, prior_model
from scorekeeper.rules.scoring import lead_to_win
from scorekeeper.rules.table import Table
from scorekeeper.rules.violation import RuleViolation

if TYPE_CHECKING:
    from scorekeeper.insight.win_odds import WinOdds

KEPT = 16
"""Number of tables whose win probabilities each process keeps. One usually needs a tenth of a megabyte."""
SECONDS, CELLS = 2.5, 300_000
"""Most processor time and memory for one table: array cells of 8 bytes. Tables that need more have no result."""
MOST_TARGET = 21
"""Highest target for which win probabilities are calculated, because higher ones take seconds."""
MOST_SETS = 3
"""Highest limit on sets for which win probabilities are calculated, for the same reason."""
MOST_LEAD = 2
"""Highest lead that a side may need to win, if win probabilities are calculated, for the same reason."""
ENOUGH = 500
"""Minimum number of simulated hands that the house rules allow."""
_known: LRUCache[Table, tuple[Model, WinOdds] | None] = LRUCache(KEPT)
_reading, _solving = Lock(), Lock()


WAIT = 2.5
"""Seconds to wait for another thread that is solving a table. Most take a fifth of a second on an idle server."""


class SolvingError(Exception):
    """Another thread is solving a table at the moment."""


def is_solvable(table: Table) -> bool:
    """Return whether `solved` probably has a result for a table, without calculating anything."""
    rules = table.rules
    short = rules.target <= MOST_TARGET and rules.hands_limit is None and (rules.max_sets or 0) <= MOST_SETS
    short = short and max(rules.win_by, lead_to_win(rules)) <= MOST_LEAD
    return short and len(table.sides) == 2 and rules.has_bids and not table.called and has_prior(table)


def is_solved(table: Table) -> bool:
    """Return whether `solved` already has its result for a table, so that it takes no time."""
    with _reading:
        return table in _known


def solved(table: Table) -> tuple[Model, WinOdds] | None:
    """Return the built-in model of a table and the win probabilities by that model.

    The result is None if the table has no exact win probabilities, if they would take too long to calculate, or if too
    few simulated hands are legal at the table. The first call for a table takes up to `SECONDS`. Raises `SolvingError`
    if another thread is still calculating after `WAIT`, since waiting would occupy a thread that is needed for saving
    hands.
    """
    if not is_solvable(table):
        return None
    with _reading:
        if table in _known:
            return _known[table]
    if not _solving.acquire(timeout=WAIT):
        raise SolvingError
    try:
        with _reading:
            if table in _known:
                return _known[table]
        found = _solve(table)
        with _reading:
            _known[table] = found
        return found
    finally:
        _solving.release()


def solve_ahead(table: Table) -> Thread:
    """Solve a table in a thread of its own, which is returned, so that a page that is needed later finds the result."""

    def solve_quietly() -> None:
        with suppress(SolvingError):
            solved(table)

    thread = Thread(target=solve_quietly, name="odds", daemon=True)
    thread.start()
    return thread


def _solve(table: Table) -> tuple[Model, WinOdds] | None:
    # Imported here, because numpy takes 16 MB of memory, which most processes never need.
    from scorekeeper.insight.win_odds import win_odds

    try:
        model = prior_model(table)
        if model.prior != SIMULATED or prior_hands(table) < ENOUGH:
            return None
        return model, win_odds(table, model, effort=Effort(SECONDS, CELLS))
    except (RuleViolation, TooLongError):
        return None
