"""Models of "Our table", the pages of a home table (a group that plays at home): statistics, people, and games."""

from datetime import datetime

from msgspec import Struct

from scorekeeper.games.pages.common import Choice
from scorekeeper.games.pages.start import EveningLine, GameCard
from scorekeeper.web.links import PageLink


class LinkedNumber(Struct, frozen=True):
    """A number in words, such as "62% of 34", with a link to the games that it counts.

    `page` is None if the number counts no games.
    """

    text: str
    page: PageLink | None = None


class MeetingSide(Struct, frozen=True):
    """A side in a head-to-head record: its name, the games that it won, and the number of series that it won."""

    name: str
    won: LinkedNumber
    series: int


class MeetingLine(Struct, frozen=True):
    """The head-to-head record of two or more sides. The side that won the most games is first."""

    sides: tuple[MeetingSide, ...]
    games: LinkedNumber
    tied: LinkedNumber | None
    series: str
    """The number of series that each side won, in words; empty if no series had more than one game."""


class PlayerLine(Struct, frozen=True):
    """A person in the list of a home table's people."""

    name: str
    page: PageLink
    games: LinkedNumber
    won: LinkedNumber
    bids: LinkedNumber


class Fact(Struct, frozen=True):
    """A number with a label, such as a person's games or the longest winning streak.

    If the number is the best that anyone at the home table has reached, `holder` names the people who reached it.
    """

    term: str
    value: LinkedNumber
    holder: str = ""


class FilterView(Struct, frozen=True):
    """The form that filters games. `active` lists the current choices in words."""

    games: tuple[Choice, ...]
    rules: tuple[Choice, ...]
    """House rules to choose from, for the chosen game; empty if it was always played by the same rules."""
    people: tuple[Choice, ...]
    active: tuple[str, ...]
    who: str = ""
    since: str = ""
    until: str = ""
    show: tuple[Choice, ...] = ()


class OurTablePage(Struct, frozen=True):
    """The page of a home table, "Our table".

    `played` is the number of all games of the table, even those that the filter hides. If `played` is 0, the page only
    shows a welcome.
    """

    name: str
    played: int
    since: datetime | None
    """When the first game at the table began; None without games."""
    last: EveningLine | None
    last_games: tuple[GameCard, ...]
    """Games of the last evening; only the latest ones if there are many."""
    last_count: int
    """Number of games of the last evening."""
    earlier: tuple[EveningLine, ...]
    filters: FilterView
    meetings: tuple[MeetingLine, ...]
    people: tuple[PlayerLine, ...]
    records: tuple[Fact, ...]
    note: str
    """Sentences about which bids count, and after how many games or bids a percentage is shown."""
    history: PageLink | None = None


class LevelRow(Struct, frozen=True):
    """How often a person made bids of one amount, and how often they were set on such bids."""

    name: str
    made: LinkedNumber
    set: LinkedNumber


class CompanionRow(Struct, frozen=True):
    """A partner or an opponent of a person, and how often that person wins with or against them."""

    name: str
    page: PageLink
    won: LinkedNumber


class PlayerPage(Struct, frozen=True):
    """The statistics of one person at their home table."""

    id: str
    name: str
    facts: tuple[Fact, ...]
    levels: tuple[LevelRow, ...]
    partners: tuple[CompanionRow, ...]
    opponents: tuple[CompanionRow, ...]
    filters: FilterView
    note: str
    history: PageLink | None = None


class HistoryGame(Struct, frozen=True):
    """A game in the history of a home table. `mine` means that this phone may delete the game."""

    card: GameCard
    mine: bool


class TableHistoryPage(Struct, frozen=True):
    """The games of a home table, latest first.

    The page lists either the whole history, or only the games behind a number that the reader tapped. `heading` says
    what that number counts, and is empty for the whole history. With `picking`, the page has checkboxes for choosing
    games. `actions` are then the buttons, as (value, label).
    """

    heading: str
    games: tuple[HistoryGame, ...]
    found: int
    """Number of all games that the filter lets pass, on any page."""
    filters: FilterView
    older: PageLink | None
    newest: PageLink | None
    pick: PageLink | None
    picking: bool
    actions: tuple[Choice, ...]
    kept: tuple[tuple[str, str], ...] = ()
    """Hidden query fields (name, value) that the form sends along."""


class TablePhone(Struct, frozen=True):
    """A phone at a home table.

    `keeper` is True for the main phone of the table. `this` is True for the phone that requested the page.
    """

    id: int
    since: datetime
    keeper: bool
    may_score: bool
    this: bool


class TableChoice(Struct, frozen=True):
    """A home table of this phone."""

    id: str
    name: str
    current: bool


class ImportTablePage(Struct, frozen=True):
    """The page for importing a home table from a file.

    At first, the page asks for a file, and `file` is empty. Then the page asks for confirmation, and `file` is the file
    in base64. `known` is the number of games in the file that the table has already.
    """

    file: str = ""
    name: str = ""
    games: int = 0
    people: int = 0
    known: int = 0
    new_table: bool = False
    error: str = ""
