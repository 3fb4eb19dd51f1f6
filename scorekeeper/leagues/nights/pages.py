"""What the pages of a league night show: to everybody, at the desk, at a table, and in print."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from markupsafe import Markup

from scorekeeper.games.pages import PaperPage
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.repeats import Met
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody on a chair."""

    name: str
    sub_for: str
    """Whom they stand in for; empty for who plays for themselves."""
    seat: int = 0


@dataclass(frozen=True, slots=True)
class TableSide:
    """One side of a table."""

    index: int
    letter: str
    people: tuple[Seated, ...]
    name: str
    """"Ann and Cid"."""
    total: str
    """Empty before the game is started."""
    points: int
    won: bool
    confirmed: bool
    """It said that the result is right."""
    said_by: str = ""
    """Who said so on a phone that is not this side's; empty where it was on their own."""


@dataclass(frozen=True, slots=True)
class TableView:
    """One table of one round."""

    id: int
    number: int
    round: int
    game: str
    """Public id of its game; empty before the first hand."""
    state: Literal["waiting", "playing", "done"]
    says: str
    """"Hand 4", or how it ended."""
    paper: bool
    """Only the final score is known."""
    fresh: bool
    """No hand is written down: a final score can be."""
    tied: bool
    """It ended without a winner, and the night waits to be told who won."""
    sides: tuple[TableSide, ...]
    dispute: str = ""
    """What two phones say of the result, in a sentence; empty where none says otherwise."""
    ended_by: str = ""
    """How it ended, as somebody was asked; empty where the final score says it, and for a game with hands."""
    fixed: bool = False
    """Only the desk can change the result."""

    @property
    def confirmed(self) -> bool:
        """Return whether every side said that the result is right, and no phone says otherwise."""
        return all(side.confirmed for side in self.sides) and not self.dispute

    @property
    def title(self) -> str:
        """Return every side with its score: "Ann and Cid 12, Bob and Dee 9"."""
        return ", ".join(f"{side.name} {side.total}".strip() for side in self.sides)

    @property
    def points(self) -> tuple[str, ...]:
        """Return the final score by side as it is typed, empty texts before there is one."""
        there = self.state == "done" or self.tied
        return tuple(str(side.points) if there else "" for side in self.sides)

    @property
    def answered(self) -> str:
        """Return how it ended and who won as a form sends it, "target:0", where that was asked; else nothing."""
        won = next((str(side.index) for side in self.sides if side.won), "")
        return f"{self.ended_by}:{won}" if self.ended_by else ""

    @property
    def stands(self) -> str:
        """Return the final score as `score_line` writes it; empty before there is one."""
        return score_line(self.points, self.answered) if any(self.points) else ""


def score_line(points: Sequence[str], ending: str) -> str:
    """Return a score to be compared: "21,13", or "11,12;target:0" where it was asked who won."""
    return ",".join(points) + (f";{ending}" if ending else "")


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round: `state` is "now" for the one on the tables, "next" for the one after it."""

    number: int
    state: Literal["over", "now", "next", "later"]
    begun: bool
    tables: tuple[TableView, ...]
    byes: tuple[str, ...]

    @property
    def still(self) -> int:
        """Return how many tables have not come to their end."""
        return sum(table.state != "done" for table in self.tables)

    @property
    def tied(self) -> tuple[TableView, ...]:
        """Return the tables that wait to be told who won."""
        return tuple(table for table in self.tables if table.tied)


@dataclass(frozen=True, slots=True)
class NextSeat:
    """Where somebody goes: `table` is 0 for who sits out."""

    name: str
    table: int
    partners: tuple[str, ...]
    letter: str


@dataclass(frozen=True, slots=True)
class NightPage:
    """The night, the same for everybody who looks."""

    id: str
    title: str
    """"Fire Hall, night 3"."""
    league_id: str
    season: str
    season_id: str
    day: str
    format: str
    rounds: tuple[RoundView, ...]
    now: int
    """The number of the round on the tables; 0 before anything is drawn."""
    bell: bool
    """It has rung for the round on the tables."""
    closed: bool
    seats: tuple[NextSeat, ...]
    """Of the round that comes next, by name; of the first one while nothing was played."""
    version: str
    champion: str
    """Who has won a knock-out: "Ann and Bob", or empty."""
    seeds: str
    """Where its seeds come from, and who has a bye because of them."""

    @property
    def current(self) -> RoundView | None:
        """Return the round on the tables, None before anything is drawn."""
        return next((each for each in self.rounds if each.number == self.now), None)

    @property
    def next_round(self) -> RoundView | None:
        """Return the round after that, None where none is drawn."""
        return next((each for each in self.rounds if each.state == "next"), None)


@dataclass(frozen=True, slots=True)
class Wrong:
    """What could not be, in a sentence, and at which part of the desk."""

    part: str = ""
    says: str = ""
    tables: Mapping[int, RuleViolation] = field(default_factory=dict)
    """Table (its id) to what is wrong with its score."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody to tap."""

    id: str
    name: str
    note: str = ""
    """"from round 2", "left after round 3", "for Ann" …"""


