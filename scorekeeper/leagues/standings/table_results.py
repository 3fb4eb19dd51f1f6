"""Read the tables of a night: seats, scores, and the state of each game by the rules of the night's format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.event_store import find, load
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.models import ByeRow, NightRow, SeatRow, TableRow
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.night import GameVerdict, Stand
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import RoundPlan, RoundResults, TablePlan, TableResult
from scorekeeper.rules.parts import SeatingKind


@dataclass(frozen=True, slots=True)
class Dispute:
    """An objection to a result from another phone: other points by side, or None in `points` for just "wrong".

    `side` is the side that phone belongs to, None if unknown; `device` is the hash of its device code.
    """

    points: tuple[int, ...] | None
    side: int | None
    device: str
    winner: int | None = None
    ended_by: str | None = None
    """As in `EnterResult`."""

    def to_json(self) -> dict[str, Any]:
        """Return the dispute as a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> Dispute | None:
        """Return a stored dispute, None if there is none."""
        if data is None:
            return None
        points = None if data["points"] is None else tuple(data["points"])
        return cls(points, data["side"], data["device"], data.get("winner"), data.get("ended_by"))


@dataclass(frozen=True, slots=True)
class TableState:
    """One table of one round: its players by seat, the regulars they play for, its game, and how it counts.

    `game` is the public id of the game, empty until it is started. `points` and `sets` are by side; `verdict` is None
    until the game is started.
    """

    id: int
    round: int
    number: int
    kind: SeatingKind
    seats: tuple[int, ...]
    subs: Mapping[int, int]
    """Ids of substitutes to the regulars they play for."""
    game: str = ""
    version: int = 0
    points: tuple[int, ...] = ()
    sets: tuple[int, ...] = ()
    hands: int = 0
    final: bool = False
    """Only the final score was entered."""
    paper_sets: tuple[int, ...] | None = None
    """The sets entered with that final score, None if nobody entered them."""
    ended_by: str = ""
    """How the game ended, as entered with that final score."""
    verdict: GameVerdict | None = None
    confirmed: frozenset[int] = frozenset()
    """Sides that confirmed the current points."""
    said_by: Mapping[int, int] = field(default_factory=dict)
    """Confirmed side to the seat of the player who confirmed, if it was on another side's phone."""
    dispute: Dispute | None = None
    """The objection of another phone to this result."""
    reopened: bool = False
    """The desk has reopened it for a correction."""

    @property
    def plan(self) -> TablePlan:
        """Return the table as in the seating."""
        return TablePlan(self.number, self.seats, self.kind)

    @property
    def sides(self) -> int:
        """Return the number of sides."""
        return len(self.plan.sides)

    def fixed(self, begun: int) -> bool:
        """Return whether only the desk can change the result: all sides confirmed it, or a later round was started."""
        return self.done and (self.round < begun or len(self.confirmed) == self.sides)

    @property
    def done(self) -> bool:
        """Return whether the game is over and counts."""
        return self.verdict is not None and self.verdict.state not in ("playing", "tied")

    @property
    def tied(self) -> bool:
        """Return whether the game is tied and the night needs a winner."""
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


def tables_of(session: Session, night: NightRow) -> tuple[TableState, ...]:
    """Return the tables of a night by round and number; three queries, and one for each game stopped by the bell."""
    rows = session.execute(_TABLES.where(TableRow.night_id == night.id)).all()
    seats = _seats(session, night)
    last = max((row.round for row in rows if row.public_id is not None), default=0)
    plan = NightPlan.from_json(night.plan)
    tables = []
    for row in rows:
        people = tuple(person for person, _sub_for in seats[row.id])
        subs = {person: sub_for for person, sub_for in seats[row.id] if sub_for is not None}
        seated = TableState(row.id, row.round, row.number, row.kind, people, subs)
        # A round is over once a later one was started, even without a bell.
        over = row.round < last or night.bell_at is not None
        tables.append(
            seated if row.public_id is None else _started(seated, row, _verdict(session, night, plan, row, over))
        )
    return tuple(tables)


def _verdict(session: Session, night: NightRow, plan: NightPlan, row: Row[Any], over: bool) -> GameVerdict:
    form = FORMATS[plan.format]
    bell = over and form.bell != "none"
    stand = Stand(
        points=tuple(row.totals),
        hands=row.hands,
        over=row.over,
        winner=row.winner,
        bell=bell,
        open_hand=bell and not row.over and _in_play(session, row.public_id),
    )
    # A closed night counts as saved, tied or not.
    return (form.counts if night.closed_at else form.judge)(stand, plan.options)


def _started(seated: TableState, row: Row[Any], verdict: GameVerdict) -> TableState:
    confirmed = frozenset(int(side) for side, points in row.confirmed.items() if points == row.totals)
    ended_by = row.ended_by or ""
    final = ended_by.startswith("final")
    paper_sets = tuple(row.paper_sets) if final and row.paper_sets is not None else None
    return replace(
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
    )


def byes_of(session: Session, night: NightRow) -> Mapping[int, tuple[int, ...]]:
    """Return the ids of those sitting out, by round, lowest id first."""
    byes: defaultdict[int, list[int]] = defaultdict(list)
    query = select(ByeRow.round, ByeRow.person_id).where(ByeRow.night_id == night.id).order_by(ByeRow.person_id)
    for number, person in session.execute(query):
        byes[number].append(person)
    return {number: tuple(people) for number, people in byes.items()}


def plans_of(tables: Sequence[TableState], byes: Mapping[int, tuple[int, ...]]) -> tuple[RoundPlan, ...]:
    """Return the seating of each round, first round first."""
    return tuple(
        RoundPlan(tuple(table.plan for table in tables if table.round == number), byes.get(number, ()))
        for number in range(1, 1 + max((table.round for table in tables), default=0))
    )


def results_of(tables: Sequence[TableState], number: int) -> RoundResults:
    """Return the results of the started games of a round; a game in progress has no winner yet."""
    return tuple(
        TableResult(table.number, table.seats, table.points, None if table.verdict is None else table.verdict.winner)
        for table in tables
        if table.round == number and table.game
    )


def _seats(session: Session, night: NightRow) -> Mapping[int, list[tuple[int, int | None]]]:
    """Return the player of each seat and the regular they played for, by table."""
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


def _in_play(session: Session, game: str) -> bool:
    found = find(session, game)
    return found is not None and load(session, found).game.in_play
