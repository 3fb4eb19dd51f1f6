"""Import past results as closed nights.

An import skips a wrong line or adds a new player only if the preview showed that line or player. An imported night has
the final scores of its tables or, without tables, only the points of each person. It has no hands, byes or payments.
Imported nights are numbered after all other nights of the season, also if they are earlier, so that no night that was
played changes its number, its handicaps or its kitty. Everything is read and checked before the transaction that writes
begins, because in SQLite nobody else can write until that transaction ends.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time

from msgspec import Struct, structs
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.store.game_export import ExportLine, Ready, Whole, make_ready, put
from scorekeeper.leagues.core.access import demand, season_at, take_charge_of_season
from scorekeeper.leagues.core.models import (
    LeagueRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    TableRow,
    TotalRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import note
from scorekeeper.leagues.nights.service import MOST_HERE
from scorekeeper.leagues.people.service import MOST_PEOPLE
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import kind_of
from scorekeeper.leagues.standings.closed_nights import sum_up
from scorekeeper.leagues.transfer.import_results import PastLine, days_of, rules_of_season, stops_early, table_of
from scorekeeper.leagues.transfer.past_reading import NightTotal, Past, PastSeason, Said, TotalLine, read_past
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import EnterResult, decide
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import check_name
from scorekeeper.rules.replay import replay
from scorekeeper.rules.table import Table
from scorekeeper.web.extensions import db, writing

KIND = "past_brought_in"
"""Kind of the line that an import of past results adds to the league's log."""
STARTS = time(19, tzinfo=UTC)


class PastNight(Struct, frozen=True):
    """A night that is ready to be saved.

    If the spreadsheet has games, `lines` are its lines for this night, and `games` has the game of each line. If it has
    only points, `totals` has the points of each person.
    """

    public_id: str
    day: date
    plan: NightPlan
    lines: Sequence[PastLine]
    games: Sequence[Ready]
    totals: Sequence[tuple[TotalLine, NightTotal]]


@use_case
def bring_in_past(*, season: str, text: str, device: str, said: Said, today: date, now: datetime | None = None) -> str:
    """Import the nights of a spreadsheet into a season, and return an id with which the import can be undone.

    `season` is a public id. `said` has the user's answers and what the preview showed. Wrong lines are skipped, and new
    players are added.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` if there are more wrong lines than the
    preview showed, or new names that it didn't show, if nothing can be imported, or if the season is closed.
    """
    days, past, nights = _ready(season, text, device, said, today)
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.OWNER)
        if row.closed_at is not None:
            raise RuleViolation("season_closed", "This season is closed.")
        if days_of(session, row) != days:
            raise _not_all()  # a night was opened after the lines were checked
        people, added = _people(session, league, past)
        numbers = select(func.max(NightRow.number)).where(NightRow.season_id == row.id, NightRow.number > 0)
        when, first = now or datetime.now(UTC), (session.scalar(numbers) or 0) + 1
        for number, night in enumerate(nights, start=first):
            _write(session, row, number, night, people, when)
        brought_in = new_public_id()
        note(
            session,
            league,
            KIND,
            device=device,
            now=when,
            nights=len(nights),
            games=sum(len(night.lines) for night in nights),
            people=added,
            season=row.public_id,
            night_ids=[night.public_id for night in nights],
            brought_in=brought_in,
        )
        return brought_in


def _not_all() -> RuleViolation:
    return RuleViolation("sheet_lines", "Some lines have problems. Nothing was imported.")


def season_of(session: Session, row: SeasonRow) -> PastSeason:
    """Return the data of a season that past results are checked against."""
    query = select(PersonRow.name).where(PersonRow.league_id == row.league_id, PersonRow.merged_into.is_(None))
    known = session.scalars(query.order_by(PersonRow.name)).all()
    return PastSeason(rules_of_season(row), days_of(session, row), stops_early(row), known)


