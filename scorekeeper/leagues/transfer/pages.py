"""View models of the import pages: a preview of each line before anything is saved."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class BroughtLine:
    """A line of an imported table: its cells, and the result of importing it."""

    number: int
    cells: tuple[str, ...]
    state: str
    """"new", "there", "problem", or "asked" if a question must be answered first."""
    says: str
    field: str = ""
    """Name of the form field for the answer."""
    answers: tuple[tuple[str, str], ...] = ()
    """Value and label of each answer."""
    answered: str = ""
    """The chosen answer, or empty."""


@dataclass(frozen=True, slots=True)
class BroughtPage:
    league: LeagueHead
    title: str
    hint: str
    columns: tuple[tuple[str, str], ...]
    """Names and meanings of the columns, from the left."""
    example: str
    """Example lines."""
    action: PageLink
    """Target of the form."""
    back: PageLink
    head: tuple[str, ...]
    lines: tuple[BroughtLine, ...] = ()
    text: str = ""
    summary: str = ""
    button: str = ""
    """Label of the import button, empty if nothing can be imported."""
    without: int = 0
    """Number of wrong lines that will be skipped."""
    order: str | None = None
    """Which number of a date comes first, "" if it must be chosen, None if it is clear."""
    error: str = ""
