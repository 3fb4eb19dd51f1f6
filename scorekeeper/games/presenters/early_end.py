"""The page that asks before a game is ended with nobody at its target."""

from __future__ import annotations

from functools import reduce

from scorekeeper.games import pages
from scorekeeper.games.presenters.snapshot import Snapshot, new_tap_id
from scorekeeper.games.presenters.summaries import outcome_view
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import number
from scorekeeper.rules.commands import Command, decide
from scorekeeper.rules.game import evolve


def ending_page(snapshot: Snapshot, command: Command, action: str, winner: str) -> pages.EndingPage:
    """Return what `command` would end a game as; raises `RuleViolation` where it cannot be ended so."""
    game, sides = snapshot.game, snapshot.sides
    ended = outcome_view(reduce(evolve, decide(game, command), game), sides)
    assert ended is not None
    score = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, game.tally.totals, strict=True))
    return pages.EndingPage(
        game_id=snapshot.public_id,
        result=f"{ended.headline}. {ended.reason}",
        score=_("The score stays as it is: %(score)s.", score=score),
        action=action,
        winner=winner,
        version=game.version,
        client_id=new_tap_id(),
    )
