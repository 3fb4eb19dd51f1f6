"""View models of the import pages: a preview of each line before anything is saved."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class BroughtLine:
    """A line of an imported spreadsheet: its cells, and the result of importing it."""

    number: int
    cells: tuple[str, ...]
    state: str
    """"new", "there", "problem", "left" out, or "asked" if a question must be answered first."""
    says: str
    field: str = ""
    """Name of the form field for the answer."""
    answers: tuple[tuple[str, str], ...] = ()
    """Value and label of each answer."""
    answered: str = ""
    """The chosen answer, or empty."""


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """A column of the spreadsheet: its meaning, and for points without a date in the heading, the night's date."""

    heading: str
    samples: str
    field: str
    meanings: tuple[tuple[str, str], ...]
    """Value and label of each meaning."""
    meaning: str
    date_field: str = ""
    """Name of the form field for the date, empty if the column needs none."""
    day: str = ""
    """The date as 2026-09-01, empty if there is none."""


@dataclass(frozen=True, slots=True)
class NameQuestion:
    """The question which person is meant by a name that the league doesn't have."""

    name: str
    field: str
    answers: tuple[tuple[str, str], ...]
    """Value and label of each answer, the likely people first."""
    answer: str
    """The chosen answer, empty if one must be chosen."""
    others: tuple[str, ...]
    """Everyone else in the league."""


@dataclass(frozen=True, slots=True)
class TableAsked:
    """The questions about the spreadsheet as a whole."""

    mark: str
    """`columns.Sheet.mark`."""
    columns: tuple[ColumnChoice, ...]
    likely: tuple[NameQuestion, ...]
    """Names that may be somebody of the league."""
    new: tuple[NameQuestion, ...]
    """Names that look like nobody of the league."""
    first: str | None
    """Date of the first night without one, None if it isn't asked."""
    games: int | None = None
    zeros: bool = False
    asks_games: bool = False
    asks_zeros: bool = False
    """There are zeros, which may be missed nights."""
    opened: bool = False
    """The columns must be looked at."""


@dataclass(frozen=True, slots=True)
class ImportDone:
    """An earlier import: what undoing it removes, and why it can't be undone, or an empty string."""

    id: str
    when: str
    what: str
    obstacle: str


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
    asked: TableAsked | None = None
    notes: tuple[str, ...] = ()
    """What nobody will know about imported nights."""
    wide_example: str = ""
    """Example of a spreadsheet with a column for each night."""
    earlier: tuple[ImportDone, ...] = ()
    """Imports that can be undone, newest first."""
    names: tuple[NameQuestion, ...] = ()
    """For an import of players: names that may be somebody of the league."""
    added: int = 0
    """For an import of players: number of new ones."""


@dataclass(frozen=True, slots=True)
class HomeSeasonLine:
    """A season of a league made from a home table, in words."""

    name: str
    rules: str
    counts: str


@dataclass(frozen=True, slots=True)
class HomeLeaguePage:
    """Preview a league made from a home table.

    `choices` are rules by value and label, `chosen` the value of the chosen ones. `left` says which games stay out, and
    why. `seen` goes back with the form.
    """

    choices: tuple[tuple[str, str], ...]
    chosen: str
    seasons: tuple[HomeSeasonLine, ...]
    players: str
    left: tuple[str, ...]
    seen: str
    client_id: str
    error: str = ""
