"""What the tables of a night show: who sat where, and how each game stands by the rules of the night's format."""

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
    """What another phone says of a result: other points by side, or only that it is wrong (`points` is None).

    `side` is whose phone it is, None where that was not said, and `device` its hash.
    """

    points: tuple[int, ...] | None
    side: int | None
    device: str
    winner: int | None = None
    ended_by: str | None = None
    """As in `EnterResult`."""

    def to_json(self) -> dict[str, Any]:
        """Return it as it is stored."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> Dispute | None:
        """Read it back; None where nothing is stored."""
        if data is None:
            return None
        points = None if data["points"] is None else tuple(data["points"])
        return cls(points, data["side"], data["device"], data.get("winner"), data.get("ended_by"))


@dataclass(frozen=True, slots=True)
class TableState:
    """One table of one round: its people by seat, whom they stand in for, its game, and how it counts.

    `game` is the public id, empty before the first hand. `points` and `sets` are by side; `verdict` is None before
    the game was started.
    """

    id: int
    round: int
    number: int
    kind: SeatingKind
    seats: tuple[int, ...]
    subs: Mapping[int, int]
    """Person to whom they stand in for."""
    game: str = ""
    version: int = 0
    points: tuple[int, ...] = ()
    sets: tuple[int, ...] = ()
    hands: int = 0
    final: bool = False
    """Only the final score is known."""
    ended_by: str = ""
    """How it ended, as somebody was asked beside that score."""
    verdict: GameVerdict | None = None
    confirmed: frozenset[int] = frozenset()
    """Sides that said that the points, as they stand, are right."""
    said_by: Mapping[int, int] = field(default_factory=dict)
    """Confirmed side to the seat of who said so, where that was on a phone that is not their side's."""
    dispute: Dispute | None = None
    """What another phone says of this result."""
    reopened: bool = False
    """The desk corrects it."""

    @property
    def plan(self) -> TablePlan:
        """Return the table as it was drawn."""
        return TablePlan(self.number, self.seats, self.kind)

    @property
    def sides(self) -> int:
        """Return how many sides the table has."""
        return len(self.plan.sides)

    def fixed(self, begun: int) -> bool:
        """Return whether only the desk can change the result: all confirmed it, or a later round was `begun`."""
        return self.done and (self.round < begun or len(self.confirmed) == self.sides)

    @property
    def done(self) -> bool:
        """Return whether the night counts this game as it stands."""
        return self.verdict is not None and self.verdict.state not in ("playing", "tied")

    @property
    def tied(self) -> bool:
        """Return whether the night waits to be told who won."""
        return self.verdict is not None and self.verdict.state == "tied"


# Columns, not rows: a game's row holds its rules, which nobody asks for here.
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
    """Return the tables of a night as they stand, by round and number; three queries, and one for each bell."""
    rows = session.execute(_TABLES.where(TableRow.night_id == night.id)).all()
    seats = _seats(session, night)
    last = max((row.round for row in rows if row.public_id is not None), default=0)
    plan = NightPlan.from_json(night.plan)
    told = []
    for row in rows:
        people = tuple(person for person, _sub_for in seats[row.id])
        subs = {person: sub_for for person, sub_for in seats[row.id] if sub_for is not None}
        drawn = TableState(row.id, row.round, row.number, row.kind, people, subs)
        # A round that others were begun after is over, bell or not.
        over = row.round < last or night.bell_at is not None
        told.append(drawn if row.public_id is None else _started(drawn, row, _verdict(session, night, plan, row, over)))
    return tuple(told)


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
    # A closed night counts as it was written down, tied or not.
    return (form.counts if night.closed_at else form.judge)(stand, plan.options)


def _started(drawn: TableState, row: Row[Any], verdict: GameVerdict) -> TableState:
    confirmed = frozenset(int(side) for side, said in row.confirmed.items() if said == row.totals)
    ended_by = row.ended_by or ""
    return replace(
        drawn,
        game=row.public_id,
        version=row.version,
        points=tuple(row.totals),
        sets=tuple(row.sets or [0] * len(row.totals)),
        hands=row.hands,
        ended_by=ended_by.removeprefix("final.") if ended_by.startswith("final.") else "",
        final=ended_by.startswith("final"),
        verdict=verdict,
        confirmed=confirmed,
        said_by={int(side): seat for side, seat in (row.confirmed_by or {}).items() if int(side) in confirmed},
        dispute=Dispute.from_json(row.dispute),
        reopened=bool(row.reopened),
    )


def byes_of(session: Session, night: NightRow) -> Mapping[int, tuple[int, ...]]:
    """Return who sits out, by round, lowest id first."""
    byes: defaultdict[int, list[int]] = defaultdict(list)
    query = select(ByeRow.round, ByeRow.person_id).where(ByeRow.night_id == night.id).order_by(ByeRow.person_id)
    for number, person in session.execute(query):
        byes[number].append(person)
    return {number: tuple(people) for number, people in byes.items()}


def plans_of(tables: Sequence[TableState], byes: Mapping[int, tuple[int, ...]]) -> tuple[RoundPlan, ...]:
    """Return the rounds as they were drawn, the first one first."""
    return tuple(
        RoundPlan(tuple(table.plan for table in tables if table.round == number), byes.get(number, ()))
        for number in range(1, 1 + max((table.round for table in tables), default=0))
    )


def results_of(tables: Sequence[TableState], number: int) -> RoundResults:
    """Return what came of the games of a round that were started; one that goes on has no winner yet."""
    return tuple(
        TableResult(table.number, table.seats, table.points, None if table.verdict is None else table.verdict.winner)
        for table in tables
        if table.round == number and table.game
    )


def _seats(session: Session, night: NightRow) -> Mapping[int, list[tuple[int, int | None]]]:
    """Who sat at each table by seat, and for whom."""
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
