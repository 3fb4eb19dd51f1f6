"""Let leagues add to the games at their tables: checks before a write, people by name, and the result page.

`games` imports nothing from `leagues`, so `leagues` registers functions here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from scorekeeper.rules.game import Game
from scorekeeper.web.links import PageLink

Guard = Callable[[Session, int, Game, Game, str, datetime], None]
"""Takes the game's row id, the game before and after, the device and the time; raises `RuleViolation` to refuse."""

_guards: list[Guard] = []


ResultPage = Callable[[Session, int], PageLink | None]
"""Takes a game's row id and returns the page on which its result is confirmed, None if it has none."""

_result_pages: list[ResultPage] = []


def guard(function: Guard) -> Guard:
    """Register a function that is called before each write to a game of a league."""
    _guards.append(function)
    return function


def ask_guards(session: Session, game: int, before: Game, after: Game, device: str, now: datetime) -> None:
    """Call every guard with a change. Raises `RuleViolation` if a guard refuses it."""
    for each in _guards:
        each(session, game, before, after, device, now)


def result_page(function: ResultPage) -> ResultPage:
    """Register a function that finds the page that confirms the result of a league's game."""
    _result_pages.append(function)
    return function


def find_result_page(session: Session, game: int) -> PageLink | None:
    """Return the page that confirms the result of a game, None if there is none."""
    return next((page for each in _result_pages if (page := each(session, game))), None)


Acquaintance = Callable[[Session, Sequence[int], str], int | None]
"""Takes the people (`PlayerRow.person_id`) at a table and a name, and returns the person of that name."""

_acquaintances: list[Acquaintance] = []


def acquaintance(function: Acquaintance) -> Acquaintance:
    """Register a function that finds a person of a league by the name typed at a card table."""
    _acquaintances.append(function)
    return function


def find_person(session: Session, beside: Sequence[int], name: str) -> int | None:
    """Return the person of that name in the league of the people `beside`, None if there is none."""
    return next((found for each in _acquaintances if beside and (found := each(session, beside, name))), None)
