"""Read the schedule, players' answers about whether they will come, personal pages, and calendars.

Read the schedule, planned nights, and players' answers about whether they will come.

Read the planned nights of a league for the league's calendar and for players' calendars.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import _
from scorekeeper.leagues.calendar.feed import FeedNight
from scorekeeper.leagues.calendar.links import CALENDAR, holder_of
from scorekeeper.leagues.calendar.pages import (
    AnswerGroup,
    Invitee,
    NextNight,
    PlannedLine,
    PlannedPage,
    ReviewDay,
    SchedulePage,
)
from scorekeeper.leagues.calendar.service import CANCELED, DELETED, PLANNED, is_open, planned_at, taken_days
from scorekeeper.leagues.calendar.settings import NO, REPLIES, YES, ScheduleSettings, today_in
from scorekeeper.leagues.core.access import has_role, head_of, league_at, season_at
from scorekeeper.leagues.core.models import (
    AnswerRow,
    LeagueRow,
    NightRow,
    PersonRow,
    PlannedRow,
    SeasonRow,
)
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import clock_text, weekday_text
from scorekeeper.web.text import unaccented


def next_nights(session: Session, leagues: Collection[int]) -> Mapping[int, tuple[NextNight, ...]]:
    """Map each of these leagues (row ids) to its next planned night, as a tuple.

    The tuple also has the canceled nights before the next night; they come first. Leagues without an upcoming night are
    left out. Nights that were opened don't count. The function runs a single query.
    """
    return _upcoming(session, SeasonRow.league_id.in_(leagues)) if leagues else {}


def _upcoming(session: Session, which: ColumnElement[bool]) -> Mapping[int, tuple[NextNight, ...]]:
    query = (
        select(PlannedRow, SeasonRow)
        .join(SeasonRow, SeasonRow.id == PlannedRow.season_id)
        .where(
            which,
            SeasonRow.closed_at.is_(None),
            PlannedRow.day >= datetime.now(UTC).date() - timedelta(days=1),
            PlannedRow.night_id.is_(None),
            PlannedRow.state.in_((PLANNED, CANCELED)),
        )
        .order_by(PlannedRow.day, PlannedRow.starts, PlannedRow.id)
    )
    told: dict[int, tuple[NextNight, ...]] = {}
    for row, season in session.execute(query):
        so_far = told.get(season.league_id, ())
        if (so_far and not so_far[-1].canceled) or row.day < today_in(zone_of(season)):
            continue
        told[season.league_id] = (*so_far, next_night(row, season))
    return told


def next_nights_run(device: str | None) -> tuple[tuple[str, tuple[NextNight, ...]], ...]:
    """Return a (league name, nights) pair for each league that the reader helps to run, newest league first.

    These are the leagues in which the device or the signed-in account has a role. The nights are those that
    `next_nights` returns. Leagues without an upcoming night are left out.
    """
    if device is None:
        return ()
    session = db.session()
    query = select(LeagueRow.id, LeagueRow.name).where(has_role(device)).order_by(LeagueRow.id.desc())
    names = dict(session.execute(query).all())
    found = next_nights(session, names)
    return tuple((name, found[league]) for league, name in names.items() if league in found)


def next_of(league_id: str) -> tuple[NextNight, ...]:
    """Return the next planned night of a league (public id). Canceled nights before the next night come first.

    Return () if the league has no upcoming night.
    """
    ids = select(LeagueRow.id).where(LeagueRow.public_id == league_id).scalar_subquery()
    return next(iter(_upcoming(db.session(), SeasonRow.league_id == ids).values()), ())


def schedule_page(
    season_id: str, device: str | None, *, days: Sequence[date] = (), error: str = "", twice: bool = False
) -> SchedulePage:
    """Return the page with the schedule of a season (public id). Raises `NoSuchLeagueError`.

    `days` are the dates of a new series, for review. With `twice`, the page asks whether to plan a second night on a
    date that already has one.
    """
    session = db.session()
    season = season_at(session, season_id)
    league = session.get_one(LeagueRow, season.league_id)
    zone = zone_of(season)
    today = today_in(zone)
    rows = sorted(_rows(session, season.id), key=lambda row: (row.day, row.starts or 0, row.id))
    nights, coming = opened(session, rows), coming_to(session, rows)
    lines = [(row, _line(row, nights, coming)) for row in rows]
    taken = taken_days(session, season.id) if days else set()
    return SchedulePage(
        league=head_of(league, device),
        id=season.public_id,
        season=season.name,
        closed=season.closed_at is not None,
        zone="" if season.schedule is None else zone,
        ahead=tuple(line for row, line in lines if row.state != DELETED and row.day >= today),
        past=tuple(line for row, line in reversed(lines) if row.state != DELETED and row.day < today),
        deleted=tuple(line for row, line in lines if row.state == DELETED),
        client_id=new_tap_id(),
        series=tuple(ReviewDay(day.isoformat(), weekday_text(day), day in taken) for day in days),
        error=error,
        twice=twice,
    )


def usual_place(season_id: str) -> str:
    """Return the usual place of a season's nights, or "" if there is none. Raises `NoSuchLeagueError`."""
    return ScheduleSettings.from_json(season_at(db.session(), season_id).schedule).place


