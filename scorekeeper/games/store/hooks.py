"""What a league adds to the games at its tables: a say in what is written, who sits there, and where they lead on to.

Games import nothing of leagues, so leagues register here what is to be asked of a game that is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from scorekeeper.rules.game import Game
from scorekeeper.web.links import PageLink

Guard = Callable[[Session, int, Game, Game, str, datetime], None]
"""Is given the game's id, the game before and after, the device and the moment; raises `RuleViolation` to refuse."""

_guards: list[Guard] = []


ResultPage = Callable[[Session, int], PageLink | None]
"""Is given a game's id, and returns the page on which its result is confirmed, None where there is none."""

_result_pages: list[ResultPage] = []


def guard(asked: Guard) -> Guard:
    """Ask this function, too, before anything is written to a game that another page leads to."""
    _guards.append(asked)
    return asked


def ask_guards(session: Session, game: int, before: Game, after: Game, device: str, now: datetime) -> None:
    """Let every guard look at a change; raises `RuleViolation` where one refuses it."""
    for each in _guards:
        each(session, game, before, after, device, now)


def result_page(asked: ResultPage) -> ResultPage:
    """Ask this function, too, where the result of a game that another page leads to is confirmed."""
    _result_pages.append(asked)
    return asked


def find_result_page(session: Session, game: int) -> PageLink | None:
    """Return the page on which the result of a game is confirmed, None where there is none."""
    return next((page for each in _result_pages if (page := each(session, game))), None)


Acquaintance = Callable[[Session, Sequence[int], str], int | None]
"""Is given people (`PlayerRow.person_id`) at a table and a name, and returns whom of their league that means."""

_acquaintances: list[Acquaintance] = []


def acquaintance(asked: Acquaintance) -> Acquaintance:
    """Ask this function, too, whom a name means that is written down at a table of a league."""
    _acquaintances.append(asked)
    return asked


def find_person(session: Session, beside: Sequence[int], name: str) -> int | None:
    """Return the person of that name in the league of the people at a table, None where there is none, or no league."""
    return next((found for each in _acquaintances if beside and (found := each(session, beside, name))), None)
