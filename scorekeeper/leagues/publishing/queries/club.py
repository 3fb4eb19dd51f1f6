"""Read open clubs (leagues with public pages) for their pages, embeds, feed and API. Other leagues aren't found."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from msgspec import Struct, structs
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.calendar.queries import next_night, zone_of
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
from scorekeeper.leagues.publishing.addresses import open_id, person_id
from scorekeeper.leagues.publishing.names import public_names
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
from scorekeeper.leagues.publishing.queries.all_time import all_time
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.standings.columns import COLUMNS
from scorekeeper.leagues.standings.queries import after_words, champion_of, playoff_bracket, rules_words, table_of
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.standings_cache import Roster, SeasonStandings, roster_of, season_standings
from scorekeeper.leagues.teams.standings import team_standings
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text
from scorekeeper.web.text import unaccented

MOST_PLANNED = 60
ENDED_BY_HANDS = [key for key, form in FORMATS.items() if form.counts_hands or form.bell == "head_table"]
"""Keys of the formats in which a game can end without a bell before a side has won by the rules of the game.

In these formats, a game ends after a number of hands, or when the head table finishes.
"""
PAGE = 20
"""Number of clubs on one page of the list."""


class MovedClubError(Exception):
    """The address that was requested is a former address of a club."""

    def __init__(self, slug: str) -> None:
        """Store the slug of the club's current address."""
        super().__init__(slug)
        self.slug = slug


class OpenClub(NamedTuple):
    """An open club.

    `league` is the row id of the league. `names` is a key of `STYLES`, which says how the names of people are shown.
    """

    league: int
    slug: str
    names: str
    name: str

    @property
    def head(self) -> ClubHead:
        """Return the club as pages show it."""
        return ClubHead(self.slug, self.name)


class NumberedSeason(Struct, frozen=True):
    """A season of a club, with its number among the club's seasons. The oldest season is number 1."""

    row: SeasonRow
    number: int

    @property
    def shown(self) -> OpenSeason:
        """Return the season as pages show it."""
        return OpenSeason(self.number, self.row.name, self.row.closed_at is None)


def open_club(session: Session, slug: str) -> OpenClub:
    """Return the open club whose address has this slug.

    Raises `NoSuchLeagueError` if no open club has that address, or `MovedClubError` if it is a former address.
    """
    query = (
        select(ClubRow.league_id, ClubRow.slug, ClubRow.names, LeagueRow.name)
        .join(LeagueRow, LeagueRow.id == ClubRow.league_id)
        .join(ClubAddressRow, ClubAddressRow.league_id == ClubRow.league_id)
        .where(ClubAddressRow.slug == slug, ClubRow.is_open, LeagueRow.off_because.is_(None))
    )
    row = session.execute(query).first()
    if row is None:
        raise NoSuchLeagueError
    club = OpenClub(*row)
    if club.slug != slug:
        raise MovedClubError(club.slug)
    return club


