"""Read a night of an open club, which is a league with public pages: its tables with public names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.leagues.core.access import NoSuchLeagueError
from scorekeeper.leagues.core.models import NightRow
from scorekeeper.leagues.nights.queries.night import table_view
from scorekeeper.leagues.publishing.names import public_names
from scorekeeper.leagues.publishing.open_ids import open_id, person_id
from scorekeeper.leagues.publishing.pages import (
    LastNight,
    OpenGame,
    OpenNight,
    OpenNightPage,
    OpenPerson,
    OpenPlayer,
    OpenRound,
    OpenSide,
)
from scorekeeper.leagues.publishing.queries.club import (
    NumberedSeason,
    OpenClub,
    last_night_of,
    open_club,
    season_at,
    seasons_of,
)
from scorekeeper.leagues.results.latest import winners_on
from scorekeeper.leagues.results.pages import LatestResults, NightResults, ResultLine, TeamMatch
from scorekeeper.leagues.results.queries import whole_results_of
from scorekeeper.leagues.results.team_nights import team_night_of
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.plan import people_by_side
from scorekeeper.leagues.standings.night_snapshot import Known, Seen, names_on, seen
from scorekeeper.leagues.standings.table_results import TableState
from scorekeeper.leagues.teams.team_standings import team_standings
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.locale import day_text


def open_seen(session: Session, club: OpenClub, season: NumberedSeason, number: int) -> Seen:
    """Return a snapshot of the night with this number in the season, with public names. Raises `NoSuchLeagueError`."""
    query = select(NightRow.public_id).where(
        NightRow.season_id == season.row.id, NightRow.number == number, NightRow.number > 0
    )
    night = session.scalars(query).first()
    if night is None:
        raise NoSuchLeagueError
    return _with_public_names(seen(night), club)


def _with_public_names(at: Seen, club: OpenClub) -> Seen:
    return replace(at, people=public_people(at.people, club.names))


def public_people(people: Mapping[int, Known], style: str) -> Mapping[int, Known]:
    """Return the people of a league with public names and without nicknames.

    `style` is a key of `STYLES`, as in `public_names`.
    """
    names = public_names({who.id: who.name for who in people.values()}, style)
    return {key: replace(who, name=names[who.id], nickname="") for key, who in people.items()}


def rounds_of(at: Seen) -> tuple[OpenRound, ...]:
    """Return the rounds of a night that have started, first round first."""
    names, matches = names_on(at), team_night_of(at).matches
    return tuple(
        OpenRound(
            number,
            tuple(_game(at, table, names, matches) for table in at.tables if table.round == number and table.game),
            tuple(sorted((_person(at, each) for each in at.byes.get(number, ())), key=lambda who: who.name.casefold())),
        )
        for number in range(1, at.begun + 1)
    )


def public_results(at: Seen) -> NightResults:
    """Return the results of the night in the snapshot `at`, which must have public names.

    Ids and links by which readers could find the league's own pages are removed.
    """
    results = whole_results_of(at)
    return replace(
        results,
        id="",
        league_id="",
        season_id="",
        matches=tuple(
            replace(match, home_id=open_id("team", match.home_id), away_id=open_id("team", match.away_id))
            for match in results.matches
        ),
        winners=tuple(map(_public_line, results.winners)),
        tables=tuple(replace(table, lines=tuple(map(_public_line, table.lines))) for table in results.tables),
    )


def _public_line(line: ResultLine) -> ResultLine:
    return replace(line, people=tuple(replace(who, id=person_id(who.id), page=None) for who in line.people))


def _game(at: Seen, table: TableState, names: Mapping[int, str], matches: Sequence[TeamMatch]) -> OpenGame:
    view = table_view(table, names, matches=matches)
    return OpenGame(
        table.round,
        table.number,
        table.done,
        tuple(
            OpenSide(
                side.index,
                side.letter,
                tuple(
                    OpenPlayer(_person(at, each), _person(at, table.subs[each]) if each in table.subs else None)
                    for each in people
                ),
                side.points,
                side.won,
                side.team,
            )
            for side, people in zip(view.sides, people_by_side(table.seats, table.kind), strict=True)
        ),
    )


def _person(at: Seen, person: int) -> OpenPerson:
    who = at.people[person]
    return OpenPerson(person_id(who.public_id), who.name)


def night_of_club(slug: str, season: int, number: int, version: str) -> OpenNightPage:
    """Return a night of a club. `season` and `number` are the numbers of the season and of the night.

    `version` is the `club_night_version`. Raises `NoSuchLeagueError` or `MovedClubError`.
    """
    session = db.session()
    club = open_club(session, slug)
    return night_page_of(club, season_at(session, club, season), number, version)


def last_night_page(slug: str) -> LastNight:
    """Return the last closed night of a club. Raises `NoSuchLeagueError` or `MovedClubError`."""
    session = db.session()
    club = open_club(session, slug)
    seasons = seasons_of(session, club)
    last = last_night_of(session, seasons)
    if last is None:
        return LastNight(club.head, None)
    season = next(season for season in seasons if season.number == last.season)
    return LastNight(club.head, night_page_of(club, season, last.number))


def latest_of_club(slug: str) -> LatestResults | None:
    """Return the winners of the last closed night of a club, with public names.

    Return None if no night is closed yet. Raises `NoSuchLeagueError` or `MovedClubError`.
    """
    session = db.session()
    club = open_club(session, slug)
    seasons = seasons_of(session, club)
    last = last_night_of(session, seasons)
    if last is None:
        return None
    season = next(season for season in seasons if season.number == last.season)
    query = select(NightRow.public_id).where(NightRow.season_id == season.row.id, NightRow.number == last.number)
    won = winners_on(session.scalars(query).one(), club.names, lambda at: _with_public_names(at, club))
    page = PageLink("leagues.club_night", {"club": slug, "season": last.season, "night": last.number})
    return LatestResults(page, last.day_text, won)


def night_page_of(club: OpenClub, season: NumberedSeason, number: int, version: str = "") -> OpenNightPage:
    """Return the page of a club for the night of a season that has this number. Raises `NoSuchLeagueError`.

    `version` is the `club_night_version`; pass "" for a page that doesn't update itself.
    """
    session = db.session()
    at = open_seen(session, club, season, number)
    last = last_night_of(session, [season])
    is_last = last is not None and last.number == number
    day = day_text(at.night.day)
    closed = at.night.closed_at is not None
    return OpenNightPage(
        club=club.head,
        season=season.shown,
        night=OpenNight(season.number, number, at.night.day, day, closed),
        title=_("Night %(number)s, %(day)s", number=number, day=day),
        format=spoken(FORMATS[at.plan.format].name),
        rounds=rounds_of(at),
        results=public_results(at),
        teams=team_standings(session, season.row) if is_last else (),
        version=version,
    )
