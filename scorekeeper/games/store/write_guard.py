"""Who else has a say in what is written to the log of a game: the league whose table it is.

Games know no leagues, so a league says here what is to be asked.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy.orm import Session

from scorekeeper.rules.game import Game

Guard = Callable[[Session, int, Game, Game, str, datetime], None]
"""Is given the game's id, the game before and after, the device and the moment; raises `RuleViolation` to refuse."""

_guards: list[Guard] = []


def guard(asked: Guard) -> Guard:
    """Ask this function, too, before anything is written to a game that another page leads to."""
    _guards.append(asked)
    return asked


def ask_guards(session: Session, game: int, before: Game, after: Game, device: str, now: datetime) -> None:
    """Let every guard look at a change; raises `RuleViolation` where one refuses it."""
    for each in _guards:
        each(session, game, before, after, device, now)
