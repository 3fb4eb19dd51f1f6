"""Import past results as closed nights.

Wrong lines are skipped only if the preview showed them. An imported night has final scores, but no hands, byes or
money, and comes after all other nights of the season. Everything is read and checked before the write begins, because
in SQLite no other write can begin until it ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.store.game_export import ExportLine, Ready, Whole, make_ready, put
from scorekeeper.leagues.core.access import demand, season_at, take_charge_of_season
from scorekeeper.leagues.core.audit_log import note
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, PresentRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.nights.service import MOST_HERE
from scorekeeper.leagues.people.service import MOST_PEOPLE
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.closed_nights import sum_up
from scorekeeper.leagues.transfer.import_results import (
    NO_ANSWERS,
    PastLine,
    last_day,
    past_results,
    rules_of_season,
    stops_early,
    table_of,
)
from scorekeeper.leagues.transfer.spreadsheet_dates import Order
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import EnterResult, decide
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import check_name
from scorekeeper.rules.replay import replay
from scorekeeper.rules.table import Table
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db, writing

STARTS = time(19, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PastNight:
    """A night ready to be saved: its lines, and the game of each line."""

    public_id: str
    day: date
    plan: NightPlan
    lines: Sequence[PastLine]
    games: Sequence[Ready]


@use_case
def bring_in_past(
    *,
    season: str,
    text: str,
    device: str,
    order: Order = "",
    without: int = 0,
    answers: Mapping[str, str] = NO_ANSWERS,
    now: datetime | None = None,
) -> int:
    """Import the nights of a table into a season (public id) and return their number.

    `without` is the number of wrong lines that the preview showed, and that may be skipped. New names are added to the
    league. Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` if more lines are wrong, if none is right,
    or if the season is closed.
    """
    after, nights = _ready(season, text, device, order, without, answers)
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.OWNER)
        if row.closed_at is not None:
            raise RuleViolation("season_closed", "This season is closed.")
        if last_day(session, row) != after:
            raise _not_all()  # a night was opened after the lines were checked
        people, added = _people(session, league, [line for night in nights for line in night.lines])
        numbers = select(func.max(NightRow.number)).where(NightRow.season_id == row.id, NightRow.number > 0)
        when, first = now or datetime.now(UTC), (session.scalar(numbers) or 0) + 1
        for number, night in enumerate(nights, start=first):
            _write(session, row, number, night, people, when)
        games = sum(len(night.lines) for night in nights)
        note(session, league, "past_brought_in", device=device, now=when, nights=len(nights), games=games, people=added)
        return len(nights)


def _not_all() -> RuleViolation:
    return RuleViolation("sheet_lines", "Some lines have problems. Nothing was imported.")


def _ready(
    season: str, text: str, device: str, order: Order, without: int, answers: Mapping[str, str]
) -> tuple[date | None, list[PastNight]]:
    """Return the day of the season's last night, and the nights to import after it."""
    session = db.session()
    row = season_at(session, season)
    league = session.get_one(LeagueRow, row.league_id)
    demand(league, device, Role.OWNER)
    after, rules = last_day(session, row), rules_of_season(row)
    told = past_results(text, rules, after, order=order, answers=answers, stops=stops_early(row))
    lines = [line for line in told if not line.problem]
    if not lines or len(told) - len(lines) > without or any(line.asked for line in lines):
        raise _not_all()
    nights: defaultdict[date, list[PastLine]] = defaultdict(list)
    for line in lines:
        assert line.day is not None
        nights[line.day].append(line)
    return after, [_night(league, row, day, nights[day]) for day in sorted(nights)]


def _night(league: LeagueRow, season: SeasonRow, day: date, lines: Sequence[PastLine]) -> PastNight:
    if len({_folded(name) for line in lines for name in line.people}) > MOST_HERE:
        raise RuleViolation("people", Phrase("A night has room for %(most)s people.", most=MOST_HERE))
    public_id, rules = new_public_id(), rules_of_season(season)
    starts = datetime.combine(day, STARTS)
    games = [
        make_ready(_whole(league.device, public_id, line, table_of(rules, len(line.people), len(line.points)), starts))
        for line in lines
    ]
    plan = replace(NightPlan.from_json(season.plan), rounds=max(line.round for line in lines))
    return PastNight(public_id, day, plan, lines, games)


def _whole(device: str, night: str, line: PastLine, table: Table, starts: datetime) -> Whole:
    """Return the game of a line: its start and its final score."""
    start = ev.GameStarted(table.rules, tuple(range(table.players)), table.sides, table.players - 1)
    events = (start, *decide(replay([start]), line.said or EnterResult(line.points)))
    client_id = f"past-{night}-{line.round}-{line.table}"
    lines = [
        ExportLine(event, None if place else client_id, device, starts, starts) for place, event in enumerate(events)
    ]
    return Whole(new_public_id(), device, client_id, None, None, tuple(map(check_name, line.people)), tuple(lines))


def _folded(name: str) -> str:
    return check_name(name).casefold()


def _people(session: Session, league: LeagueRow, lines: Sequence[PastLine]) -> tuple[Mapping[str, int], list[str]]:
    """Return ids by case-folded name for everyone in the lines, and the public ids of new people."""
    query = select(PersonRow).where(PersonRow.league_id == league.id, PersonRow.merged_into.is_(None))
    people = {person.name.casefold(): person for person in session.scalars(query)}
    added = []
    for line in lines:
        for name in map(check_name, (*line.people, *filter(None, line.subs))):
            if name.casefold() not in people:
                public_id = new_public_id()
                people[name.casefold()] = PersonRow(
                    league_id=league.id,
                    public_id=public_id,
                    name=name,
                    nickname="",
                    active=True,
                    guest=False,
                    notes="",
                )
                added.append(public_id)
    if len(people) > MOST_PEOPLE:
        raise RuleViolation("people", Phrase("A league can have at most %(most)s players.", most=MOST_PEOPLE))
    session.add_all(people.values())
    session.flush()
    return {key: person.id for key, person in people.items()}, added


def _write(
    session: Session, season: SeasonRow, number: int, night: PastNight, people: Mapping[str, int], now: datetime
) -> None:
    row = NightRow(
        season_id=season.id,
        public_id=night.public_id,
        number=number,
        day=night.day,
        plan=night.plan.to_json(),
        version=0,
        cards=0,
        closed_at=now,
    )
    session.add(row)
    session.flush()
    came: dict[int, int] = {}
    plays_for: dict[int, int | None] = {}
    games = [_seated(ready, people) for ready in night.games]
    for line, ready, game in zip(night.lines, games, put(session, games), strict=True):
        table = _table_row(row, line, ready.game, game)
        session.add(table)
        session.flush()
        for seat, (name, sub) in enumerate(zip(line.people, line.subs, strict=True)):
            person = people[_folded(name)]
            came[person] = min(line.round, came.get(person, line.round))
            plays_for[person] = people[_folded(sub)] if sub else None
            session.add(SeatRow(table_id=table.id, seat=seat, person_id=person, sub_for=plays_for[person]))
    session.add_all(
        PresentRow(night_id=row.id, person_id=person, from_round=first, sub_for=plays_for[person])
        for person, first in came.items()
    )
    sum_up(session, NightRow.id == row.id)


def _seated(ready: Ready, people: Mapping[str, int]) -> Ready:
    """Return the game with the person (id) of each player."""
    return replace(ready, whole=replace(ready.whole, people=tuple(people[_folded(name)] for name in ready.whole.names)))


def _table_row(night: NightRow, line: PastLine, state: Game, game: int) -> TableRow:
    alone = all(len(side) == 1 for side in state.table.sides)
    return TableRow(
        night_id=night.id,
        round=line.round,
        number=line.table,
        kind="called" if state.table.called else "alone" if alone else "partners",
        game_id=game,
        confirmed={},
        points=list(state.tally.totals),
        winner=None if state.outcome is None else state.outcome.winner,
        sets=list(state.tally.sets),
        hands=len(state.hands),
    )