def planned_page(
    planned: str, device: str | None, *, error: str = "", part: str = "", twice: bool = False
) -> PlannedPage:
    """Return the page of a planned night (public id). Raises `NoSuchLeagueError`.

    `error` is shown next to the form named by `part`. With `twice`, the page asks whether to move the night to a date
    on which the season already has a night.
    """
    session = db.session()
    row = planned_at(session, planned)
    season = session.get_one(SeasonRow, row.season_id)
    league = session.get_one(LeagueRow, season.league_id)
    head, today = head_of(league, device), today_in(zone_of(season))
    line = _line(row, opened(session, [row]), coming_to(session, [row]))
    return PlannedPage(
        league=head,
        id=row.public_id,
        title=weekday_text(row.day),
        line=line,
        place=row.place,
        time="" if row.starts is None else clock_text(row.starts),
        season_id=season.public_id,
        season=season.name,
        past=row.day < today,
        groups=_groups(session, row, league.id) if head.helps else (),
        open=is_open(row, today),
        may_open=head.directs and row.state == PLANNED and not line.night_id and season.closed_at is None,
        day=row.day,
        starts=row.starts,
        error=error,
        part=part,
        twice=twice,
    )


class Answered(Struct, frozen=True):
    """A player's answer about whether they will come to a planned night.

    `says` is a key of `REPLIES`. `sub` is the name of the player's substitute, or "".
    """

    says: str
    sub: str
    note: str


def answers_for_night(session: Session, night: int) -> Mapping[int, Answered]:
    """Map the row id of each person to the answer that they gave before a night (row id) was opened.

    People who gave no answer are left out. The function runs a single query.
    """
    query = (
        select(AnswerRow.person_id, AnswerRow.says, PersonRow.name, AnswerRow.note)
        .join(PlannedRow, PlannedRow.id == AnswerRow.planned_id)
        .outerjoin(PersonRow, PersonRow.id == AnswerRow.sub_id)
        .where(PlannedRow.night_id == night)
    )
    return {who: Answered(says, sub or "", said) for who, says, sub, said in session.execute(query)}


def everyone_in(session: Session, league: int) -> Mapping[int, Invitee]:
    """Map the row id of each active person of a league (row id) to an `Invitee` without an answer.

    People who were merged into another person are left out.
    """
    query = select(PersonRow.id, PersonRow.public_id, PersonRow.name).where(
        PersonRow.league_id == league, PersonRow.merged_into.is_(None), PersonRow.active
    )
    return {key: Invitee(public_id, name) for key, public_id, name in session.execute(query)}


def _groups(session: Session, planned: PlannedRow, league: int) -> tuple[AnswerGroup, ...]:
    """Return the people of a league (row id), grouped by their answer. People without an answer come last."""
    query = (
        select(AnswerRow, PersonRow.public_id, PersonRow.name)
        .join(PersonRow, PersonRow.id == AnswerRow.person_id)
        .where(AnswerRow.planned_id == planned.id)
    )
    answers = session.execute(query).all()
    everyone = everyone_in(session, league)
    told: dict[str, list[Invitee]] = {key: [] for key in REPLIES}
    for answer, public_id, name in answers:
        sub = everyone.get(answer.sub_id or 0)
        who = Invitee(public_id, name, "" if sub is None else sub.name, answer.note, answer.by_desk)
        told[answer.says].append(who)
    silent = everyone.keys() - {answer.person_id for answer, _public_id, _name in answers}
    return (
        *(AnswerGroup(key, _(reply.heading), _by_name(told[key])) for key, reply in REPLIES.items()),
        AnswerGroup("", _("No answer"), _by_name([everyone[person] for person in silent])),
    )


def _by_name(people: Sequence[Invitee]) -> tuple[Invitee, ...]:
    return tuple(sorted(people, key=lambda one: (unaccented(one.name), one.id)))


def _rows(session: Session, season: int) -> Sequence[PlannedRow]:
    return session.scalars(select(PlannedRow).where(PlannedRow.season_id == season)).all()


def opened(session: Session, rows: Sequence[PlannedRow]) -> Mapping[int, str]:
    """Map the row id to the public id of each night that was opened from one of the planned nights `rows`."""
    ids = [row.night_id for row in rows if row.night_id is not None]
    query = select(NightRow.id, NightRow.public_id).where(NightRow.id.in_(ids))
    return dict(session.execute(query).all()) if ids else {}


