"""Page models of a league night: the public page, the desk, a table, and the printed pages."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from markupsafe import Markup

from scorekeeper.games.pages import PaperPage
from scorekeeper.leagues.money.pages import FeesPanel
from scorekeeper.leagues.results.pages import NightResults
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.repeats import Met
from scorekeeper.leagues.teams.pages import MatchLine
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Seated:
    """A person in a seat."""

    name: str
    sub_for: str
    """Name of the regular they play for; empty if they play for themselves."""
    seat: int = 0


@dataclass(frozen=True, slots=True)
class TableSide:
    """One side of a card table."""

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
    """This side confirmed the result."""
    said_by: str = ""
    """Name of the person who confirmed on another side's phone; empty if the side used its own phone."""


@dataclass(frozen=True, slots=True)
class TableView:
    """One card table of one round."""

    id: int
    number: int
    round: int
    game: str
    """Public id of its game; empty before the first hand."""
    state: Literal["waiting", "playing", "done"]
    says: str
    """"Hand 4", or how it ended."""
    paper: bool
    """Only the final score was entered, no hands."""
    fresh: bool
    """No hand has been entered, so a final score can be."""
    tied: bool
    """It ended without a winner, and the next round needs one."""
    sides: tuple[TableSide, ...]
    dispute: str = ""
    """How two phones disagree about the result, in a sentence; empty without a dispute."""
    ended_by: str = ""
    """How it ended, as answered with the final score; empty if the totals say it, and for a game with hands."""
    fixed: bool = False
    """Only the desk can change the result."""
    sets: tuple[str, ...] = ()
    """The sets by side as typed with a final score; empty if nobody entered them."""

    @property
    def confirmed(self) -> bool:
        """Return whether every side confirmed the result and no phone disputes it."""
        return all(side.confirmed for side in self.sides) and not self.dispute

    @property
    def title(self) -> str:
        """Return every side with its score: "Ann and Cid 12, Bob and Dee 9"."""
        return ", ".join(f"{side.name} {side.total}".strip() for side in self.sides)

    @property
    def points(self) -> tuple[str, ...]:
        """Return the final score by side as it is typed; empty strings if there is none."""
        there = self.state == "done" or self.tied
        return tuple(str(side.points) if there else "" for side in self.sides)

    @property
    def answered(self) -> str:
        """Return the answer about how the game ended as a form sends it, "target:0"; empty if that was not asked."""
        won = next((str(side.index) for side in self.sides if side.won), "")
        return f"{self.ended_by}:{won}" if self.ended_by else ""

    @property
    def stands(self) -> str:
        """Return the final score as `score_line` writes it; empty if there is none."""
        return score_line(self.points, self.answered) if any(self.points) else ""


def score_line(points: Sequence[str], ending: str) -> str:
    """Return a score in a comparable form: "21,13", or "11,12;target:0" with an answer about how it ended."""
    return ",".join(points) + (f";{ending}" if ending else "")


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round. `state` is "now" for the current round, "next" for the one after it."""

    number: int
    state: Literal["over", "now", "next", "later"]
    begun: bool
    tables: tuple[TableView, ...]
    byes: tuple[str, ...]

    @property
    def still(self) -> int:
        """Return the number of unfinished tables."""
        return sum(table.state != "done" for table in self.tables)

    @property
    def tied(self) -> tuple[TableView, ...]:
        """Return the tied tables that still need a winner."""
        return tuple(table for table in self.tables if table.tied)


@dataclass(frozen=True, slots=True)
class NextSeat:
    """A person's seat in the coming round; `table` is 0 when they sit out."""

    name: str
    table: int
    partners: tuple[str, ...]
    letter: str


@dataclass(frozen=True, slots=True)
class NightPage:
    """The public page of a night, the same for every visitor."""

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
    """Number of the current round; 0 before the seating is made."""
    bell: bool
    """It has rung for the current round."""
    closed: bool
    seats: tuple[NextSeat, ...]
    """Seats of the next round by name, or of the first round before play starts."""
    version: str
    champion: str
    """The winner of a knockout, as in "Champions: Ann and Bob"; empty until there is one."""
    seeds: str
    """How a knockout is seeded and which teams have a first-round bye, in sentences; else empty."""
    matches: tuple[MatchLine, ...]
    """Of a team season, with the numbers of their tables."""
    final_only: bool = False
    """All scores so far are final scores without hands, so its tables don't say so one by one."""
    is_totals: bool = False
    """It was imported as the points of each person, without tables."""
    results: NightResults | None = None
    """The results so far; None before the first finished table, and where they are not shown."""

    @property
    def current(self) -> RoundView | None:
        """Return the current round, or None before the seating is made."""
        return next((each for each in self.rounds if each.number == self.now), None)

    @property
    def next_round(self) -> RoundView | None:
        """Return the round after the current one, or None if it has no seating yet."""
        return next((each for each in self.rounds if each.state == "next"), None)


@dataclass(frozen=True, slots=True)
class Wrong:
    """An error message and the part of the desk that shows it."""

    part: str = ""
    says: str = ""
    tables: Mapping[int, RuleViolation] = field(default_factory=dict)
    """What is wrong with each refused score, by table id."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person shown as a button at the desk."""

    id: str
    name: str
    note: str = ""
    """"from round 2", "left after round 3", "for Ann" …"""


@dataclass(frozen=True, slots=True)
class Door:
    """The people who can still be checked in."""

    find: str
    """The text that filters the names."""
    expected: tuple[Person, ...]
    """People who said beforehand that they come."""
    last_time: tuple[Person, ...]
    others: tuple[Person, ...]
    hidden: int
    """How many people are not listed; the filter finds them."""


