"""Page models of a league night: the public page, the desk page to run the night, a table, and the printed pages."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal

from markupsafe import Markup
from msgspec import Struct, field

from scorekeeper.games.presenters.score_sheet import PaperPage
from scorekeeper.games.store.access import Clock
from scorekeeper.leagues.money.pages import FeesPanel
from scorekeeper.leagues.results.pages import NightResults, TeamMatch
from scorekeeper.leagues.schedule.formats.night import LastHand
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.pages import BracketRound
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import Publication


class Seated(Struct, frozen=True):
    """A person in a seat."""

    name: str
    sub_for: str
    """Name of the regular they play for; empty if they play for themselves."""
    seat: int = 0


class TableSide(Struct, frozen=True):
    """One side of a card table."""

    index: int
    letter: str
    people: tuple[Seated, ...]
    name: str
    """Names of the people on the side: "Ann and Cid"."""
    total: str
    """Score of the side as text; empty before the game is started."""
    points: int
    won: bool
    confirmed: bool
    """True if this side confirmed the result."""
    team: str = ""
    """Name of the fixed team that the side plays for; empty on other nights."""
    said_by: str = ""
    """Name of the player who confirmed for this side on another side's phone; empty if the side's own phone did."""


class TableView(Struct, frozen=True):
    """One card table of one round."""

    id: int
    number: int
    round: int
    game: str
    """Public id of its game; empty before the game is started."""
    state: Literal["waiting", "playing", "done"]
    says: str
    """Progress of the game in words: "Hand 4", or how it ended."""
    paper: bool
    """True if only the final score was entered, without hands."""
    fresh: bool
    """True if no hand has been entered, so that a final score can still be entered instead."""
    tied: bool
    """True if the game ended in a tie, and the next round needs a winner."""
    sides: tuple[TableSide, ...]
    dispute: str = ""
    """How two phones disagree about the result, in a sentence; empty without a dispute."""
    ended_by: str = ""
    """How the game ended, as saved with a final score, such as "time"; empty if only the score was saved."""
    fixed: bool = False
    """True if the result is locked for phones, so that only a director or helper can change it."""
    sets: tuple[str, ...] = ()
    """How often each side was set (failed to make its bid), as entered with a final score; () if nobody entered it."""
    last_hand: LastHand = ""
    """What the game still has to do after the bell; "" before the bell, and once the game is over."""
    forfeit: int | None = None
    """The side that forfeited the game; None for any other game."""

    @property
    def may_forfeit(self) -> bool:
        """Return whether a side can still forfeit the game."""
        return self.state != "done" and not self.tied and len(self.sides) == 2

    @property
    def confirmed(self) -> bool:
        """Return whether every side confirmed the result and no phone disputes it."""
        return all(side.confirmed for side in self.sides) and not self.dispute

    @property
    def title(self) -> str:
        """Return the sides and their scores as text, such as "Ann and Cid 12, Bob and Dee 9"."""
        return ", ".join(f"{side.name} {side.total}".strip() for side in self.sides)

    @property
    def points(self) -> tuple[str, ...]:
        """Return the final score as one string per side; the strings are empty if the game has no final score."""
        there = self.state == "done" or self.tied
        return tuple(str(side.points) if there else "" for side in self.sides)

    @property
    def answered(self) -> str:
        """Return how the game ended and which side won, in the format of `Answer.value`, such as "target:0".

        Return "" if only the score was saved, not how the game ended.
        """
        won = next((str(side.index) for side in self.sides if side.won), "")
        return f"{self.ended_by}:{won}" if self.ended_by else ""

    @property
    def stands(self) -> str:
        """Return the saved final score in the format of `score_line`; empty if there is none."""
        return score_line(self.points, self.answered) if any(self.points) else ""


def score_line(points: Sequence[str], ending: str) -> str:
    """Return a score as one string, for comparing the score on a form with the saved score.

    The string has the points of each side: "21,13". If `ending` isn't empty, the string continues with `ending`, the
    answer about how the game ended: "11,12;target:0".
    """
    return ",".join(points) + (f";{ending}" if ending else "")


class RoundView(Struct, frozen=True):
    """One round of a night. `state` is "now" for the current round and "next" for the round after that."""

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
    def last_hands(self) -> tuple[TableView, ...]:
        """Return the tables that have to finish their last hand after the bell."""
        return tuple(table for table in self.tables if table.last_hand)

    @property
    def tied(self) -> tuple[TableView, ...]:
        """Return the tied tables that still need a winner."""
        return tuple(table for table in self.tables if table.tied)


class RoundSeat(Struct, frozen=True):
    """The seat of a person in the current round; `table` is 0 if the person sits out."""

    name: str
    table: int
    partners: tuple[str, ...]
    letter: str


class NightPage(Struct, frozen=True):
    """The public page of a night, which is the same for every visitor."""

    id: str
    title: str
    """League and number of the night: "Fire Hall, night 3"."""
    league_id: str
    season: str
    season_id: str
    day: str
    format: str
    rounds: tuple[RoundView, ...]
    now: int
    """Number of the current round; 0 before the seating is made."""
    bell: bool
    """True if the bell has rung for the current round."""
    clock: Clock | None
    """The clock of the current round; None if it isn't running, and after the bell."""
    closed: bool
    seats: tuple[RoundSeat, ...]
    """Where people sit in the current round, sorted by name; empty once all its tables are over."""
    version: str
    champion: str
    """The winner of a knockout, as in "Champions: Ann and Bob"; empty until there is one."""
    seeds: str
    """How a knockout is seeded and which teams have a first-round bye, in sentences; else empty."""
    matches: tuple[TeamMatch, ...]
    """The matches of the night in a team season; else ()."""
    bracket: tuple[BracketRound, ...] = ()
    """The picture of the bracket of a knockout; () for other formats, and while the teams can't form one."""
    final_only: bool = False
    """True if the night has at least two scores, and all of them were entered as final scores, without hands.

    The page then has one note about this, instead of a note at each table.
    """
    is_totals: bool = False
    """True if the night was imported as the points of each person, without tables."""
    results: NightResults | None = None
    """The results so far; None before the first finished table, and on pages that don't show results."""

    @property
    def current(self) -> RoundView | None:
        """Return the current round, or None before the seating is made."""
        return next((each for each in self.rounds if each.number == self.now), None)

    @property
    def next_round(self) -> RoundView | None:
        """Return the round after the current one, or None if it has no seating yet."""
        return next((each for each in self.rounds if each.state == "next"), None)