def _ready(
    season: str, text: str, device: str, said: Said, today: date
) -> tuple[Collection[date], Past, list[PastNight]]:
    """Read the spreadsheet in `text`, and return (days of the season's nights, spreadsheet as read, new nights).

    `said` has the user's answers about the spreadsheet. Raises
    `RuleViolation` if the spreadsheet has errors or new players that the preview didn't show.
    """
    session = db.session()
    row = season_at(session, season)
    league = session.get_one(LeagueRow, row.league_id)
    demand(league, device, Role.OWNER)
    there = season_of(session, row)
    past = read_past(text, there, said, today)
    if not past.is_agreed(said):
        raise _not_all()
    games: defaultdict[date | None, list[PastLine]] = defaultdict(list)
    totals: defaultdict[date | None, list[tuple[TotalLine, NightTotal]]] = defaultdict(list)
    for game in past.good_games:
        games[game.day].append(game)
    for line in past.good_totals:
        for night in line.nights:
            totals[night.day].append((line, night))
    return there.days, past, [_night(league, row, day, games[day], totals[day]) for day in sorted(past.days)]


def _night(
    league: LeagueRow,
    season: SeasonRow,
    day: date,
    lines: Sequence[PastLine],
    totals: Sequence[tuple[TotalLine, NightTotal]],
) -> PastNight:
    names = {_folded(name) for line in lines for name in line.people} | {_folded(line.name) for line, _night in totals}
    if len(names) > MOST_HERE:
        raise RuleViolation("people", Phrase("A night has room for %(most)s people.", most=MOST_HERE))
    public_id, rules = new_public_id(), rules_of_season(season)
    starts = datetime.combine(day, STARTS)
    games = [
        make_ready(_whole(league.device, public_id, line, table_of(rules, len(line.people), len(line.points)), starts))
        for line in lines
    ]
    plan = NightPlan.from_json(season.plan)
    plan = structs.replace(plan, rounds=max(line.round for line in lines)) if lines else plan
    return PastNight(public_id, day, plan, lines, games, totals)


def _whole(device: str, night: str, line: PastLine, table: Table, starts: datetime) -> Whole:
    """Return the game of a line as an event log. The log has only two steps: the start and the final score."""
    start = ev.GameStarted(table.rules, tuple(range(table.players)), table.sides, table.players - 1)
    events = (start, *decide(replay([start]), line.said or EnterResult(line.points)))
    client_id = f"past-{night}-{line.round}-{line.table}"
    lines = [
        ExportLine(event, None if place else client_id, device, starts, starts) for place, event in enumerate(events)
    ]
    return Whole(new_public_id(), device, client_id, None, None, tuple(map(check_name, line.people)), tuple(lines))


def _folded(name: str) -> str:
    return check_name(name).casefold()


def _people(session: Session, league: LeagueRow, past: Past) -> tuple[Mapping[str, int], list[str]]:
    """Add the new people of a spreadsheet to the league.

    Return the ids of everyone in the league by case-folded name, and the public ids of the new people.
    """
    query = select(PersonRow).where(PersonRow.league_id == league.id, PersonRow.merged_into.is_(None))
    people = {person.name.casefold(): person for person in session.scalars(query)}
    added = []
    for name in map(check_name, past.people):
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
    for total, told in night.totals:
        person = people[_folded(total.name)]
        came[person], plays_for[person] = 1, people[_folded(total.sub)] if total.sub else None
        known = {"points": told.points, "games": told.games, "wins": told.wins, "losses": told.losses}
        session.add(TotalRow(night_id=row.id, person_id=person, sub_for=plays_for[person], **known))
    session.add_all(
        PresentRow(night_id=row.id, person_id=person, from_round=first, sub_for=plays_for[person])
        for person, first in came.items()
    )
    sum_up(session, NightRow.id == row.id)


def _seated(ready: Ready, people: Mapping[str, int]) -> Ready:
    """Return a copy of the game in which each player has the id of their person.

    `people` has the ids of people by case-folded name.
    """
    return structs.replace(
        ready, whole=replace(ready.whole, people=tuple(people[_folded(name)] for name in ready.whole.names))
    )


def _table_row(night: NightRow, line: PastLine, state: Game, game: int) -> TableRow:
    return TableRow(
        night_id=night.id,
        round=line.round,
        number=line.table,
        kind=kind_of(state.table),
        game_id=game,
        confirmed={},
        points=list(state.tally.totals),
        winner=None if state.outcome is None else state.outcome.winner,
        sets=list(state.tally.sets),
        hands=len(state.hands),
    )
