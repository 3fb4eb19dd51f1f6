"""Read open clubs for their pages, embeds, feed and API. A league that isn't open is not found."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.calendar.queries.planned import next_night, zone_of
from scorekeeper.leagues.calendar.service import CANCELED, PLANNED
from scorekeeper.leagues.calendar.settings import today_in
from scorekeeper.leagues.core.access import NoSuchLeagueError
from scorekeeper.leagues.core.models import (
    ClubAddressRow,
    ClubRow,
    LeagueEventRow,
    LeagueRow,
    NightRow,
    PlannedRow,
    SeasonRow,
    TableRow,
)
from scorekeeper.leagues.publishing.names import public_names
from scorekeeper.leagues.publishing.open_ids import open_id, person_id
from scorekeeper.leagues.publishing.pages import (
    ClubHead,
    ClubList,
    ClubPage,
    NightList,
    OpenNight,
    OpenPerson,
    OpenPlanned,
    OpenRow,
    OpenSchedule,
    OpenSeason,
    OpenTable,
    SeasonStandingsPage,
)
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.standings.columns import COLUMNS
from scorekeeper.leagues.standings.queries import after_words, rules_words, table_of
from scorekeeper.leagues.standings.roster import Roster
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.standings_cache import SeasonStandings, season_standings
from scorekeeper.leagues.teams.team_standings import team_standings
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text
from scorekeeper.web.text import unaccented

MOST_PLANNED = 60
ENDED_BY_HANDS = [key for key, form in FORMATS.items() if form.counts_hands or form.bell == "head_table"]
"""Formats in which a game may count that isn't over by its rules, without the bell that the director rings."""
PAGE = 20
"""Clubs in a page of the list."""


class MovedClubError(Exception):
    """The club has another address now."""

    def __init__(self, slug: str) -> None:
        """Keep the current slug."""
        super().__init__(slug)
        self.slug = slug


class OpenClub(NamedTuple):
    """The row of an open club."""

    league: int
    slug: str
    names: str
    name: str

    @property
    def head(self) -> ClubHead:
        """Return the club as pages show it."""
        return ClubHead(self.slug, self.name)


@dataclass(frozen=True, slots=True)
class NumberedSeason:
    """A season of a club with its number."""

    row: SeasonRow
    number: int

    @property
    def shown(self) -> OpenSeason:
        """Return the season as pages show it."""
        return OpenSeason(self.number, self.row.name, self.row.closed_at is None)


def open_club(session: Session, slug: str) -> OpenClub:
    """Return the open club with this address.

    Raises `NoSuchLeagueError`, or `MovedClubError` if it is a former address.
    """
    query = (
        select(ClubRow.league_id, ClubRow.slug, ClubRow.names, LeagueRow.name)
        .join(LeagueRow, LeagueRow.id == ClubRow.league_id)
        .join(ClubAddressRow, ClubAddressRow.league_id == ClubRow.league_id)
        .where(ClubAddressRow.slug == slug, ClubRow.is_open)
    )
    row = session.execute(query).first()
    if row is None:
        raise NoSuchLeagueError
    club = OpenClub(*row)
    if club.slug != slug:
        raise MovedClubError(club.slug)
    return club


