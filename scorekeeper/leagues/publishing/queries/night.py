"""Read what an open club shows of its nights, and the smaller pages about clubs.

Read a night of an open club, which is a league with public pages: its tables with public names.

Read the feed of an open club, which is a league with public pages: its last closed nights.

Read the calendar of an open club, which is a league with public pages.

Read the part of the home page about leagues: those that this phone visited, and the open clubs.

Read the page on which owners open their league.
"""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from msgspec import structs
from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.leagues.calendar.feed import FeedNight
from scorekeeper.leagues.calendar.queries import league_calendar, next_nights
from scorekeeper.leagues.core.access import NoSuchLeagueError, has_role, league_at, owned
from scorekeeper.leagues.core.models import ClubAddressRow, ClubRow, LeagueEventRow, LeagueRow, NightRow, PersonRow
from scorekeeper.leagues.nights.queries.night import table_view
from scorekeeper.leagues.publishing.addresses import CLUB, free_slug, open_id, person_id, urn
from scorekeeper.leagues.publishing.names import SHORT, STYLES, public_names
from scorekeeper.leagues.publishing.pages import (
    ClubSettingsPage,
    FeedEntry,
    HomeClubs,
    LastNight,
    OpenGame,
    OpenNight,
    OpenNightPage,
    OpenPerson,
    OpenPlayer,
    OpenRound,
    OpenSide,
    VisitedLeague,
)
from scorekeeper.leagues.publishing.queries.club import (
    NumberedSeason,
    OpenClub,
    all_clubs,
    last_night_of,
    open_club,
    season_at,
    seasons_of,
)
from scorekeeper.leagues.results.pages import LatestResults, NightResults, ResultLine, TeamMatch
from scorekeeper.leagues.results.queries import latest_results, whole_results_of, winners_on
from scorekeeper.leagues.results.team_nights import team_night_of
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.plan import people_by_side
from scorekeeper.leagues.standings.night_snapshot import Known, Seen, names_on, seen
from scorekeeper.leagues.standings.table_results import TableState
from scorekeeper.leagues.teams.standings import team_standings
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink, once
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
    return structs.replace(at, people=public_people(at.people, club.names))


def public_people(people: Mapping[int, Known], style: str) -> Mapping[int, Known]:
    """Return the people of a league with public names and without nicknames.

    `style` is a key of `STYLES`, as in `public_names`.
    """
    names = public_names({who.id: who.name for who in people.values()}, style)
    return {key: structs.replace(who, name=names[who.id], nickname="") for key, who in people.items()}


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
    return structs.replace(
        results,
        id="",
        league_id="",
        season_id="",
        matches=tuple(
            structs.replace(match, home_id=open_id("team", match.home_id), away_id=open_id("team", match.away_id))
            for match in results.matches
        ),
        winners=tuple(map(_public_line, results.winners)),
        tables=tuple(structs.replace(table, lines=tuple(map(_public_line, table.lines))) for table in results.tables),
    )


def _public_line(line: ResultLine) -> ResultLine:
    return structs.replace(
        line, people=tuple(structs.replace(who, id=person_id(who.id), page=None) for who in line.people)
    )


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
                forfeited=table.forfeit == side.index,
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
    # Of the files of a night, four are made of it, and perhaps the feed.
    page = once((club.slug, season.number, number), lambda: _night_page_of(club, season, number))
    return structs.replace(page, version=version)


def _night_page_of(club: OpenClub, season: NumberedSeason, number: int) -> OpenNightPage:
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
        version="",
    )


MOST = 10
"""Most entries in a feed. Each entry takes about 25 queries whenever the league has changed."""


def feed_page(slug: str) -> SimpleNamespace:
    """Return the feed of a club.

    The `updated` time of a night is the time of the night's last entry in the league's log. That of the feed is the
    time of the league's last entry, so that it never goes back when a night is reopened or removed. Raises
    `NoSuchLeagueError` or `MovedClubError`.
    """
    session = db.session()
    club = open_club(session, slug)
    seasons = {season.row.id: season for season in seasons_of(session, club)}
    changed = select(func.max(LeagueEventRow.at)).where(LeagueEventRow.night_id == NightRow.id).scalar_subquery()
    query = (
        select(NightRow.public_id, NightRow.season_id, NightRow.number, func.coalesce(changed, NightRow.closed_at))
        .where(NightRow.season_id.in_(seasons), NightRow.number > 0, NightRow.closed_at.is_not(None))
        .order_by(NightRow.day.desc(), NightRow.id.desc())
        .limit(MOST)
    )
    entries = tuple(
        FeedEntry(urn(night), updated, night_page_of(club, seasons[season], number))
        for night, season, number, updated in session.execute(query).all()
    )
    league = session.get_one(LeagueRow, club.league)
    last = session.scalar(select(func.max(LeagueEventRow.at)).where(LeagueEventRow.league_id == league.id))
    updated = max([entry.updated for entry in entries] + [last or league.made_at])
    return SimpleNamespace(club=club.head, id=urn(league.public_id), updated=updated, entries=entries)


