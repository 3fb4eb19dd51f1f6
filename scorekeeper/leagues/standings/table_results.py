"""Read the tables of a night: seats, scores, and the state of each game by the rules of the night's format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field, structs
from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.event_store import find, hands_since, load
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.models import ByeRow, NightRow, SeatRow, TableRow
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.night import GameVerdict, LastHand, Stand
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import RoundPlan, RoundResults, TableKind, TablePlan, TableResult
from scorekeeper.rules.game import Game
from scorekeeper.rules.scoring import leaders_of

FORFEITED = ("conceded", "final.conceded")
"""How a game ended, as in `GameRow.ended_by`, that a side forfeited."""


class Dispute(Struct, frozen=True):
    """An objection to a result, sent from another phone.

    `points` has the score that this phone claims, by side, or None if the phone only says that the result is wrong.
    `side` is the side of the phone's player, or None if unknown. `device` is the hash of the phone's device code.
    `winner` is the side that won according to this phone, or None if it names no winner.
    """

    points: tuple[int, ...] | None
    side: int | None
    device: str
    winner: int | None = None
    ended_by: str | None = None
    """How the game ended according to this phone, a value of `EnterResult.ended_by`; None if the phone didn't ask."""
    sets: tuple[int, ...] | None = None
    """How often each side was set according to this phone; None if it doesn't say."""

    def to_json(self) -> dict[str, Any]:
        """Return the dispute as a JSON object."""
        return structs.asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> Dispute | None:
        """Return a dispute from its stored JSON object, or None if nothing is stored."""
        if data is None:
            return None
        points = None if data["points"] is None else tuple(data["points"])
        sets = None if data.get("sets") is None else tuple(data["sets"])
        return cls(points, data["side"], data["device"], data.get("winner"), data.get("ended_by"), sets)


class TableState(Struct, frozen=True):
    """One table of one round, with its players by seat, its game, and its result.

    `game` is the public id of the game, or empty until the game is started. `points` and `sets` are by side.
    `verdict` is None until the game is started.
    """

    id: int
    round: int
    number: int
    kind: TableKind
    seats: tuple[int, ...]
    subs: Mapping[int, int]
    """Maps the id of each substitute to the id of the regular they play for."""
    game: str = ""
    version: int = 0
    points: tuple[int, ...] = ()
    sets: tuple[int, ...] = ()
    hands: int = 0
    final: bool = False
    """True if only the final score was entered."""
    paper_sets: tuple[int, ...] | None = None
    """How often each side was set (failed to make its bid), if entered with a final score; otherwise None."""
    ended_by: str = ""
    """How the game ended, as entered with a final score; empty if nobody was asked, or if hands were entered."""
    verdict: GameVerdict | None = None
    confirmed: frozenset[int] = frozenset()
    """Sides that confirmed the current points."""
    said_by: Mapping[int, int] = field(default_factory=dict)
    """Maps each side that confirmed on another side's phone to the seat, from 0, of its player who confirmed."""
    dispute: Dispute | None = None
    """The objection that another phone sent to this result; None if there is none."""
    reopened: bool = False
    """True while a director or helper corrects the confirmed result."""
    built_on: bool = False
    """True once a later round was started, or seated according to the results of this one."""
    last_hand: LastHand = ""
    """What the game still has to do after the bell: see `last_hand`."""
    by_bell: bool = False
    """True if the bell ended the game, which was scored hand by hand."""
    forfeit: int | None = None
    """The side that forfeited the game; None for any other game."""

    @property
    def plan(self) -> TablePlan:
        """Return the table as planned in the seating: number, people and kind, without a result."""
        return TablePlan(self.number, self.seats, self.kind)

    @property
    def sides(self) -> int:
        """Return the number of sides."""
        return len(self.plan.sides)

    @property
    def fixed(self) -> bool:
        """Return whether the result is locked for the players. The people who run the night can still change it.

        The result of a finished game is locked for players once all sides have confirmed it, or once a later round was
        built on it.
        """
        return self.done and (self.built_on or len(self.confirmed) == self.sides)

    @property
    def done(self) -> bool:
        """Return whether the game is over and its result counts."""
        return self.verdict is not None and self.verdict.state not in ("playing", "tied")

    @property
    def tied(self) -> bool:
        """Return whether the game ended in a tie on a night that needs a winner."""
        return self.verdict is not None and self.verdict.state == "tied"