def coming_to(session: Session, rows: Sequence[PlannedRow]) -> Mapping[int, int]:
    """Map the row id of each planned night in `rows` to the number of people who said that they will come.

    Planned nights without such an answer are left out.
    """
    query = (
        select(AnswerRow.planned_id, func.count())
        .where(AnswerRow.planned_id.in_([row.id for row in rows]), AnswerRow.says == YES)
        .group_by(AnswerRow.planned_id)
    )
    return dict(session.execute(query).all()) if rows else {}


def _line(row: PlannedRow, nights: Mapping[int, str], coming: Mapping[int, int]) -> PlannedLine:
    return PlannedLine(
        row.public_id, _when(row), row.note, row.state, nights.get(row.night_id or 0, ""), coming.get(row.id, 0)
    )


def next_night(row: PlannedRow, season: SeasonRow) -> NextNight:
    """Return a planned night of the season `season` as a `NextNight`."""
    return NextNight(row.public_id, _when(row), row.day, row.state == CANCELED, season.public_id, season.name, row.note)


def _when(row: PlannedRow) -> str:
    """Return date, time and place of a planned night, such as "Thursday, December 3, 7:00 PM, Legion Hall"."""
    parts = (weekday_text(row.day), "" if row.starts is None else clock_text(row.starts), row.place)
    return ", ".join(part for part in parts if part)


def zone_of(season: SeasonRow) -> str:
    """Return the time zone (IANA name) of a season's schedule."""
    return ScheduleSettings.from_json(season.schedule).zone


def league_calendar(league_id: str) -> tuple[str, list[FeedNight]]:
    """Return the name of a league, and the planned nights of all its seasons. Raises `NoSuchLeagueError`."""
    session = db.session()
    league = league_at(session, league_id)
    return league.name, [_in_feed(row, season, league.name) for row, season in _all_rows(session, league.id)]


def league_calendar_version(league_id: str) -> str:
    """Return a hash that changes whenever the calendar of a league changes. Raises `NoSuchLeagueError`."""
    session = db.session()
    league = league_at(session, league_id)
    return _version(league.name, *_counts(session, league.id))


def personal_calendar_version(person: str, token: str, key: str) -> str:
    """Return a hash that changes whenever a player's calendar changes.

    Takes the same parameters as `personal_calendar`, and raises the same errors.
    """
    session = db.session()
    who = holder_of(session, person, token, CALENDAR, key)
    league = session.get_one(LeagueRow, who.league_id)
    return _version(league.name, *_counts(session, league.id), sorted(_declined(session, who)))


def _counts(session: Session, league: int) -> Sequence[object]:
    """Return values that show whether planned nights of a league have changed.

    After each change, at least one of the values differs. `league` is the row id of the league.
    """
    query = (
        select(func.count(), func.sum(PlannedRow.sequence), func.max(PlannedRow.changed_at))
        .join(SeasonRow, SeasonRow.id == PlannedRow.season_id)
        .where(SeasonRow.league_id == league)
    )
    return session.execute(query).one()


def _version(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def _declined(session: Session, who: PersonRow) -> set[int]:
    """Return the row ids of the planned nights for which a person answered no."""
    query = select(AnswerRow.planned_id).where(AnswerRow.person_id == who.id, AnswerRow.says == NO)
    return set(session.scalars(query))


def personal_calendar(person: str, token: str, key: str) -> tuple[str, list[FeedNight]]:
    """Return the name of a player's league, and the league's planned nights for the player's calendar.

    `person` (public id) and `token` are from the address of the calendar. `key` is the installation's secret key. The
    calendar shows the player as free on nights that the player declined. Raises `NoSuchLeagueError` for a wrong or
    revoked link.
    """
    session = db.session()
    who = holder_of(session, person, token, CALENDAR, key)
    league = session.get_one(LeagueRow, who.league_id)
    free = _declined(session, who)
    rows = _all_rows(session, league.id)
    return league.name, [_in_feed(row, season, league.name, free=row.id in free) for row, season in rows]


def _all_rows(session: Session, league: int) -> Sequence[tuple[PlannedRow, SeasonRow]]:
    """Return (planned night, season) pairs for the calendar of a league (row id), sorted by date."""
    query = (
        select(PlannedRow, SeasonRow)
        .join(SeasonRow, SeasonRow.id == PlannedRow.season_id)
        .where(SeasonRow.league_id == league)
        .order_by(PlannedRow.day, PlannedRow.id)
    )
    return [(row, season) for row, season in session.execute(query)]


def _in_feed(row: PlannedRow, season: SeasonRow, title: str, *, free: bool = False) -> FeedNight:
    return FeedNight(
        id=row.public_id,
        title=title,
        zone=zone_of(season),
        day=row.day,
        starts=row.starts,
        place=row.place,
        note=row.note,
        canceled=row.state != PLANNED,
        sequence=row.sequence,
        made_at=row.made_at,
        changed_at=row.changed_at,
        free=free,
    )
