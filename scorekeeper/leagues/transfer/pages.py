"""Tables that are brought in: what each line says, before anything is stored."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class BroughtLine:
    """A line of the table, cell by cell, and what becomes of it."""

    number: int
    cells: tuple[str, ...]
    state: str
    """"new", "there", "problem", or "asked": it has to be answered first."""
    says: str
    field: str = ""
    """What a form calls its answer."""
    answers: tuple[tuple[str, str], ...] = ()
    """What a form sends for each answer, and what people read."""
    answered: str = ""
    """The answer that it has."""


@dataclass(frozen=True, slots=True)
class BroughtPage:
    league: LeagueHead
    title: str
    hint: str
    columns: tuple[tuple[str, str], ...]
    """The columns from the left: their names, and what stands in them."""
    example: str
    """A few lines as they could be."""
    action: PageLink
    """Where its form is sent."""
    back: PageLink
    head: tuple[str, ...]
    lines: tuple[BroughtLine, ...] = ()
    text: str = ""
    summary: str = ""
    button: str = ""
    """What the button says that brings it in; empty where nothing can be."""
    without: int = 0
    """Lines that cannot be, which are left out."""
    order: str | None = None
    """Which number of a date comes first, "" while nobody said so; None where that is not asked."""
    error: str = ""
