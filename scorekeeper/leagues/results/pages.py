"""View models of the results of a night, and of the points by night of a season.

Pages, CSV, chat text, TV and picture are all made from these, so that they cannot disagree.
"""

from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from scorekeeper.leagues.standings.pages import BracketRound
from scorekeeper.web.links import PageLink


class ResultPerson(Struct, frozen=True):
    """A player in a `ResultLine`. `sub_for` is the name of the regular they played for, or "".

    `page` is the link to the player's page. It is None on the pages that a league shows to the public.
    """

    id: str
    name: str
    sub_for: str
    page: PageLink | None


class ResultLine(Struct, frozen=True):
    """A player or a pair of partners in the ranking of a night.

    `rank` is None for players without a finished game, and for teams that are still in a knockout. `values` has a plain
    number or text for each column of the exported files, by the column's name. `cells` has the texts that pages show
    under `ResultTable.heads`.
    """

    rank: int | None
    name: str
    """The names of `people`, joined for use in a sentence."""
    people: tuple[ResultPerson, ...]
    score: tuple[str, str]
    """The points (or points per game) as text, and the wins and losses as text.

    If the night is ranked by wins, the wins and losses come first.
    """
    said: str
    """`score` in words: "21.00 points per game, 4 wins"."""
    cells: tuple[str, ...]
    values: Mapping[str, str | int | float | None]
    tie: int
    """Number of the sentence about its tie in `ResultTable.ties`, counted from 1; 0 if it isn't tied."""
    mark: str
    """Mark after the rank: "=" for a shared rank, "*" where a tie was broken, else empty."""
    reason: str
    """How the tie with other lines was broken, or why the line has no rank; empty if the numbers explain the rank."""
    prize: str
    """Sum of the prizes for `people`'s rank, in the format of the reader's language; empty if they won none.

    Side pots aren't part of it.
    """
    cents: int = 0
    """The same sum in cents."""

    @property
    def shown_rank(self) -> str:
        """Return the rank as text, or a dash for a line without a rank."""
        return "–" if self.rank is None else str(self.rank)


class ResultTable(Struct, frozen=True):
    """A ranking of the night. `key` is "people" or "partners"."""

    key: str
    heads: tuple[str, ...]
    """Headings of the `cells` of each line."""
    lines: tuple[ResultLine, ...]
    """The lines of the ranking, best first, then those without a rank."""
    ties: tuple[str, ...]
    """A sentence for each tie that says which rule broke it."""

    @property
    def prized(self) -> bool:
        """Return whether anybody in this ranking won a prize."""
        return any(line.prize for line in self.lines)

    @property
    def ranked(self) -> tuple[ResultLine, ...]:
        """Return the lines that have a rank."""
        return tuple(line for line in self.lines if line.rank is not None)


class Forfeit(Struct, frozen=True):
    """A game that a side forfeited. `gone` are the names of that side's players, and `came` those of the winners."""

    round: int
    table: int
    gone: str
    came: str


class TeamMatch(Struct, frozen=True):
    """A match of two fixed teams on a night.

    `tables` and `points` are pairs of the home team's and the visitors' tables won and points scored, so far while the
    night is open; None before the first table is over. `winner` is the side that is ahead or won, 0 or 1, or None. In
    the playoffs, `winner` is the side that goes on.
    """

    home: str
    away: str
    home_id: str
    """Public id of the home team."""
    away_id: str
    round: int
    """Number of the match day, or of the round of the playoffs."""
    playoff: bool
    tables: tuple[int, int] | None
    points: tuple[int, int] | None
    winner: int | None
    forfeit: int | None
    """The side that forfeited, 0, 1, or 2 for both; None for any other match."""
    numbers: range
    """Numbers of the match's tables."""
    shown: str
    """The score that decides the match, such as "3–1"; "–" before there is one."""
    score: str
    """The whole score in words, such as "Tables 3–1, points 84–60"; empty before there is one."""
    where: str
    """The tables in words, such as "at tables 1 to 3"; empty after a forfeit."""

    @property
    def teams(self) -> tuple[str, str]:
        """Return the names of the home team and of the visitors."""
        return self.home, self.away


class Holder(Struct, frozen=True):
    """A player or pair with an honor.

    `where` says in which game they earned it, such as "round 2, table 1", or is empty if the honor isn't for one game.
    """

    name: str
    where: str = ""
    at: tuple[int, int] | None = None
    """The numbers of that round and table; None if the honor isn't for one game."""


class Honor(Struct, frozen=True):
    """An honor of the night: best partners, most points in a game, or biggest set.

    `key` is "partners", "points" or "set". `holders` are the players or pairs who are named. `more` is how many others
    share the honor, and `others` says that in words. If too many share the honor, nobody is named. `note` says which
    tables are not counted. If hands are missing and no set (failed bid) is known, the honor "set" has only `key`,
    `label` and `note`.
    """

    key: str
    label: str
    number: int | float
    value: str
    """The number in words."""
    holders: tuple[Holder, ...]
    more: int = 0
    others: str = ""
    note: str = ""
    named: str = ""
    """The holders and `others` in words: "Eve and Hal", or pairs as "Ann and Bob; Cid and Dee"."""