# Only these columns: the row of a game also holds its rules, which are not needed here.
_TABLES = (
    select(
        TableRow.id,
        TableRow.round,
        TableRow.number,
        TableRow.kind,
        TableRow.confirmed,
        TableRow.confirmed_by,
        TableRow.dispute,
        TableRow.reopened,
        TableRow.paper_sets,
        TableRow.forfeit,
        GameRow.public_id,
        GameRow.version,
        GameRow.totals,
        GameRow.sets,
        GameRow.hands,
        GameRow.over,
        GameRow.winner,
        GameRow.ended_by,
    )
    .outerjoin(GameRow, GameRow.id == TableRow.game_id)
    .order_by(TableRow.round, TableRow.number)
)


def last_begun(session: Session, night: NightRow) -> int:
    """Return the number of the last round of a night that was started, or 0 if none was.

    A round is started by its first game, or by a director who marks it as started.
    """
    query = select(func.max(TableRow.round)).where(TableRow.night_id == night.id, TableRow.game_id.is_not(None))
    return max(session.scalar(query) or 0, night.started_round or 0)


def begun_of(night: NightRow, tables: Sequence[TableState]) -> int:
    """Return the number of the last round that was started, or 0 if none was.

    Unlike `last_begun`, this uses tables that were already read, and takes no query.
    """
    return max((night.started_round or 0, *(table.round for table in tables if table.game)))


def tables_of(session: Session, night: NightRow) -> tuple[TableState, ...]:
    """Return the tables of a night, ordered by round and number.

    Takes three queries, plus a few for each game that is playing its last hand after the bell.
    """
    rows = session.execute(_TABLES.where(TableRow.night_id == night.id)).all()
    seats = _seats(session, night)
    last = max((night.started_round or 0, *(row.round for row in rows if row.public_id is not None)))
    plan = NightPlan.from_json(night.plan)
    # If all rounds are seated ahead, a seating says nothing about results.
    built = last if FORMATS[plan.format].ahead else max((last, *(row.round for row in rows)))
    tables = []
    for row in rows:
        people = tuple(person for person, _sub_for in seats[row.id])
        subs = {person: sub_for for person, sub_for in seats[row.id] if sub_for is not None}
        seated = TableState(row.id, row.round, row.number, row.kind, people, subs, built_on=row.round < built)
        if row.public_id is not None:
            left = last_hand(session, night, row.public_id) if row.round == last and not row.over else ""
            seated = _started(seated, row, _verdict(night, plan, row, left, later=row.round < last))
            seated = structs.replace(seated, last_hand=left)
        tables.append(seated)
    return tuple(tables)


def _verdict(night: NightRow, plan: NightPlan, row: Row[Any], left: LastHand, *, later: bool) -> GameVerdict:
    """Return how a game counts for the night.

    `left` is what it still has to do after the bell (`last_hand`). `later` says whether a later round was started.
    """
    form = FORMATS[plan.format]
    stand = Stand(
        points=tuple(row.totals),
        hands=row.hands,
        over=row.over,
        winner=row.winner,
        # A round is over once a later one was started, even without a bell.
        bell=form.bell != "none" and (later or bool(left)),
        open_hand=left in ("due", "played"),
    )
    # A closed night counts as saved, tied or not.
    return (form.counts if night.closed_at else form.judge)(stand, plan.options)


