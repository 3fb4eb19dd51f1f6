"""Plan, move, cancel, restore and delete nights, and link planned nights to opened nights.

Each use case is one transaction. The other functions are part of the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.leagues.calendar import series
from scorekeeper.leagues.calendar.details import Details
from scorekeeper.leagues.calendar.settings import ScheduleSettings, checked_zone, today_in
from scorekeeper.leagues.core.access import NoSuchLeagueError, take_charge_of_season
from scorekeeper.leagues.core.audit_log import note, request_key, told_before
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PlannedRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing

PLANNED, CANCELED, DELETED = "planned", "canceled", "deleted"
STATES = (PLANNED, CANCELED, DELETED)
MOST = 400
"""Most planned nights of a season."""


@use_case
def plan_nights(
    *,
    season: str,
    days: Sequence[date],
    told: Details,
    zone: str,
    device: str,
    another: bool = False,
    tap: str = "",
    now: datetime | None = None,
) -> None:
    """Plan a night on each date in `days`, with the time, place and note from `told`.

    The place becomes the season's usual place, and `zone` becomes the season's time zone. `tap` is the id of the form.
    Sending the same form again changes nothing. With `another`, a night may be planned on a date that already has a
    night. Without `another`, such a date raises `RuleViolation` with the code "night_there". Raises
    `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` for invalid details or a closed season.
    """
    when, checked = now or datetime.now(UTC), told.checked()
    wanted = sorted(set(days))
    if not wanted:
        raise RuleViolation("day", "Choose at least one date.", field="day")
    if len(wanted) > series.MOST:
        raise RuleViolation("day", Phrase("Plan at most %(most)s nights at once.", most=series.MOST), field="day")
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.DIRECTOR)
        isodays = [day.isoformat() for day in wanted]
        key = request_key("nights_planned", tap, row.public_id, *isodays)
        if told_before(session, league, key) is not None:
            return
        if row.closed_at is not None:
            raise RuleViolation("season_closed", "This season is closed.", field="day")
        taken = taken_days(session, row.id)
        if not another and not taken.isdisjoint(wanted):
            raise _night_there()
        if len(_planned(session, row.id)) + len(wanted) > MOST:
            raise RuleViolation("day", Phrase("A season can have at most %(most)s nights.", most=MOST), field="day")
        set_schedule(session, league, row, ScheduleSettings(checked_zone(zone), checked.place), device, when)
        for day in wanted:
            session.add(
                PlannedRow(
                    season_id=row.id,
                    public_id=new_public_id(),
                    day=day,
                    starts=checked.starts,
                    place=checked.place,
                    note=checked.note,
                    state=PLANNED,
                    sequence=0,
                    made_at=when,
                    changed_at=when,
                )
            )
        note(session, league, "nights_planned", device=device, now=when, key=key, days=isodays, season=row.public_id)


def set_schedule(
    session: Session, league: LeagueRow, season: SeasonRow, told: ScheduleSettings, device: str, now: datetime
) -> None:
    """Save `told` as the settings of a season's schedule.

    If the time zone changes, all nights of the season are marked as changed, so that calendars update them.
    """
    before = ScheduleSettings.from_json(season.schedule)
    moved = season.schedule is not None and before.zone != told.zone
    season.schedule = told.to_json()
    if moved:
        for row in _planned(session, season.id):
            _changed(row, now)
        note(session, league, "zone_set", device=device, now=now, before=before.zone, zone=told.zone)


@use_case
def change_night(
    *, planned: str, told: Details, device: str, another: bool = False, now: datetime | None = None
) -> None:
    """Save the details `told` of a planned night (public id). Raises what `plan_nights` raises.

    A night that was opened can't be moved. With `another`, a night can be moved to a date that already has a night.
    """
    when, checked = now or datetime.now(UTC), told.checked()
    with writing() as session:
        league, season, row = _locked(session, planned, device)
        before = [row.day.isoformat(), row.starts]
        moves = row.day != checked.day
        if row.night_id is not None and moves:
            raise RuleViolation("night_open", "This night was opened, so it can't be moved.", field="day")
        if moves and not another and checked.day in taken_days(session, season.id, but=row.id):
            raise _night_there()
        new = {name: getattr(checked, name) for name in ("day", "starts", "place", "note")}
        changed = [name for name, value in new.items() if getattr(row, name) != value]
        if not changed:
            return
        for name in changed:
            setattr(row, name, new[name])
        _changed(row, when)
        after = [row.day.isoformat(), row.starts]
        note(session, league, "planned_changed", device=device, now=when, before=before, after=after, fields=changed)


@use_case
def set_state(*, planned: str, state: str, device: str, now: datetime | None = None) -> None:
    """Cancel, restore or delete a planned night (public id). The players' answers are kept.

    `state` is one of `STATES`. Raises what `plan_nights` raises. Raises `RuleViolation` for a night that was opened.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        league, _season, row = _locked(session, planned, device)
        if state not in STATES:
            raise RuleViolation("state", "Choose what to do with this night.", field="state")
        if row.state == state:
            return
        if row.night_id is not None:
            raise RuleViolation("night_open", "This night was opened. Remove the open night first.", field="state")
        before, row.state = row.state, state
        _changed(row, when)
        day = row.day.isoformat()
        note(session, league, "planned_state", device=device, now=when, day=day, before=before, state=state)


