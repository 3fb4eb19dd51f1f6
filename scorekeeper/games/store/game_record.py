"""A game as a record: what its log comes to, for people and other programs."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.rules.game import Adjustment, Game
from scorekeeper.rules.record import CONCEDED, Agreed, write_record


def game_record(game: Game, names: Sequence[str]) -> dict[str, object]:
    """Return the record of a game with the names by seat: what counts, and how it ended where hands do not say it."""
    extra = {key: value for key, value in game.extra.items() if key not in ("abandoned", CONCEDED)}
    if game.outcome is not None and game.outcome.rule == "abandoned":
        extra["abandoned"] = True
    counted = game.counted
    hands = [line.entry.hand for line in counted if line.is_hand]
    agreed = [
        Agreed(line.number, what.side, what.points, what.reason)
        for line in counted
        if isinstance(what := line.entry.what, Adjustment)
    ]
    parts = (game.table, names, game.first_dealer, hands)
    return write_record(*parts, final=game.final, agreed=agreed, extra=extra, outcome=game.outcome)