@dataclass(frozen=True, slots=True)
class Door:
    """Who could come in."""

    find: str
    """A part of the names that are shown."""
    last_time: tuple[Person, ...]
    others: tuple[Person, ...]
    hidden: int
    """People who are not here and not on the page: the filter finds them."""


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The desk of one night."""

    night: NightPage
    directs: bool
    """Who asks may do all of the night; else check people in and enter results."""
    shown: RoundView | None
    """The round whose grid stands on the page."""
    swappable: tuple[Person, ...]
    door: Door
    here: tuple[Person, ...]
    left: tuple[Person, ...]
    stand_ins: tuple[Person, ...]
    """Who is here and plays for somebody else."""
    absent: tuple[Person, ...]
    """For whom somebody could play."""
    fixed: bool
    """Partners stay together that night."""
    teams: tuple[tuple[Person, ...], ...]
    """Fixed partners."""
    alone: tuple[Person, ...]
    """Who is here and has no fixed partner."""
    team_size: int
    plan: NightPlan
    disputed: frozenset[int]
    """Tables (their ids) at which two phones tell a hand differently."""
    misfits: tuple[str, ...]
    """Sentences: the rounds that are drawn and not begun do not fit who is here."""
    pairs_missing: bool
    """The format is one of fixed partners, and none are chosen."""
    circle: str
    """How many rounds a round robin takes, or empty."""
    begun: int
    """How many rounds were begun: the rest can be drawn."""
    missing: tuple[TableView, ...]
    """Tables that would count for nothing if the night were closed now."""
    may_remove: bool
    """It has no result and no money, so it can go."""
    over: bool
    """The final of a knock-out was begun: nothing more is drawn."""
    unconfirmed: tuple[TableView, ...]
    """Results that not every side confirmed, or that a phone says are wrong."""
    has_bell: bool

    @property
    def version(self) -> str:
        """Return another word whenever anything on the page is another."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class CardPage:
    """What the card of a table opens."""

    night_id: str
    title: str
    tables: tuple[TableView, ...]
    """The one on which this table is now, and perhaps the one after it; none before anything is drawn."""
    address: str
    """The card's own: where its form goes."""
    client_id: str
    own_side: int | None = None
    """Whose phone this is, as it said at the table whose result stands here; None where it did not."""


@dataclass(frozen=True, slots=True)
class NightTablePage:
    """One table of one round, its score, and what this phone may do with it."""

    night_id: str
    night: str
    title: str
    """"Round 2, table 3"."""
    table: TableView
    may_score: bool
    """This phone scores that game."""
    may_start: bool
    """This is the director's, and the game is not started."""
    may_confirm: bool
    closed: bool
    client_id: str
    own_side: int | None = None
    """Whose phone this is; None where it did not say yet."""
    at_table: bool = False
    """This phone was let in at the table: it can speak for its own side."""
    may_tell: bool = False
    """This phone may enter a final score here."""
    may_object: bool = False
    helps: bool = False
    """This phone may work at the desk: what it changes has a reason."""
    ways: tuple[tuple[str, str], ...] = ()
    """How this phone can settle the dispute: a word and what its button says."""
    may_reopen: bool = False


@dataclass(frozen=True, slots=True)
class TableCard:
    """The card of one table."""

    number: int
    address: str
    code: Markup
    """A QR code of the address, as SVG."""


@dataclass(frozen=True, slots=True)
class CardsPage:
    """The cards of all tables."""

    night: NightPage
    cards: tuple[TableCard, ...]
    note: str
    """What stands in the way of phones that would open them; empty where nothing does."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody is in one round: `table` is 0 for a bye, and -1 for one in which they are not."""

    table: int
    partners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardWay:
    """Somebody's way through the night."""

    number: int
    """Of their row and column in the matrix: 1, 2 …"""
    name: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class RotationPage:
    """The rotation, and who meets whom in it."""

    night: NightPage
    ways: tuple[CardWay, ...]
    matrix: tuple[tuple[Met | None, ...], ...]
    """How often two people met: a row and a column for everybody, as in `ways`; None for somebody and themselves."""
    says: tuple[str, ...]
    """The figures of the draw, in sentences."""


@dataclass(frozen=True, slots=True)
class SheetsPage:
    """Score sheets of a round, a page for each table, names filled in."""

    night: NightPage
    round: int
    sheets: tuple[PaperPage, ...]
    blank: Mapping[str, str]
    """Fields of the address of a sheet without names."""
