"""Calculate win probabilities shortly before a page needs them, so that no phone waits for them."""

from __future__ import annotations

from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.insight.solved import is_solvable, is_solved, solve_ahead
from scorekeeper.web.rate_limit import NEW_ODDS, count


def prepare_odds(snapshot: Snapshot) -> None:
    """Start calculating the win probabilities of a game's rules if a side is halfway to the target.

    If the home table shows them during the game, start at once. Nothing happens if they are known, if there are none,
    or if many were calculated in the last minute.
    """
    table, totals = snapshot.game.table, snapshot.game.tally.totals
    needed = snapshot.shows_odds or 2 * max(totals) >= table.rules.target
    if not needed or is_solved(table) or not is_solvable(table):
        return
    if not count(NEW_ODDS, "all"):
        solve_ahead(table)