class PrizeLine(Struct, frozen=True):
    """A prize of the night: the winner's name, the amount in the reader's notation, and the reason for the prize."""

    name: str
    amount: str
    reason: str
    why: str = ""
    """Why the prize went to this place in the ranking; given only on the first line of each place."""
    pot: str = ""
    """Name of the side pot that paid it; empty for a prize by place."""


class NightResults(Struct, frozen=True):
    """The results of a night. `tables` has its rankings, and is empty until a game has finished.

    If partners are fixed, the ranking of partners comes first. The prizes are for the places in the first ranking.
    """

    id: str
    number: int
    title: str
    """Title of the page: "Results of night 3"."""
    league_id: str
    league: str
    season_id: str
    season: str
    date: date
    day: str
    """`date` as text."""
    format: str
    final: bool
    """True if the night is closed."""
    status: str
    """Whether the results are final, as a sentence, such as "Final." or "Provisional: the night is still open."."""
    notes: tuple[str, ...]
    """Sentences about missing data, such as unfinished tables."""
    label: str
    """Label of the winners: "Winner", "Tied for first", "In the lead"."""
    winners: tuple[ResultLine, ...]
    """All lines with rank 1."""
    won: str
    """The names of the winners in words: "Eve and Hal", or pairs as "Ann and Bob; Cid and Dee".

    For a night of fixed teams: the results of its matches, such as "Owls 3–1 Foxes".
    """
    by: str
    """Name of the first number of each score, such as "points per game"."""
    tables: tuple[ResultTable, ...]
    honors: tuple[Honor, ...]
    prizes: tuple[PrizeLine, ...]
    how: tuple[str, ...]
    """Sentences about how the night is ranked."""
    text: str
    """The results as a chat message; empty if and only if there are no results yet."""
    about: str
    """The winners as one line, for link previews; empty if there are none yet."""
    forfeits: tuple[Forfeit, ...] = ()
    """The tables that a side forfeited, in the order of play."""
    matches: tuple[TeamMatch, ...] = ()
    """The matches of a night of fixed teams, which come before the ranking of its players; else ().

    `winners` is then empty, and `label` and `won` are about the teams.
    """
    champion: str = ""
    """Name of the fixed team that won the playoffs on this night; else empty."""
    bracket: tuple[BracketRound, ...] = ()
    """The picture of the bracket of a knockout; () for other formats."""
    with_chances: bool = False
    """Whether the chances of winning a game of the night can be calculated from its hands."""
    sets_missing: str = ""
    """Sentence with the number of tables whose sets (failed bids) weren't entered; empty if there are no such tables.

    Also empty if sets don't matter in the season, or if the results don't come from `queries.whole_results_of`.
    """

    @property
    def page(self) -> PageLink:
        """Return the link to the page with these results."""
        return PageLink("leagues.results", {"night_id": self.id})


class NightGame(Struct, frozen=True):
    """A game of a night, with how far the chances of winning moved."""

    id: str
    where: str
    """Round and table, such as "Round 2, table 3"."""
    sides: str
    """The winners and the others by name, such as "Ann and Cid beat Bob and Dee"."""
    score: str
    moved: int
    """By how many percentage points the chances moved in all hands together."""
    low: str
    """The lowest chance that the winners had before a hand, such as "6%"."""
    story: str
    """The game in a sentence."""


class LatestResults(Struct, frozen=True):
    """The last closed night of a league, with its winners."""

    page: PageLink
    day: str
    won: str
    """The winners in a line, such as "Winners: Ann and Bob"; empty for a night whose winners aren't known."""


class GridNight(Struct, frozen=True):
    """The heading of a night in a table of points by night. `open` is True until the night is closed.

    `day` is the date in words.
    """

    id: str
    number: int
    date: date
    day: str
    open: bool


class GridCell(Struct, frozen=True):
    """The points of one night. A `dropped` night does not count.

    `words` is the `value` as text. If the night was missed, `value` is None and `words` is "".
    """

    value: int | float | None
    words: str
    dropped: bool = False


class GridLine(Struct, frozen=True):
    """A row for a player or pair in the points by night, with a cell for each night."""

    rank: str
    """The rank in the season; empty if unranked."""
    name: str
    page: PageLink
    cells: tuple[GridCell, ...]
    total: GridCell
    """The points of all nights that count."""


class SeasonGrid(Struct, frozen=True):
    """The points by night of a season. `earlier` is the number of older nights that are left out.

    `key` is "people" for a grid of players, or "partners" for a grid of pairs.
    """

    key: str
    nights: tuple[GridNight, ...]
    lines: tuple[GridLine, ...]
    any_dropped: bool
    earlier: int = 0
    averaged: bool = False
    """True if byes count with the players' own averages, so that points of past nights still change."""
