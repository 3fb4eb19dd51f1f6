"""What the tables of a night show: who sat where, and how each game stands by the rules of the night's format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.log import find, load
from scorekeeper.games.models import GameRow
from scorekeeper.leagues.evening import Evening
from scorekeeper.leagues.models import ByeRow, NightRow, SeatRow, TableRow
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.night import Stand, Verdict
from scorekeeper.leagues.schedule.plan import RoundPlan, RoundResults, TablePlan, TableResult
from scorekeeper.rules.ruleset import SeatingKind


@dataclass(frozen=True, slots=True)
class Standing:
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
    verdict: Verdict | None = None
    confirmed: frozenset[int] = frozenset()
    """Sides that said that the points, as they stand, are right."""

    @property
    def plan(self) -> TablePlan:
        """Return the table as it was drawn."""
        return TablePlan(self.number, self.seats, self.kind)

    @property
    def done(self) -> bool:
        """Return whether the night counts this game as it stands."""
        return self.verdict is not None and self.verdict.state != "playing"


def tables_of(session: Session, night: NightRow) -> tuple[Standing, ...]:
    """Return the tables of a night as they stand, by round and number; three queries, and one for each bell."""
    plan = Evening.from_json(night.plan)
    form = FORMATS[plan.format]
    query = (
        select(TableRow, GameRow)
        .outerjoin(GameRow, GameRow.id == TableRow.game_id)
        .where(TableRow.night_id == night.id)
        .order_by(TableRow.round, TableRow.number)
    )
    rows: list[tuple[TableRow, GameRow | None]] = [(table, game) for table, game in session.execute(query)]
    seats = _seats(session, night)
    last = max((table.round for table, game in rows if game is not None), default=0)
    told = []
    for table, game in rows:
        sat = seats[table.id]
        subs = {seat.person_id: seat.sub_for for seat in sat if seat.sub_for is not None}
        people = tuple(seat.person_id for seat in sat)
        kind: SeatingKind = table.kind  # type: ignore[assignment]
        if game is None:
            told.append(Standing(table.id, table.round, table.number, kind, people, subs))
            continue
        # A round that others were begun after is over, bell or not.
        bell = form.bell != "none" and (table.round < last or night.bell_at is not None)
        stand = Stand(
            points=tuple(game.totals),
            hands=game.hands,
            over=game.over,
            winner=game.winner,
            bell=bell,
            open_hand=bell and not game.over and _in_play(session, game),
        )
        told.append(
            Standing(
                id=table.id,
                round=table.round,
                number=table.number,
                kind=kind,
                seats=people,
                subs=subs,
                game=game.public_id,
                version=game.version,
                points=tuple(game.totals),
                sets=tuple(game.sets or [0] * len(game.totals)),
                hands=game.hands,
                final=game.ended_by == "final",
                verdict=form.counts(stand, plan.options),
                confirmed=frozenset(int(side) for side, said in table.confirmed.items() if said == game.totals),
            )
        )
    return tuple(told)


def byes_of(session: Session, night: NightRow) -> Mapping[int, tuple[int, ...]]:
    """Return who sits out, by round, lowest id first."""
    byes: defaultdict[int, list[int]] = defaultdict(list)
    query = select(ByeRow.round, ByeRow.person_id).where(ByeRow.night_id == night.id).order_by(ByeRow.person_id)
    for number, person in session.execute(query):
        byes[number].append(person)
    return {number: tuple(people) for number, people in byes.items()}


def plans_of(tables: Sequence[Standing], byes: Mapping[int, tuple[int, ...]]) -> tuple[RoundPlan, ...]:
    """Return the rounds as they were drawn, the first one first."""
    return tuple(
        RoundPlan(tuple(table.plan for table in tables if table.round == number), byes.get(number, ()))
        for number in range(1, 1 + max((table.round for table in tables), default=0))
    )


def results_of(tables: Sequence[Standing], number: int) -> RoundResults:
    """Return what came of the games of a round that were started; one that goes on has no winner yet."""
    return tuple(
        TableResult(table.number, table.seats, table.points, None if table.verdict is None else table.verdict.winner)
        for table in tables
        if table.round == number and table.game
    )


def _seats(session: Session, night: NightRow) -> Mapping[int, list[SeatRow]]:
    seats: defaultdict[int, list[SeatRow]] = defaultdict(list)
    query = (
        select(SeatRow)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .where(TableRow.night_id == night.id)
        .order_by(SeatRow.table_id, SeatRow.seat)
    )
    for seat in session.scalars(query):
        seats[seat.table_id].append(seat)
    return seats


def _in_play(session: Session, game: GameRow) -> bool:
    found = find(session, game.public_id)
    return found is not None and load(session, found).game.in_play
