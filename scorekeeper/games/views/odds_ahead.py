"""Calculate win probabilities shortly before a page needs them, so that no phone waits for them."""

from __future__ import annotations

from scorekeeper.insight.solved import is_solvable, is_solved, solve_ahead
from scorekeeper.rules.game import Game
from scorekeeper.web.rate_limit import NEW_ODDS, count


def prepare_odds(game: Game) -> None:
    """Start calculating the win probabilities of a game's rules if a side is halfway to the target.

    Nothing happens if they are known, if there are none, or if many were calculated in the last minute.
    """
    table = game.table
    if 2 * max(game.tally.totals) < table.rules.target or is_solved(table) or not is_solvable(table):
        return
    if not count(NEW_ODDS, "all"):
        solve_ahead(table)