@dataclass(frozen=True, slots=True)
class DeskPage:
    """The desk of one night."""

    night: NightPage
    directs: bool
    """This device may direct the night; helpers only check people in and enter results."""
    shown: RoundView | None
    """The round whose scores are on the page."""
    swappable: tuple[Person, ...]
    door: Door
    here: tuple[Person, ...]
    left: tuple[Person, ...]
    substitutes: tuple[Person, ...]
    """Substitutes who are checked in."""
    absent: tuple[Person, ...]
    """Regulars a substitute can play for; those who were there last time come first."""
    sitting_out: str
    """How many sit out each round, and which table sizes would avoid it; empty if nobody does."""
    kept: tuple[Person, ...]
    """People who stay at one table all night; the note says at which."""
    keeps: bool
    """The format lets people keep a table."""
    fixed: bool
    """Partners stay together all night."""
    teams: tuple[tuple[Person, ...], ...]
    """Fixed partners."""
    again: tuple[str, ...]
    """Partners of an earlier night who are here without a partner, "Ann and Bob"."""
    alone: tuple[Person, ...]
    """People who are checked in and have no fixed partner."""
    team_size: int
    plan: NightPlan
    disputed: frozenset[int]
    """Ids of tables where two phones disagree on a hand."""
    misfits: tuple[str, ...]
    """Sentences about people the coming round leaves out, or seats although they left."""
    pairs_missing: bool
    """The format needs fixed partners, and fewer than two teams are made."""
    circle: str
    """How many rounds a full round robin takes, in a sentence, or empty."""
    begun: int
    """How many rounds have started; the seating of later ones can be remade."""
    missing: tuple[TableView, ...]
    """Tables that would not count if the night were closed now."""
    may_remove: bool
    """The night has no results and no money, so it can be removed."""
    over: bool
    """The final of a knockout has started, so there are no more rounds."""
    unconfirmed: tuple[TableView, ...]
    """Results that are disputed or that not every side has confirmed."""
    has_bell: bool
    asks_sets: bool = False
    """A final score may come with the sets of each side."""
    shows_sets: bool = False
    """The fields for them are there at once: a set costs money, or somebody has entered some tonight."""
    fees: FeesPanel | None = None
    """None if the season has no entry fee."""
    said_yes: int = 0
    """How many said yes and can be checked in with one tap."""
    undoable: int = 0
    """How many that tap checked in, if it can be undone."""

    @property
    def version(self) -> str:
        """Return a hash that changes whenever anything on the page does."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class CardPage:
    """The page that a table card opens."""

    night_id: str
    title: str
    tables: tuple[TableView, ...]
    """This table in the current round and perhaps the next; empty before the seating is made."""
    address: str
    """The card's address, to which its forms are posted."""
    client_id: str
    own_side: int | None = None
    """The side this phone belongs to, if it said so at the finished table; else None."""
    asks_sets: bool = False
    """A final score may come with the sets of each side."""


@dataclass(frozen=True, slots=True)
class NightTablePage:
    """One table of one round, its score, and the actions open to this phone."""

    night_id: str
    night: str
    title: str
    """"Round 2, table 3"."""
    table: TableView
    may_score: bool
    """This phone may score the game."""
    may_start: bool
    """This device may start the game, which has not started."""
    may_confirm: bool
    closed: bool
    client_id: str
    own_side: int | None = None
    """The side this phone belongs to; None if it has not said."""
    at_table: bool = False
    """This phone is a scorer at the table, so it can confirm for its own side."""
    may_enter: bool = False
    """This phone may enter a final score here."""
    may_object: bool = False
    helps: bool = False
    """This device may work at the desk, so its changes need a reason."""
    ways: tuple[tuple[str, str], ...] = ()
    """How this phone can settle the dispute: the posted value and the button label."""
    may_reopen: bool = False
    asks_sets: bool = False
    """A final score may come with the sets of each side."""


@dataclass(frozen=True, slots=True)
class TableCard:
    """The card of one table, to print."""

    number: int
    address: str
    short: str
    """The short address, and below as it is typed: "192.168.1.5:8000/t/12-3-k7f9qd2m"."""
    typed: str
    code: Markup
    """A QR code of the address, as SVG."""


@dataclass(frozen=True, slots=True)
class CardsPage:
    """The page with the table cards of a night, to print."""

    night: NightPage
    cards: tuple[TableCard, ...]
    note: str
    """A warning if other phones cannot open the cards; else empty."""


@dataclass(frozen=True, slots=True)
class Place:
    """A person's table in one round: 0 for a bye, -1 if they are not in the round."""

    table: int
    partners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardWay:
    """One person's tables, round by round."""

    number: int
    """Number of their row and column in the matrix, from 1."""
    name: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class RotationPage:
    """The rotation of a night, and how often any two people meet."""

    night: NightPage
    ways: tuple[CardWay, ...]
    matrix: tuple[tuple[Met | None, ...], ...]
    """How often each two people met, in the order of `ways`; None on the diagonal."""
    says: tuple[str, ...]
    """Figures about the rotation, in sentences."""


@dataclass(frozen=True, slots=True)
class SheetsPage:
    """Score sheets of a round, one page per table, with the names filled in."""

    night: NightPage
    round: int
    sheets: tuple[PaperPage, ...]
    blank: Mapping[str, str]
    """URL values of the blank score sheet."""