def tie(session: Session, season: SeasonRow, night: NightRow) -> None:
    """Link a night that was just opened to its planned night.

    The planned night is the earliest one on the same date that isn't canceled, deleted or linked already. If there is
    no such night, nothing happens.
    """
    rows = (row for row in _planned(session, season.id) if row.day == night.day and row.night_id is None)
    first = min((row for row in rows if row.state == PLANNED), key=lambda row: (row.starts or 0, row.id), default=None)
    if first is not None:
        first.night_id = night.id


def move_along(session: Session, season: SeasonRow, night: NightRow, now: datetime) -> None:
    """Link a night whose date was corrected to the night that is planned for the new date.

    If there is no such night, the planned night that was opened moves to the new date.
    """
    own = session.scalars(select(PlannedRow).where(PlannedRow.night_id == night.id)).first()
    untie(session, night)
    session.flush()
    tie(session, season, night)
    if own is not None and not any(row.night_id == night.id for row in _planned(session, season.id)):
        own.day, own.night_id = night.day, night.id
        _changed(own, now)


def untie(session: Session, night: NightRow) -> None:
    """Unlink an opened night from its planned night, because the opened night is being removed.

    The planned night can then be opened again.
    """
    row = session.scalars(select(PlannedRow).where(PlannedRow.night_id == night.id)).first()
    if row is not None:
        row.night_id = None


def has_nights_ahead(session: Session, season: SeasonRow, now: datetime) -> bool:
    """Return whether the season has an upcoming planned night that was not opened or canceled.

    A season with an upcoming night must not be closed. Otherwise the calendars on people's phones would still show that
    night.
    """
    today = today_in(ScheduleSettings.from_json(season.schedule).zone, now)
    rows = (row for row in _planned(session, season.id) if row.state == PLANNED and row.night_id is None)
    return any(row.day >= today for row in rows)


def planned_at(session: Session, public_id: str) -> PlannedRow:
    """Return the planned night with the public id `public_id`. Raises `NoSuchLeagueError`."""
    row = session.scalars(select(PlannedRow).where(PlannedRow.public_id == public_id)).first()
    if row is None:
        raise NoSuchLeagueError
    return row


def taken_days(session: Session, season: int, but: int | None = None) -> set[date]:
    """Return the dates on which a season (row id) has a planned or opened night.

    If `but` (row id) is given, this planned night is ignored.
    """
    rows = [row for row in _planned(session, season) if row.state == PLANNED and row.id != but]
    own = select(PlannedRow.night_id).where(PlannedRow.id == but) if but is not None else None
    nights = select(NightRow.day).where(NightRow.season_id == season, NightRow.number > 0)
    if own is not None:
        nights = nights.where(NightRow.id.not_in(own.where(PlannedRow.night_id.is_not(None))))
    return {row.day for row in rows} | set(session.scalars(nights))


def _planned(session: Session, season: int) -> Sequence[PlannedRow]:
    return session.scalars(select(PlannedRow).where(PlannedRow.season_id == season)).all()


def _locked(session: Session, planned: str, device: str) -> tuple[LeagueRow, SeasonRow, PlannedRow]:
    row = planned_at(session, planned)
    season = session.get_one(SeasonRow, row.season_id)
    league, season = take_charge_of_season(session, season.public_id, device, Role.DIRECTOR)
    session.refresh(row)
    return league, season, row


def _changed(row: PlannedRow, now: datetime) -> None:
    row.sequence += 1
    row.changed_at = now


def _night_there() -> RuleViolation:
    return RuleViolation("night_there", "There's already a night on this date. Plan another one?", field="day")
