"""Models of "Our table": the page of the table, a person's numbers, the history of its games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.games.pages.common import Choice
from scorekeeper.games.pages.start import EveningLine, GameCard
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class LinkedNumber:
    """A number in words, "62% of 34", and the games that it counts; no page if there are none."""

    text: str
    page: PageLink | None = None


@dataclass(frozen=True, slots=True)
class MeetingSide:
    """A side in a head to head."""

    name: str
    won: LinkedNumber
    series: int


@dataclass(frozen=True, slots=True)
class MeetingLine:
    """The head to head of some sides, the one that won most games first."""

    sides: tuple[MeetingSide, ...]
    games: LinkedNumber
    tied: LinkedNumber | None
    series: str
    """"Series won: 5–2"; empty without any."""


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A person in the list of a home table's people."""

    name: str
    page: PageLink
    games: LinkedNumber
    won: LinkedNumber
    bids: LinkedNumber


@dataclass(frozen=True, slots=True)
class Fact:
    """A labeled number, with the people who hold it if it is a record."""

    term: str
    value: LinkedNumber
    holder: str = ""


@dataclass(frozen=True, slots=True)
class FilterView:
    """The form that chooses games; `active` are the choices made, in words."""

    games: tuple[Choice, ...]
    rules: tuple[Choice, ...]
    """Choices of house rules for the chosen game; empty if it was always played by the same rules."""
    people: tuple[Choice, ...]
    active: tuple[str, ...]
    who: str = ""
    since: str = ""
    until: str = ""
    show: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class OurTablePage:
    """The page of a home table, "Our table".

    `played` is the number of its games, whatever the filter; 0 shows only a welcome.
    """

    name: str
    played: int
    since: datetime | None
    """When its first game began."""
    last: EveningLine | None
    last_games: tuple[GameCard, ...]
    """Games of the last evening; the latest ones if there are many."""
    last_count: int
    """All games of the last evening."""
    earlier: tuple[EveningLine, ...]
    filters: FilterView
    meetings: tuple[MeetingLine, ...]
    people: tuple[PlayerLine, ...]
    records: tuple[Fact, ...]
    note: str
    """A sentence: how many cases a percentage needs."""
    uncounted: str = ""
    """A sentence if some bids are not counted yet."""
    history: PageLink | None = None


@dataclass(frozen=True, slots=True)
class LevelRow:
    """A person's bids of one amount."""

    name: str
    made: LinkedNumber
    set: LinkedNumber


@dataclass(frozen=True, slots=True)
class CompanionRow:
    """A partner or an opponent, and how often the person won with or against them."""

    name: str
    page: PageLink
    won: LinkedNumber


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """The numbers of one person at their home table."""

    id: str
    name: str
    facts: tuple[Fact, ...]
    levels: tuple[LevelRow, ...]
    partners: tuple[CompanionRow, ...]
    opponents: tuple[CompanionRow, ...]
    filters: FilterView
    note: str
    history: PageLink | None = None


@dataclass(frozen=True, slots=True)
class HistoryGame:
    """A game in the history; `mine` if this phone may delete it."""

    card: GameCard
    mine: bool


@dataclass(frozen=True, slots=True)
class TableHistoryPage:
    """The games of a home table, latest first.

    `heading` names the number whose games these are; empty for the whole history. `picking` shows boxes to choose games
    for `actions`, the buttons by value and label.
    """

    heading: str
    games: tuple[HistoryGame, ...]
    found: int
    """All games that the filter takes, on any page."""
    filters: FilterView
    older: PageLink | None
    newest: PageLink | None
    pick: PageLink | None
    picking: bool
    actions: tuple[Choice, ...]
    kept: tuple[tuple[str, str], ...] = ()
    """Query fields that the form sends along."""


@dataclass(frozen=True, slots=True)
class TablePhone:
    """A phone at a home table; `this` is True for the phone that requests the page."""

    id: int
    since: datetime
    keeper: bool
    may_score: bool
    this: bool


@dataclass(frozen=True, slots=True)
class TableChoice:
    """A home table of this phone."""

    id: str
    name: str
    current: bool


@dataclass(frozen=True, slots=True)
class TablePhonesPage:
    """Share a home table: its phones, links, backup code, and the other home tables of this phone.

    `keeps` is True on the table's main phone; only then `link_made` and `code` have values.
    """

    name: str
    keeps: bool
    phones: tuple[TablePhone, ...]
    tables: tuple[TableChoice, ...]
    link_made: datetime | None = None
    code: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class JoinTablePage:
    """Confirm that this phone joins a home table."""

    secret: str
    name: str
    may_score: bool


@dataclass(frozen=True, slots=True)
class ImportTablePage:
    """Choose the file of a home table, or confirm what it would add: `file` is then the file, in base64.

    `known` games of the file are at the table already.
    """

    file: str = ""
    name: str = ""
    games: int = 0
    people: int = 0
    known: int = 0
    new_table: bool = False
    error: str = ""
