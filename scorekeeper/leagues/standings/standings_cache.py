"""Save the random draws in the standings when a night is closed. The standings can then show the time of each draw.

The order of a draw depends only on the season and on the tied people (`ties.Lots`); the league's log
only adds the time. The time of a draw is that of the first log line that has the draw. It stays the same if the night
is reopened, or if the league is imported on another server.

The people of a league: their names on pages, and who was merged into whom.

Calculate the standings of a season, and keep them in memory until something changes.

Every change to a league adds a line to its log, and every hand of an open night increases the version of its game.
While neither has changed, this process returns the standings it calculated last. Otherwise it calculates them again
from the stored sums of closed nights (`closed_nights`) and the tables of open ones.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import Recent
from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.leagues.core.models import LeagueEventRow, NightRow, PersonRow, SeasonRow, TableRow
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.closed_nights import Meetings, people_of, teams_of
from scorekeeper.leagues.standings.counted_games import NightDone, open_nights, played_on
from scorekeeper.leagues.standings.rows import StandingRow, Tie, tally_people, tally_teams
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import people_standings, teams_standings, ties_of
from scorekeeper.leagues.standings.ties import Lots

KIND = "lots_drawn"
"""Kind of the log line about draws. Its data has the season's public id (`season`) and a list of `Lot` (`lots`)."""

Lot = tuple[tuple[str, ...], ...]
"""The tied players or teams of a random draw, in the drawn order. Each is a tuple of the public ids of its people."""


def lots_in(rows: Iterable[StandingRow], tags: Mapping[int, str]) -> list[Lot]:
    """Return the random draws in the standings that aren't in the league's log yet, from the best rank to the worst.

    `tags` has each person's public id, by the person's row id.
    """
    return [_lot(tie, tags) for tie in ties_of(rows) if tie.rule == "draw" and tie.drawn_at is None]


def with_times(
    session: Session, season: SeasonRow, rows: Sequence[StandingRow], tags: Mapping[int, str]
) -> tuple[StandingRow, ...]:
    """Return `rows` with the time of each random draw filled in.

    `tags` has each person's public id, by the person's row id. Takes one query if there are any draws, otherwise none.
    """
    if not any(tie.rule == "draw" for row in rows for tie in row.ties):
        return tuple(rows)
    times = _times(session, season)

    def timed(tie: Tie) -> Tie:
        return replace(tie, drawn_at=times.get(_lot(tie, tags))) if tie.rule == "draw" else tie

    return tuple(structs.replace(row, ties=tuple(map(timed, row.ties))) if row.ties else row for row in rows)


def _lot(tie: Tie, tags: Mapping[int, str]) -> Lot:
    return tuple(tuple(sorted(tags[person] for person in unit)) for unit in tie.units)


def _times(session: Session, season: SeasonRow) -> Mapping[Lot, datetime]:
    query = (
        select(LeagueEventRow.at, LeagueEventRow.data)
        .where(LeagueEventRow.league_id == season.league_id, LeagueEventRow.kind == KIND)
        .order_by(LeagueEventRow.id.desc())
    )
    lines = [(at, data) for at, data in session.execute(query) if data.get("season") == season.public_id]
    # The oldest line comes last and wins.
    return {tuple(tuple(unit) for unit in lot): at for at, data in lines for lot in data.get("lots", ())}


class RosterEntry(Struct, frozen=True):
    """A person of a league. If they were merged, `merged_into` is the id of the person they were merged into."""

    id: int
    public_id: str
    name: str
    nickname: str
    active: bool
    guest: bool
    merged_into: int | None


@dataclass(frozen=True)
class Roster:
    """Everyone in a league by id, including merged people."""

    people: Mapping[int, RosterEntry]

    @cached_property
    def merged(self) -> Mapping[int, int]:
        """Return a map from the id of each merged person to the id of the person they were merged into."""
        return {who.id: who.merged_into for who in self.people.values() if who.merged_into is not None}

    @cached_property
    def tags(self) -> Mapping[int, str]:
        """Return the public id of each person, by row id. Random draws depend on the public ids.

        A public id never changes, even if the person is renamed or the league is exported and imported. Names and row
        ids can change.
        """
        return {who.id: who.public_id for who in self.people.values()}

    @cached_property
    def _by_address(self) -> Mapping[str, RosterEntry]:
        return {who.public_id: who for who in self.people.values()}

    def called(self, person: int) -> str:
        """Return the name of the person with this id or, if they were merged, of the person they were merged into."""
        return self.people[self.merged.get(person, person)].name

    def named(self, person: int) -> str:
        """Return the person's own name, even if they were merged.

        The name is isolated, so that it can be put into a sentence (`sentences.isolated`).
        """
        return isolated(self.people[person].name)

    def names(self, people: tuple[int, ...]) -> str:
        """Return the names of several people as one text, such as "Ann and Cid".

        Each name is isolated as in `named`.
        """
        return join_names([self.named(person) for person in people])

    def at(self, address: str) -> str:
        """Return the name of the person with the public id `address`, or `address` itself if nobody has this id."""
        who = self._by_address.get(address)
        return address if who is None else isolated(who.name)


def roster_of(session: Session, league_id: int) -> Roster:
    """Return the people of a league. Takes one query."""
    query = select(
        PersonRow.id,
        PersonRow.public_id,
        PersonRow.name,
        PersonRow.nickname,
        PersonRow.active,
        PersonRow.guest,
        PersonRow.merged_into,
    ).where(PersonRow.league_id == league_id)
    return Roster({row.id: RosterEntry(*row) for row in session.execute(query)})


REMEMBERED = 8
"""How many seasons' standings a process keeps in memory. The standings of a season take a few megabytes."""


class NightLine(Struct, frozen=True):
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
    """The nights of the season by number, in the order of their dates: results of earlier nights may come later."""
    open: tuple[NightDone, ...]
    """The games and byes of open nights that count so far."""
    last: int | None
    """Number of the latest night with a game that counts; None before the first."""
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


def _calculated(session: Session, season: SeasonRow, nights: dict[int, NightLine]) -> SeasonStandings:
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
        next((number for number in reversed(nights) if people.get(number)), None),
        ranked(people_standings(people, settings, met, lots)),
        ranked(teams_standings(teams, settings, met, lots)),
    )


def partners_stay(season: SeasonRow) -> bool:
    """Return whether a season has fixed partners. Such a season also has standings of partners."""
    return NightPlan.from_json(season.plan).partners_stay


def _marks(session: Session, season: SeasonRow) -> tuple[Hashable, dict[int, NightLine]]:
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
        .order_by(NightRow.day, NightRow.number)
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