def last_hand(session: Session, night: NightRow, game: str) -> LastHand:
    """Return what a game (public id) in the round of the bell still has to do; "" for a game that was deleted."""
    found = find(session, game) if night.bell_at is not None and has_bell(night) else None
    if found is None or night.bell_at is None:
        return ""
    state = load(session, found).game
    if state.over:
        return ""
    if not hands_since(session, found.id, state, night.bell_at):
        return "due"
    return "tied" if one_more_due(night, state) else "played"


def has_bell(night: NightRow) -> bool:
    """Return whether the format of a night ends the games of a round by a bell."""
    return FORMATS[NightPlan.from_json(night.plan).format].bell != "none"


def one_more_due(night: NightRow, game: Game) -> bool:
    """Return whether a game that is over for its round has to go on, because it is tied."""
    plan = NightPlan.from_json(night.plan)
    return len(leaders_of(game.tally.totals)) > 1 and FORMATS[plan.format].plays_on(plan.options)


def _started(seated: TableState, row: Row[Any], verdict: GameVerdict) -> TableState:
    confirmed = frozenset(int(side) for side, points in row.confirmed.items() if points == row.totals)
    ended_by = row.ended_by or ""
    final = ended_by.startswith("final")
    paper_sets = tuple(row.paper_sets) if final and row.paper_sets is not None else None
    return structs.replace(
        seated,
        game=row.public_id,
        version=row.version,
        points=tuple(row.totals),
        sets=paper_sets or tuple(row.sets or [0] * len(row.totals)),
        hands=row.hands,
        ended_by=ended_by.removeprefix("final.") if ended_by.startswith("final.") else "",
        final=final,
        paper_sets=paper_sets,
        verdict=verdict,
        confirmed=confirmed,
        said_by={int(side): seat for side, seat in (row.confirmed_by or {}).items() if int(side) in confirmed},
        dispute=Dispute.from_json(row.dispute),
        reopened=bool(row.reopened),
        by_bell=ended_by == "time",
        # A result that was entered since counts as it is.
        forfeit=row.forfeit if row.over and ended_by in FORFEITED and row.winner == _other(row.forfeit) else None,
    )


def _other(side: int | None) -> int:
    return -1 if side is None else 1 - side


def byes_of(session: Session, night: NightRow) -> Mapping[int, tuple[int, ...]]:
    """Return the ids of the people who sit out, by round. The lowest id comes first."""
    byes: defaultdict[int, list[int]] = defaultdict(list)
    query = select(ByeRow.round, ByeRow.person_id).where(ByeRow.night_id == night.id).order_by(ByeRow.person_id)
    for number, person in session.execute(query):
        byes[number].append(person)
    return {number: tuple(people) for number, people in byes.items()}


def plans_of(tables: Sequence[TableState], byes: Mapping[int, tuple[int, ...]]) -> tuple[RoundPlan, ...]:
    """Return the seating of each round, in order. `byes` has the ids of the people who sit out, by round."""
    return tuple(
        RoundPlan(tuple(table.plan for table in tables if table.round == number), byes.get(number, ()))
        for number in range(1, 1 + max((table.round for table in tables), default=0))
    )


def results_of(tables: Sequence[TableState], number: int) -> RoundResults:
    """Return the results of the started games of one round. A game in progress has no winner yet."""
    return tuple(
        TableResult(table.number, table.seats, table.points, None if table.verdict is None else table.verdict.winner)
        for table in tables
        if table.round == number and table.game
    )


def _seats(session: Session, night: NightRow) -> Mapping[int, list[tuple[int, int | None]]]:
    """Return the seats of each table, by the id of the table.

    Each seat is a pair of a player's id and the id of the regular they play for. The second is None if they play for
    themselves.
    """
    seats: defaultdict[int, list[tuple[int, int | None]]] = defaultdict(list)
    query = (
        select(SeatRow.table_id, SeatRow.person_id, SeatRow.sub_for)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .where(TableRow.night_id == night.id)
        .order_by(SeatRow.table_id, SeatRow.seat)
    )
    for table, person, sub_for in session.execute(query):
        seats[table].append((person, sub_for))
    return seats
