"""Calculate the standings of a season, and keep them in memory until something changes.

Every change to a league adds a line to its log, and every hand of an open night increases the version of its game.
While neither has changed, this process returns the standings it calculated last. Otherwise it calculates them again
from the stored sums of closed nights (`closed_nights`) and the tables of open ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import Recent
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.models import LeagueEventRow, NightRow, SeasonRow, TableRow
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.closed_nights import Meetings, people_of, teams_of
from scorekeeper.leagues.standings.counted_games import NightDone, open_nights, played_on
from scorekeeper.leagues.standings.lots import Lot, lots_in, with_times
from scorekeeper.leagues.standings.night_sums import tally_people, tally_teams
from scorekeeper.leagues.standings.roster import Roster, roster_of
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import people_standings, teams_standings
from scorekeeper.leagues.standings.ties import Lots

REMEMBERED = 8
"""How many seasons' standings a process keeps in memory. The standings of a season take a few megabytes."""


@dataclass(frozen=True, slots=True)
class NightLine:
    """A night of the season, without its results."""

    id: int
    public_id: str
    number: int
    day: date
    closed: bool
    format: str
    """Format of the night, a key of `schedule.formats.FORMATS`."""
    rounds: int = 0
    playoff: bool = False
    """True for a night of the playoffs, whose games don't count in the standings."""


@dataclass(frozen=True, slots=True)
class SeasonStandings:
    """The standings of a season. `teams` is empty if the season has no fixed partners."""

    roster: Roster
    settings: StandingSettings
    nights: Mapping[int, NightLine]
    """The nights of the season by number."""
    open: tuple[NightDone, ...]
    """The games and byes of open nights that count so far."""
    last: int | None
    """Number of the last night with a game that counts; None before the first."""
    people: tuple[StandingRow, ...]
    teams: tuple[StandingRow, ...]
    by_person: dict[int, object] = field(default_factory=dict, compare=False)
    """The `PlayerSeason`s that `player_season` has read since the last change, by id of the person."""


def season_standings(session: Session, season: SeasonRow) -> SeasonStandings:
    """Return the standings of a season. Takes three short queries if nothing has changed since the last call."""
    # The mark is read first, so that a change during the calculation is noticed the next time.
    mark, nights = _marks(session, season)
    known = _seasons.get(session, season.id)
    if known is not None and known[0] == mark:
        return known[1]
    calculated = _calculated(session, season, nights)
    _seasons.keep(session, season.id, (mark, calculated))
    return calculated


def new_lots(session: Session, season: SeasonRow) -> list[Lot]:
    """Return the random draws in the standings that aren't in the league's log yet.

    The standings are recalculated, so that they include the changes of the current transaction.
    """
    standings = _calculated(session, season, {})
    return [lot for rows in (standings.people, standings.teams) for lot in lots_in(rows, standings.roster.tags)]


def _calculated(session: Session, season: SeasonRow, nights: Mapping[int, NightLine]) -> SeasonStandings:
    roster = roster_of(session, season.league_id)
    merged = roster.merged
    settings = StandingSettings.from_json(season.counting)
    now = open_nights(session, season)
    people = dict(people_of(session, season, merged))
    people |= {night.number: tally_people(played_on(night, merged)) for night in now}
    teams = {}
    if partners_stay(season):
        teams = dict(teams_of(session, season, merged))
        teams |= {night.number: tally_teams(played_on(night, merged)) for night in now}

    met = Meetings(session, season, now, merged).of
    lots = Lots(season.public_id, roster.tags)

    def ranked(rows: Sequence[StandingRow]) -> tuple[StandingRow, ...]:
        return with_times(session, season, rows, roster.tags)

    return SeasonStandings(
        roster,
        settings,
        nights,
        now,
        max((number for number, lines in people.items() if lines), default=None),
        ranked(people_standings(people, settings, met, lots)),
        ranked(teams_standings(teams, settings, met, lots)),
    )


def partners_stay(season: SeasonRow) -> bool:
    """Return whether a season has fixed partners. Such a season also has standings of partners."""
    return NightPlan.from_json(season.plan).partners_stay


def _marks(session: Session, season: SeasonRow) -> tuple[Hashable, Mapping[int, NightLine]]:
    """Return a value that changes whenever the standings may have changed, and the season's nights by number."""
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
        select(
            NightRow.id,
            NightRow.public_id,
            NightRow.number,
            NightRow.day,
            NightRow.closed_at,
            NightRow.plan,
            NightRow.playoff,
        )
        .where(NightRow.season_id == season.id, NightRow.number > 0)
        .order_by(NightRow.number)
    )
    connection = session.connection()
    mark = (connection.execute(last).first(), connection.execute(open_games).first())
    rows = connection.execute(of_season)
    return mark, {row.number: _night_line(row) for row in rows}


def _night_line(row: Row[Any]) -> NightLine:
    form, rounds = row.plan.get("format", ""), row.plan.get("rounds", 0)
    closed = row.closed_at is not None
    return NightLine(row.id, row.public_id, row.number, row.day, closed, form, rounds, bool(row.playoff))


_seasons: Recent[int, tuple[Hashable, SeasonStandings]] = Recent(REMEMBERED)
"""By id of the season: the mark (`_marks`) and the standings that were calculated last."""

forget = _seasons.clear
"""Forget all seasons, as in a process that has just started."""
