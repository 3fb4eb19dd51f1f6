"""The standings of a season, reckoned once for what stands in the database and then remembered.

Everything that is done to a league leaves a line in its log, and every hand of an open night makes its game a version
further: as long as neither moved, the standings are those that this process reckoned last. Else they are counted anew,
from what is kept of the closed nights (`kept`) and the tables of the open ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import Recent
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.models import LeagueEventRow, NightRow, SeasonRow, TableRow
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.closed_nights import Meetings, people_of, teams_of
from scorekeeper.leagues.standings.counted_games import NightDone, open_nights, played_on
from scorekeeper.leagues.standings.night_sums import tally_people, tally_teams
from scorekeeper.leagues.standings.roster import Book, book_of
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import people_standings, teams_standings
from scorekeeper.leagues.standings.ties import Lots

REMEMBERED = 8
"""Seasons that a process keeps as it last reckoned them: some megabytes each."""


@dataclass(frozen=True, slots=True)
class NightLine:
    """A night of the season."""

    id: int
    public_id: str
    number: int
    day: date
    closed: bool
    format: str
    """A key of `schedule.formats.FORMATS`."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A season as it stands: `teams` is empty where its partners are not fixed."""

    book: Book
    settings: StandingSettings
    nights: Mapping[int, NightLine]
    """By number."""
    open: tuple[NightDone, ...]
    """What counts of the nights that are open."""
    last: int | None
    """The number of the last night that counts; None before the first game."""
    people: tuple[StandingRow, ...]
    teams: tuple[StandingRow, ...]
    kept: dict[int, object] = field(default_factory=dict, compare=False)
    """What was read of single people, by id, since anything happened; `personal` writes it."""


def reckon(session: Session, season: SeasonRow) -> Reckoned:
    """Return the standings of a season; three short queries where nothing happened since they were reckoned."""
    # The marks are read first: what is newer than they are is read again the next time.
    mark, nights = _marks(session, season)
    known = _seasons.get(session, season.id)
    if known is not None and known[0] == mark:
        return known[1]
    book = book_of(session, season.league_id)
    merged = book.merged
    settings = StandingSettings.from_json(season.counting)
    now = open_nights(session, season)
    people = dict(people_of(session, season, merged))
    people |= {night.number: tally_people(played_on(night, merged)) for night in now}
    teams = {}
    if partners_stay(season):
        teams = dict(teams_of(session, season, merged))
        teams |= {night.number: tally_teams(played_on(night, merged)) for night in now}

    met = Meetings(session, season, now, merged).of
    lots = Lots(season.public_id, book.tags)
    told = Reckoned(
        book,
        settings,
        nights,
        now,
        max((number for number, lines in people.items() if lines), default=None),
        people_standings(people, settings, met, lots),
        teams_standings(teams, settings, met, lots),
    )
    _seasons.keep(session, season.id, (mark, told))
    return told


def partners_stay(season: SeasonRow) -> bool:
    """Return whether partners are fixed in a season, so that they have standings of their own."""
    plan = NightPlan.from_json(season.plan)
    return plan.together == "fixed" or FORMATS[plan.format].teams


def _marks(session: Session, season: SeasonRow) -> tuple[Hashable, Mapping[int, NightLine]]:
    """What is another mark after anything happened, and the nights."""
    last = (
        select(LeagueEventRow.id, LeagueEventRow.at)
        .where(LeagueEventRow.league_id == season.league_id)
        .order_by(LeagueEventRow.id.desc())
        .limit(1)
    )
    open_games = (
        select(func.count(), func.sum(GameRow.version), func.max(GameRow.updated_at))
        .join(TableRow, TableRow.game_id == GameRow.id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(NightRow.season_id == season.id, NightRow.closed_at.is_(None))
    )
    of_season = (
        select(NightRow.id, NightRow.public_id, NightRow.number, NightRow.day, NightRow.closed_at, NightRow.plan)
        .where(NightRow.season_id == season.id, NightRow.number > 0)
        .order_by(NightRow.number)
    )
    connection = session.connection()
    mark = (connection.execute(last).first(), connection.execute(open_games).first())
    rows = connection.execute(of_season)
    return mark, {row.number: _night_line(row) for row in rows}


def _night_line(row: Row[Any]) -> NightLine:
    form = row.plan.get("format", "")
    return NightLine(row.id, row.public_id, row.number, row.day, row.closed_at is not None, form)


_seasons: Recent[int, tuple[Hashable, Reckoned]] = Recent(REMEMBERED)
"""Seasons as they were reckoned last, with the mark that each had then."""

forget = _seasons.clear
"""Let every season be read and counted anew, as a process does that was just started."""
