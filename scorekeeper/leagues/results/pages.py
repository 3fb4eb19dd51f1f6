"""View models of the results of a night, and of the points by night of a season.

Pages, CSV, chat text, TV and picture are all made from these, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class ResultPerson:
    """A player of a line; `sub_for` is the regular they played for, or empty.

    `page` is the link to their page, None on the pages of an open club.
    """

    id: str
    name: str
    sub_for: str
    page: PageLink | None


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A player, or partners, in the ranking of a night.

    `rank` is None for those who are not ranked: without a finished game, or still in a knockout. `values` has a plain
    number or text by the name of each column of the files; `cells` has what pages show under each of
    `ResultTable.heads`.
    """

    rank: int | None
    name: str
    """The names of `people`, joined for use in a sentence."""
    people: tuple[ResultPerson, ...]
    score: tuple[str, str]
    """The number by which the night is ranked, and the record (or the points, if it is ranked by wins)."""
    said: str
    """The same in words: "21.00 points per game, 4 wins"."""
    cells: tuple[str, ...]
    values: Mapping[str, str | int | float | None]
    tie: int
    """Number of the line about its tie, 0 if there is none."""
    reason: str
    """Why it has this rank among those tied with it, or why it has none; empty if the numbers tell."""
    prize: str
    """The prizes of its people together, or empty."""

    @property
    def shown_rank(self) -> str:
        """Return the rank, or a dash."""
        return "–" if self.rank is None else str(self.rank)


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A ranking of the night: `key` is "people" or "partners"."""

    key: str
    heads: tuple[str, ...]
    """Headings of the cells."""
    lines: tuple[ResultLine, ...]
    """Best first, then those without a rank."""
    ties: tuple[str, ...]
    """A sentence for each tie: which rule broke it."""

    @property
    def prized(self) -> bool:
        """Return whether anybody here has a prize."""
        return any(line.prize for line in self.lines)

    @property
    def ranked(self) -> tuple[ResultLine, ...]:
        """Return the lines with a rank."""
        return tuple(line for line in self.lines if line.rank is not None)


@dataclass(frozen=True, slots=True)
class Holder:
    """Those who share an honor, and where, such as "round 2, table 1"; `where` may be empty."""

    name: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Honor:
    """Best partners, most points in a game, or biggest set; `key` is "partners", "points" or "set".

    `holders` are those who have it, `more` how many others have the same number; if too many share it, there are no
    holders. `note` says what is not counted; without any hands, only `key`, `label` and `note` are filled.
    """

    key: str
    label: str
    number: int | float
    value: str
    """The number in words."""
    holders: tuple[Holder, ...]
    more: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A prize as on the receipt of the night: what it is for, and the amount in the reader's notation."""

    name: str
    amount: str
    reason: str
    why: str = ""
    """Why it went to that place, on the place's first line only."""


@dataclass(frozen=True, slots=True)
class NightResults:
    """The results of a night. `tables` is empty before the first finished table.

    If partners are fixed, their ranking comes first; the first ranking is the one that prizes follow.
    """

    id: str
    number: int
    title: str
    """"Results of night 3"."""
    league_id: str
    league: str
    season_id: str
    season: str
    date: date
    day: str
    """`date` as text."""
    format: str
    final: bool
    """The night is closed."""
    status: str
    """"Final." or "Provisional: 3 tables are still playing."."""
    notes: tuple[str, ...]
    """What is missing, such as unfinished tables."""
    label: str
    """What the winners are: "Winner", "Tied for first", "In the lead"."""
    winners: tuple[ResultLine, ...]
    """All with rank 1."""
    by: str
    """What the first number of each score is, such as "points per game"."""
    tables: tuple[ResultTable, ...]
    honors: tuple[Honor, ...]
    prizes: tuple[PrizeLine, ...]
    how: tuple[str, ...]
    """How the night is ranked, sentence by sentence."""
    text: str
    """The results as a message; empty without any."""
    about: str
    """The winners in a line, for link previews; empty without any."""

    @property
    def page(self) -> PageLink:
        """Return the link to the page of these results."""
        return PageLink("leagues.results", {"night_id": self.id})


@dataclass(frozen=True, slots=True)
class GridNight:
    """The heading of a night in the points by night; `open` while it is played."""

    id: str
    number: int
    day: str
    open: bool


@dataclass(frozen=True, slots=True)
class GridCell:
    """The points of one night; `value` is None for a missed night. A dropped night does not count."""

    value: int | float | None
    words: str
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class GridLine:
    """A player, or partners, with a cell for each night."""

    rank: str
    """The rank in the season; empty if unranked."""
    name: str
    page: PageLink
    cells: tuple[GridCell, ...]
    total: GridCell
    """The points of all nights that count."""


@dataclass(frozen=True, slots=True)
class SeasonGrid:
    """The points by night of "people" or "partners"; `earlier` counts older nights that are not among `nights`."""

    key: str
    nights: tuple[GridNight, ...]
    lines: tuple[GridLine, ...]
    any_dropped: bool
    earlier: int = 0