def club_version(slug: str) -> str:
    """Return a hash that changes whenever a page of the club may have changed. Takes three short queries.

    Pages that show games in progress need `club_night_version` instead. Raises `NoSuchLeagueError` or `MovedClubError`.
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
    """Return a hash that changes whenever the page of a night may have changed, including its games in progress.

    `season` and `number` are the numbers of the season and of the night. Raises `NoSuchLeagueError` or
    `MovedClubError`.
    """
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
    """Return the first page of a club. `version` is the club's `club_version`.

    Raises `NoSuchLeagueError` or `MovedClubError`.
    """
    session = db.session()
    club = open_club(session, slug)
    seasons = seasons_of(session, club)
    running = [season for season in seasons if season.row.closed_at is None]
    ended = [season for season in seasons if season.row.closed_at is not None][:1]
    shown = [_season_page(session, club, season, version) for season in running or ended]
    if running and not any(page.has_results for page in shown):
        shown += [_season_page(session, club, season, version) for season in ended]
    return ClubPage(
        club.head,
        next(iter(shown), None),
        last_night_of(session, seasons),
        tuple(season.shown for season in seasons),
        schedule_of(session, seasons),
        version,
        all_time(
            session,
            [(season.row, season.number) for season in seasons],
            public_roster(roster_of(session, club.league), club.names),
        ),
        tuple(page for page in shown[1:] if page.has_results or page.open_night),
    )


def season_of_club(slug: str, number: int, version: str) -> SeasonStandingsPage:
    """Return the season of a club with this number, counted from 1 for the first season.

    `version` is the club's `club_version`. A page in a browser uses this version to notice changes and update itself.
    Pass "" for a page that doesn't update itself. Raises `NoSuchLeagueError` or `MovedClubError`.
    """
    session = db.session()
    club = open_club(session, slug)
    return _season_page(session, club, season_at(session, club, number), version)


def nights_of_club(slug: str, number: int, page: int, size: int) -> NightList:
    """Return one page of the nights of a season, newest night first.

    `number` is the number of the season. `page` is the number of the page, counted from 1. A page has at most `size`
    nights. Raises `NoSuchLeagueError` or `MovedClubError`.
    """
    whole = season_of_club(slug, number, "")
    page = max(1, page)
    shown = whole.nights[(page - 1) * size : page * size]
    return NightList(whole.club, whole.season, shown, page, len(whole.nights) > page * size)


def seasons_of(session: Session, club: OpenClub) -> Sequence[NumberedSeason]:
    """Return the seasons of a club, newest first."""
    rows = session.scalars(select(SeasonRow).where(SeasonRow.league_id == club.league).order_by(SeasonRow.id)).all()
    return [NumberedSeason(row, number) for number, row in enumerate(rows, start=1)][::-1]


def season_at(session: Session, club: OpenClub, number: int) -> NumberedSeason:
    """Return the season of a club that has this number. Raises `NoSuchLeagueError`."""
    found = next((season for season in seasons_of(session, club) if season.number == number), None)
    if found is None:
        raise NoSuchLeagueError
    return found


def schedule_of_club(slug: str) -> OpenSchedule:
    """Return the upcoming planned nights in all seasons of a club. Raises `NoSuchLeagueError` or `MovedClubError`."""
    session = db.session()
    club = open_club(session, slug)
    return OpenSchedule(club.head, schedule_of(session, seasons_of(session, club)))


def schedule_of(session: Session, seasons: Sequence[NumberedSeason]) -> tuple[OpenPlanned, ...]:
    """Return the upcoming planned nights of these seasons, earliest first, at most `MOST_PLANNED`. Takes one query.

    Nights that have been opened are left out, because they have pages of their own.
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
    """Return a copy of `roster` with public names. `style` is a key of `STYLES`, as in `public_names`.

    A merged person gets the name of the person they were merged into.
    """
    known = {person: who.name for person, who in roster.people.items() if who.merged_into is None}
    names = public_names(known, style)
    return Roster(
        {
            person: structs.replace(who, name=names.get(roster.merged.get(person, person), who.name), nickname="")
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
        champion=champion_of(session, season.row, standings),
        bracket=playoff_bracket(session, season.row, standings),
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
    """Return the last closed night of these seasons; None if no night is closed."""
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
    """Return a page of the open clubs that have `search` in their name or address, sorted by name.

    `page` is the number of the page, counted from 1, and `size` is the number of clubs per page. The search ignores
    letter case and accents. All names are read, because the database can't ignore accents. With 1,000 clubs, this takes
    a few milliseconds.
    """
    wanted = unaccented(search.strip())
    found = [club for club in all_clubs() if wanted in unaccented(club.name) or wanted in club.slug]
    page = max(1, page)
    shown = found[(page - 1) * size : page * size]
    return ClubList(tuple(shown), len(found), page, len(found) > page * size)


def all_clubs() -> list[ClubHead]:
    """Return all open clubs, sorted by name."""
    query = select(ClubRow.slug, LeagueRow.name, LeagueRow.off_because)
    query = query.join(LeagueRow, LeagueRow.id == ClubRow.league_id)
    rows = db.session().execute(query.where(ClubRow.is_open))
    # Filtered here: with this condition in the query, PostgreSQL may read all leagues.
    shown = (ClubHead(slug, name) for slug, name, off_because in rows if off_because is None)
    return sorted(shown, key=lambda club: (unaccented(club.name), club.slug))


def clubs_version() -> str:
    """Return a hash that changes whenever the list of open clubs changes."""
    return _hashed(*all_clubs())