class Wrong(Struct, frozen=True):
    """An error to show on the desk page.

    `says` is the message, and `part` is the name of the section that shows it. Both are "" if there is no error.
    """

    part: str = ""
    says: str = ""
    tables: Mapping[int, RuleViolation] = field(default_factory=dict)
    """The error for each refused score, by table id."""


class Person(Struct, frozen=True):
    """A person who is shown as a button on the desk page."""

    id: str
    name: str
    note: str = ""
    """Note beside the name: "from round 2", "left after round 3", "for Ann" …"""
    regular: str = ""
    """Public id of the regular for whom a substitute plays; empty for everyone else."""


class Door(Struct, frozen=True):
    """The people who can be checked in on the desk page."""

    find: str
    """The text that filters the names."""
    expected: tuple[Person, ...]
    """People who answered in advance that they would come."""
    last_time: tuple[Person, ...]
    others: tuple[Person, ...]
    hidden: int
    """How many people are not listed; the filter finds them."""


class OutdatedView(Struct, frozen=True):
    """A round that was seated from results that have changed since, so that a director has to decide about it.

    `says` is a sentence that names the round and why it no longer fits. `gone` are the started tables that are removed
    if the round `number` is seated again.
    """

    number: int
    says: str
    gone: tuple[TableView, ...]


