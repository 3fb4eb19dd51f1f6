"""View models for the import pages, which preview each line before anything is saved."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class BroughtLine:
    """A line of an imported spreadsheet, with its cells and what happens to it in the import."""

    number: int
    cells: tuple[str, ...]
    state: str
    """State of the line: "new", "there", "problem", "left" (left out), or "asked" if a question must be answered."""
    says: str
    field: str = ""
    """Name of the form field for the answer."""
    answers: tuple[tuple[str, str], ...] = ()
    """Value and label of each answer."""
    answered: str = ""
    """The chosen answer, or empty."""


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """A column of the spreadsheet, with the choice of its meaning."""

    heading: str
    samples: str
    field: str
    meanings: tuple[tuple[str, str], ...]
    """Value and label of each meaning."""
    meaning: str


@dataclass(frozen=True, slots=True)
class DateChoice:
    """A date of the spreadsheet, as it is written there and as it was read: "2026-09-01", or "" if it can't be read.

    `wrong` says whether the user must correct it.
    """

    text: str
    field: str
    day: str
    wrong: bool


@dataclass(frozen=True, slots=True)
class SumLine:
    """What an import adds for one player, and the sum in the file, which is empty if there is none.

    `differs` says whether the two sums differ.
    """

    name: str
    played: int
    points: str
    told: str
    differs: bool


@dataclass(frozen=True, slots=True)
class NameQuestion:
    """The question of who is meant by a name that nobody in the league has."""

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
    """The questions about a spreadsheet: its columns, its names, and its dates."""

    mark: str
    """`columns.SheetRead.mark` of the spreadsheet."""
    columns: tuple[ColumnChoice, ...]
    likely: tuple[NameQuestion, ...]
    """Names that may mean a player of the league."""
    new: tuple[NameQuestion, ...]
    """Names that resemble no name in the league."""
    first: str | None
    """The date that the user entered for the first night, or an empty string if no date was entered yet.

    None if the page doesn't ask for this date.
    """
    games: int | None = None
    zeros: bool = False
    asks_games: bool = False
    asks_zeros: bool = False
    """True if the page asks whether zeros are missed nights, because the spreadsheet has some."""
    opened: bool = False
    """True if the user must check the columns; the page then shows their section expanded."""
    dates: tuple[DateChoice, ...] = ()
    words: tuple[tuple[str, str, bool], ...] = ()
    """Texts in the place of points, each with the name of its form field and whether it means a missed night."""
    partners: str = ""
    """Where partners are, "beside" or "across"; empty if the page doesn't ask."""
    partners_field: str = ""


@dataclass(frozen=True, slots=True)
class ImportDone:
    """An earlier import, which the page offers to undo.

    `what` says how many nights and players would be removed. `obstacle` says why the import can't be undone, or is
    empty.
    """

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
    examples: tuple[tuple[str, str, str], ...]
    """Layouts that can be read: the key of a file to download or "", the label, and example lines."""
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
    """The answer to the question of what comes first in a date: "month", "day", or "" if the user must still choose.

    None if the page doesn't ask this question.
    """
    error: str = ""
    asked: TableAsked | None = None
    notes: tuple[str, ...] = ()
    """Sentences about how the spreadsheet was read, and how nights that have only points will count."""
    sums: tuple[SumLine, ...] = ()
    sum_heads: tuple[str, str] = ("", "")
    """Headings for what was played and for the sum in the file; the latter is empty if the file has no sums."""
    sheet: str = ""
    """Name of the sheet that was read; empty if the file has only one."""
    sheets: tuple[str, ...] = ()
    """Names of the sheets to choose from."""
    earlier: tuple[ImportDone, ...] = ()
    """Imports that can be undone, newest first."""
    names: tuple[NameQuestion, ...] = ()
    """For an import of players: names that may mean a player of the league."""
    added: int = 0
    """For an import of players: number of new players."""


@dataclass(frozen=True, slots=True)
class HomeSeasonLine:
    """A season of a league made from a home table, described in words."""

    name: str
    rules: str
    counts: str


@dataclass(frozen=True, slots=True)
class HomeLeaguePage:
    """The preview of a league made from a home table.

    `choices` are the rules to choose from, as pairs of value and label. `chosen` is the chosen value, or empty. `left`
    has sentences about the games that are left out. `seen` is posted back with the form.
    """

    choices: tuple[tuple[str, str], ...]
    chosen: str
    seasons: tuple[HomeSeasonLine, ...]
    players: str
    left: tuple[str, ...]
    seen: str
    client_id: str
    error: str = ""