def club_version(slug: str) -> str:
    """Return a hash that changes whenever a page of the club may, by three short queries. Raises as `open_club`.

    Pages that show games in progress need `club_night_version`.
    """
    session = db.session()
    club = open_club(session, slug)
    # All changes of a league are in its log, except the hands of open nights; they matter once a game may count.
    logged = select(func.max(LeagueEventRow.id)).where(LeagueEventRow.league_id == club.league)
    may_count = GameRow.over | NightRow.bell_at.is_not(None) | NightRow.plan["format"].as_string().in_(ENDED_BY_HANDS)
    finished = (
        select(func.count(), func.sum(GameRow.version))
        .join(TableRow, TableRow.game_id == GameRow.id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .join(SeasonRow, SeasonRow.id == NightRow.season_id)
        .where(SeasonRow.league_id == club.league, NightRow.closed_at.is_(None), may_count)
    )
    # The next night depends on the date in its time zone, which changes on the hour or close to it.
    hour = f"{datetime.now(UTC):%Y-%m-%dT%H}"
    return _hashed(session.scalar(logged), tuple(session.execute(finished).one()), hour, club.name)


def club_night_version(slug: str, season: int, number: int) -> str:
    """Return a hash that changes whenever the page of a night may have changed. Raises what `open_club` raises."""
    version = club_version(slug)
    session = db.session()
    row = season_at(session, open_club(session, slug), season).row
    played = (
        select(func.sum(GameRow.version))
        .join(TableRow, TableRow.game_id == GameRow.id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(NightRow.season_id == row.id, NightRow.number == number, NightRow.closed_at.is_(None))
    )
    return _hashed(version, session.scalar(played))


def _hashed(*state: object) -> str:
    return hashlib.sha256(repr(state).encode()).hexdigest()[:12]


def club_page(slug: str, version: str) -> ClubPage:
    """Return the first page of a club at that version (`club_version`). Raises as `open_club`."""
    session = db.session()
    club = open_club(session, slug)
    seasons = seasons_of(session, club)
    current = next((season for season in seasons if season.row.closed_at is None), next(iter(seasons), None))
    return ClubPage(
        club.head,
        None if current is None else _season_page(session, club, current, version),
        last_night_of(session, seasons),
        tuple(season.shown for season in seasons),
        schedule_of(session, seasons),
        version,
    )


def season_of_club(slug: str, number: int, version: str) -> SeasonStandingsPage:
    """Return a season of a club by its number. Raises as `open_club`."""
    session = db.session()
    club = open_club(session, slug)
    return _season_page(session, club, season_at(session, club, number), version)


def nights_of_club(slug: str, number: int, page: int, size: int) -> NightList:
    """Return a page of the nights of a season by its number, newest first; `page` from 1. Raises as `open_club`."""
    whole = season_of_club(slug, number, "")
    page = max(1, page)
    shown = whole.nights[(page - 1) * size : page * size]
    return NightList(whole.club, whole.season, shown, page, len(whole.nights) > page * size)


def seasons_of(session: Session, club: OpenClub) -> Sequence[NumberedSeason]:
    """Return the seasons of a club, newest first."""
    rows = session.scalars(select(SeasonRow).where(SeasonRow.league_id == club.league).order_by(SeasonRow.id)).all()
    return [NumberedSeason(row, number) for number, row in enumerate(rows, start=1)][::-1]


def season_at(session: Session, club: OpenClub, number: int) -> NumberedSeason:
    """Return the season of a club with this number. Raises `NoSuchLeagueError`."""
    found = next((season for season in seasons_of(session, club) if season.number == number), None)
    if found is None:
        raise NoSuchLeagueError
    return found


def schedule_of_club(slug: str) -> OpenSchedule:
    """Return the nights to come of a club. Raises as `open_club`."""
    session = db.session()
    club = open_club(session, slug)
    return OpenSchedule(club.head, schedule_of(session, seasons_of(session, club)))


def schedule_of(session: Session, seasons: Sequence[NumberedSeason]) -> tuple[OpenPlanned, ...]:
    """Return the nights to come of these seasons, earliest first, at most `MOST_PLANNED`; one query.

    A night that was opened is left out, because it has a page of its own.
    """
    by_id = {season.row.id: season for season in seasons if season.row.closed_at is None}
    query = (
        select(PlannedRow)
        .where(
            PlannedRow.season_id.in_(by_id),
            PlannedRow.day >= datetime.now(UTC).date() - timedelta(days=1),
            PlannedRow.night_id.is_(None),
            PlannedRow.state.in_((PLANNED, CANCELED)),
        )
        .order_by(PlannedRow.day, PlannedRow.starts, PlannedRow.id)
        .limit(MOST_PLANNED)
    )
    rows = [(row, by_id[row.season_id]) for row in session.scalars(query)]
    return tuple(_planned(row, season) for row, season in rows if row.day >= today_in(zone_of(season.row)))


def _planned(row: PlannedRow, season: NumberedSeason) -> OpenPlanned:
    return OpenPlanned(
        id=open_id("night", row.public_id),
        season=season.number,
        day=row.day,
        starts=row.starts,
        zone=zone_of(season.row),
        place=row.place,
        note=row.note,
        canceled=row.state == CANCELED,
        when=next_night(row, season.row).when,
    )


def public_roster(roster: Roster, style: str) -> Roster:
    """Return the roster with public names; a merged person has the name of the person they became."""
    known = {person: who.name for person, who in roster.people.items() if who.merged_into is None}
    names = public_names(known, style)
    return Roster(
        {
            person: replace(who, name=names.get(roster.merged.get(person, person), who.name), nickname="")
            for person, who in roster.people.items()
        }
    )


def public_standings(session: Session, club: OpenClub, season: SeasonRow) -> SeasonStandings:
    """Return the standings of a season with public names."""
    standings = season_standings(session, season)
    return replace(standings, roster=public_roster(standings.roster, club.names))


def _season_page(session: Session, club: OpenClub, season: NumberedSeason, version: str) -> SeasonStandingsPage:
    standings = public_standings(session, club, season.row)
    tables = [_open_table("people", standings.people, standings, season.row)]
    if standings.teams:
        tables.insert(0, _open_table("partners", standings.teams, standings, season.row))
    return SeasonStandingsPage(
        club=club.head,
        season=season.shown,
        rules=rules_words(season.row),
        counting=standings.settings.in_words(),
        after=after_words(standings),
        tables=tuple(tables),
        teams=team_standings(session, season.row),
        nights=tuple(
            OpenNight(season.number, night.number, night.day, day_text(night.day), night.closed)
            for night in reversed(tuple(standings.nights.values()))
        ),
        version=version,
    )


def _open_table(key: str, rows: Sequence[StandingRow], standings: SeasonStandings, season: SeasonRow) -> OpenTable:
    people = standings.roster.people
    return OpenTable(
        table_of(key, rows, standings, season),
        tuple(
            OpenRow(
                row.place,
                tuple(OpenPerson(person_id(people[each].public_id), people[each].name) for each in row.unit),
                {column.key: column.value(row) for column in COLUMNS},
            )
            for row in rows
        ),
    )


def last_night_of(session: Session, seasons: Sequence[NumberedSeason]) -> OpenNight | None:
    """Return the last night of these seasons that is over, None if there is none."""
    numbers = {season.row.id: season.number for season in seasons}
    query = (
        select(NightRow.season_id, NightRow.number, NightRow.day)
        .where(NightRow.season_id.in_(numbers), NightRow.number > 0, NightRow.closed_at.is_not(None))
        .order_by(NightRow.day.desc(), NightRow.id.desc())
        .limit(1)
    )
    row = session.execute(query).first()
    if row is None:
        return None
    return OpenNight(numbers[row.season_id], row.number, row.day, day_text(row.day), closed=True)


def club_list(search: str = "", page: int = 1, size: int = PAGE) -> ClubList:
    """Return the open clubs whose name has `search` in it, however it is typed, by name; `page` from 1.

    All names are read, because the database can't ignore accents: 1,000 clubs take some milliseconds.
    """
    wanted = unaccented(search.strip())
    found = [club for club in all_clubs() if wanted in unaccented(club.name) or wanted in club.slug]
    page = max(1, page)
    shown = found[(page - 1) * size : page * size]
    return ClubList(tuple(shown), len(found), page, len(found) > page * size)


def all_clubs() -> list[ClubHead]:
    """Return all open clubs by name."""
    query = select(ClubRow.slug, LeagueRow.name).join(LeagueRow, LeagueRow.id == ClubRow.league_id)
    rows = db.session().execute(query.where(ClubRow.is_open))
    return sorted((ClubHead(*row) for row in rows), key=lambda club: (unaccented(club.name), club.slug))


def clubs_version() -> str:
    """Return a hash that changes with the list of open clubs."""
    return _hashed(*all_clubs())