def club_calendar(slug: str) -> tuple[str, Sequence[FeedNight]]:
    """Return the name of a club and its planned nights.

    The nights have open ids (`open_ids`) in place of their public ids, so that readers of the calendar can't find the
    league's own pages. Raises `NoSuchLeagueError` or `MovedClubError`.
    """
    session = db.session()
    league = session.get_one(LeagueRow, open_club(session, slug).league)
    name, nights = league_calendar(league.public_id)
    return name, [structs.replace(night, id=open_id("night", night.id)) for night in nights]


LISTED = 5
"""Most open clubs to list on the home page. If there are more, the page has a search field instead of the list."""


def home_clubs(marks: Sequence[str], device: str | None) -> HomeClubs:
    """Return the leagues that this phone has visited, and the open clubs.

    `marks` identify the visited leagues and clubs, as in `visited.visited_here`. Unknown leagues are left out.

    A visited league is returned with its next nights, unless `device` or its account has a role in the league. The next
    nights of such a league are shown in another part of the home page (`calendar.views.home`).
    """
    visited = _visited(marks, device)
    clubs = all_clubs()
    seen = {each.club for each in visited}
    return HomeClubs(
        visited,
        tuple(club for club in clubs if club.slug not in seen) if len(clubs) <= LISTED else (),
        len(clubs),
    )


def _visited(marks: Sequence[str], device: str | None) -> tuple[VisitedLeague, ...]:
    if not marks:
        return ()
    slugs = [mark.removeprefix(CLUB) for mark in marks if mark.startswith(CLUB)]
    session = db.session()
    public = and_(ClubRow.is_open, LeagueRow.off_because.is_(None))
    query = (
        select(LeagueRow.id, LeagueRow.public_id, LeagueRow.name, ClubRow.slug, public)
        .outerjoin(ClubRow, ClubRow.league_id == LeagueRow.id)
        .where(LeagueRow.public_id.in_(marks) | ClubRow.slug.in_(slugs))
    )
    rows = session.execute(query).all()
    ids = [row.id for row in rows]
    run = select(LeagueRow.id).where(LeagueRow.id.in_(ids), has_role(device)) if device and ids else None
    coming = next_nights(session, set(ids).difference(() if run is None else session.scalars(run)))
    of_league = latest_results(session, [row.id for row in rows if row.public_id in marks])
    found: dict[str, VisitedLeague] = {}
    for league, public_id, name, slug, is_open in rows:
        upcoming, latest = coming.get(league, ()), of_league.get(league)
        found[public_id] = VisitedLeague(public_id, name, slug if is_open else "", public_id, upcoming, latest)
        if is_open and public_id not in marks:
            found[CLUB + slug] = VisitedLeague(CLUB + slug, name, slug, "", upcoming, latest_of_club(slug))
        elif is_open:
            found[CLUB + slug] = found[public_id]
    shown: dict[str, VisitedLeague] = {}
    for mark in marks:
        if mark in found:
            # A phone that visited the league's own pages keeps the way there.
            one = found[mark]
            key = one.club or one.league
            if key not in shown or (one.league and not shown[key].league):
                shown[key] = one
    return tuple(shown.values())


SAMPLES = 3


def club_settings(league_id: str, device: str | None) -> tuple[ClubSettingsPage, dict[str, object]]:
    """Return the page on which owners open their league, and the initial values of its form by field name.

    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    session = db.session()
    league = league_at(session, league_id)
    head = owned(session, league.id, device)
    row = session.scalars(select(ClubRow).where(ClubRow.league_id == league.id)).first()
    people = select(PersonRow.id, PersonRow.name).where(
        PersonRow.league_id == league.id, PersonRow.merged_into.is_(None), PersonRow.active
    )
    names = dict(session.execute(people.order_by(PersonRow.id).limit(SAMPLES)).all())
    samples = tuple(
        (style, _(label), ", ".join(public_names(names, style).values())) for style, label in STYLES.items()
    )
    if row is None:
        taken = set(session.scalars(select(ClubAddressRow.slug)))
        return ClubSettingsPage(head, is_open=False, slug="", samples=samples), {
            "is_open": True,
            "slug": free_slug(league.name, taken),
            "names": SHORT,
        }
    page = ClubSettingsPage(head, row.is_open, row.slug, samples)
    return page, {"is_open": row.is_open, "slug": row.slug, "names": row.names}