class DeskPage(Struct, frozen=True):
    """The desk page of one night."""

    night: NightPage
    directs: bool
    """True if this device belongs to a director or owner, who may use everything on the page.

    Helpers may check people in and enter results, but may not change the plan or the seating or close the night.
    """
    shown: RoundView | None
    """The round whose scores are on the page."""
    swappable: tuple[Person, ...]
    door: Door
    here: tuple[Person, ...]
    left: tuple[Person, ...]
    substitutes: tuple[Person, ...]
    """Substitutes who are checked in."""
    absent: tuple[Person, ...]
    """Regulars a substitute can play for. The regulars who were checked in on the previous night are first."""
    sitting_out: str
    """Sentences that say how many people sit out each round, and which table sizes would avoid it; else empty."""
    kept: tuple[Person, ...]
    """People who stay at one table all night. `Person.note` says at which table."""
    keeps: bool
    """True if the format lets people stay at one table all night."""
    fixed: bool
    """True if partners stay together all night."""
    teams: tuple[tuple[Person, ...], ...]
    """The people of each team of fixed partners."""
    again: tuple[str, ...]
    """Names of each team of an earlier night that can be made again, such as "Ann and Bob".

    All people of such a team are checked in and have no partner tonight.
    """
    alone: tuple[Person, ...]
    """People who are checked in and have no fixed partner, for example because their partner left."""
    by_lot: int
    """How many teams were drawn by lot and can be drawn again."""
    unpaired: bool
    """True if so many people have no partner that they must get partners before a seating can be made."""
    vacancies: tuple[tuple[Person, Person], ...]
    """Pairs of someone who left but still has coming seats, and of a newcomer who can take them."""
    undo_seating: bool
    """True if the last new seating can be undone."""
    team_size: int
    plan: NightPlan
    disputed: frozenset[int]
    """Ids of tables where two phones disagree on a hand."""
    misfits: tuple[str, ...]
    """Sentences that explain why the next round needs a new seating, for example because a seated person has left."""
    pairs_missing: bool
    """True if the format needs fixed partners, and there are fewer than two teams."""
    circle: str
    """Sentences that say how many rounds a full round robin takes, in which all teams play each other.

    Empty if the format isn't a round robin.
    """
    begun: int
    """How many rounds have started. The seating of later rounds can be remade."""
    missing: tuple[TableView, ...]
    """Tables that would not count if the night were closed now."""
    may_remove: bool
    """True if the night has no results and no money, so that it can be removed."""
    kept_for_fees: bool
    """True if only its money keeps the night from being removed, and entry fees are part of that money."""
    over: bool
    """True if the final of a knockout has started, so that there are no more rounds."""
    unconfirmed: tuple[TableView, ...]
    """Tables with a disputed result, and tables scored on a phone whose result not every side has confirmed."""
    has_bell: bool
    """True if a bell can be rung or undone for the last round that has started."""
    rung: bool
    """True if that bell has rung."""
    clock_minutes: int
    """How long a round takes by the clock that can be started for the round on the page; 0 if none can."""
    time_up: bool
    """True if the clock of the current round has run out, but the bell hasn't rung."""
    head_done: bool
    """True if the head table, which decides when the bell rings, has finished before other tables."""
    sets_label: str = ""
    """Label of the fields for how often each side was set (failed to make its bid); empty without such fields."""
    shows_sets: bool = False
    """True if the fields for sets (failed bids) start expanded: a set costs money, or sets were entered tonight."""
    fees: FeesPanel | None = None
    """The entry fees of the night; None if the season has no entry fee."""
    date: str = ""
    """Date of the night, in ISO format."""
    said_yes: int = 0
    """How many people answered yes and can be checked in with one tap."""
    forfeit_points: int = 0
    """Points for winning a table by forfeit."""
    at_once: int = 0
    """How many people were checked in with one tap (see `said_yes`)."""
    undoable: int = 0
    """How many of these check-ins can still be undone."""
    sets_cost: str = ""
    """What the sets (failed bids) of the night cost so far, as text; empty if nothing."""
    outdated: OutdatedView | None = None
    """The first round that no longer fits the results before it; None if there is none."""
    publication: Publication | None = None
    """When the public pages were published as files; None if that isn't for this device, league or server."""

    @property
    def version(self) -> str:
        """Return a hash of the page, which changes whenever anything on the page changes."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]


class TableCard(Struct, frozen=True):
    """The printed card of one table."""

    number: int
    address: str
    short: str
    """The short address of the card. `typed` is this address without "http://": "192.168.1.5:8000/t/12-3-k7f9qd2m"."""
    typed: str
    code: Markup
    """A QR code of the address, as SVG."""


class WifiView(Struct, frozen=True):
    """The hall's Wi-Fi, as every table card shows it."""

    name: str
    password: str
    """Empty if the cards don't show it."""
    code: Markup | None
    """A QR code with which a phone joins the network, as SVG; None without a password."""


class Place(Struct, frozen=True):
    """The place of a person in one round.

    `table` is the number of the person's table, 0 if they sit out, or -1 if they are not in the round.
    """

    table: int
    partners: tuple[str, ...]


class CardWay(Struct, frozen=True):
    """The tables at which one person plays, round by round."""

    number: int
    """Number of this person's row and column in `RotationPage.matrix`, from 1."""
    name: str
    places: tuple[Place, ...]


class SheetsPage(Struct, frozen=True):
    """The score sheets of a round for printing, one page per table, with the names filled in."""

    night: NightPage
    round: int
    sheets: tuple[PaperPage, ...]
    blank: Mapping[str, str]
    """URL parameters (name and value) of a blank score sheet for the same game."""
