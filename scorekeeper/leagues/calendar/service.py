"""Plan, move, cancel, restore and delete nights, and link planned nights to opened nights.

Each use case is one transaction. The other functions are part of the caller's transaction.

Save the answers that players give about a planned night, either themselves or through a helper.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.leagues.calendar import settings
from scorekeeper.leagues.calendar.links import PAGE, holder_of
from scorekeeper.leagues.calendar.settings import (
    ANSWER_NOTE_LENGTH,
    REPLIES,
    SUBSTITUTE,
    Details,
    GivenAnswer,
    ScheduleSettings,
    checked_zone,
    today_in,
)
from scorekeeper.leagues.core.access import NoSuchLeagueError, person_at, take_charge, take_charge_of_season
from scorekeeper.leagues.core.models import AnswerRow, LeagueRow, NightRow, PersonRow, PlannedRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import note, request_key, told_before
from scorekeeper.rules.phrase import Phrase, RuleViolation
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
    if len(wanted) > settings.MOST:
        raise RuleViolation("day", Phrase("Plan at most %(most)s nights at once.", most=settings.MOST), field="day")
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


@use_case
def answer(*, person: str, token: str, planned: str, told: GivenAnswer, key: str, now: datetime | None = None) -> None:
    """Save the answer `told` that a player sent from their personal page.

    `person` and `planned` are the public ids of the player and of the planned night. `token` is the token of the
    player's personal link. `key` is the installation's secret key. Raises `NoSuchLeagueError` for a wrong token or a
    night of another league. Raises `RuleViolation` if the answer is invalid or the night can no longer be answered.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        who = holder_of(session, person, token, PAGE, key)
        take_charge(session, who.league_id, None, Role.NOBODY)
        # Read again, now that nothing else changes in the league.
        who = holder_of(session, person, token, PAGE, key)
        if not who.active:
            raise RuleViolation("retired", "You're listed as retired. Tell the desk if you'd like to play again.")
        _save(session, _open_night(session, planned, who, when), who, told, when, by_desk=False)


@use_case
def answer_for(
    *, planned: str, person: str, told: GivenAnswer | None, device: str, now: datetime | None = None
) -> None:
    """Save the answer `told` that a helper enters for a player. If `told` is None, delete the answer.

    `planned` and `person` are the public ids of the planned night and of the player. Raises `NoSuchLeagueError`,
    `NotAllowedError`, or `RuleViolation` if the night can't be answered.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        season = session.get_one(SeasonRow, planned_at(session, planned).season_id)
        league = take_charge(session, season.league_id, device, Role.HELPER)
        who = person_at(session, person)
        if who.merged_into is not None:
            raise NoSuchLeagueError
        row = _open_night(session, planned, who, when)
        if told is None:
            session.execute(delete(AnswerRow).where(AnswerRow.planned_id == row.id, AnswerRow.person_id == who.id))
        else:
            _save(session, row, who, told, when, by_desk=True)
        # Everyone may read the history, but only helpers may read answers.
        day = row.day.isoformat()
        note(session, league, "answer_set", device=device, now=when, person=who.public_id, day=day)


def carry_over(session: Session, gone: PersonRow, kept: PersonRow) -> None:
    """Move the answers of `gone` to `kept`, because the person `gone` is merged into `kept`.

    If both people answered for the same night, the answer of `kept` stays. If another player named `gone` as their
    substitute, `kept` becomes the substitute.
    """
    answered = select(AnswerRow.planned_id).where(AnswerRow.person_id == kept.id)
    session.execute(delete(AnswerRow).where(AnswerRow.person_id == gone.id, AnswerRow.planned_id.in_(answered)))
    for column in (AnswerRow.person_id, AnswerRow.sub_id):
        session.execute(update(AnswerRow).where(column == gone.id).values({column.key: kept.id}))
    # Nobody plays for themselves.
    session.execute(
        update(AnswerRow).where(AnswerRow.person_id == kept.id, AnswerRow.sub_id == kept.id).values(sub_id=None)
    )


def forget(session: Session, people: list[int]) -> None:
    """Delete the answers of these people (row ids). In other people's answers, delete these people as substitutes."""
    session.execute(delete(AnswerRow).where(AnswerRow.person_id.in_(people)))
    session.execute(update(AnswerRow).where(AnswerRow.sub_id.in_(people)).values(sub_id=None))


def is_open(row: PlannedRow, today: date) -> bool:
    """Return whether players can still answer for a planned night.

    They can if the night is not before `today` and was not canceled, deleted or opened.
    """
    return row.state == PLANNED and row.night_id is None and row.day >= today


def _open_night(session: Session, planned: str, who: PersonRow, now: datetime) -> PlannedRow:
    row = planned_at(session, planned)
    season = session.get_one(SeasonRow, row.season_id)
    if season.league_id != who.league_id:
        raise NoSuchLeagueError
    session.refresh(row)
    if row.night_id is not None:
        raise RuleViolation("night_open", "This night has started. Tell the desk instead.")
    if not is_open(row, today_in(ScheduleSettings.from_json(season.schedule).zone, now)):
        raise RuleViolation("night_off", "This night is canceled or over. Nothing was saved.")
    return row


def _save(
    session: Session, planned: PlannedRow, who: PersonRow, told: GivenAnswer, now: datetime, *, by_desk: bool
) -> None:
    if told.says not in REPLIES:
        raise RuleViolation("says", "Choose an answer.", field="says")
    said = told.note.strip()
    if len(said) > ANSWER_NOTE_LENGTH:
        raise RuleViolation(
            "note_long", Phrase("Use at most %(most)s characters.", most=ANSWER_NOTE_LENGTH), field="note"
        )
    sub = _substitute(session, who, told)
    query = select(AnswerRow).where(AnswerRow.planned_id == planned.id, AnswerRow.person_id == who.id)
    row = session.scalars(query).first()
    if row is None:
        row = AnswerRow(planned_id=planned.id, person_id=who.id)
        session.add(row)
    row.says, row.sub_id, row.note, row.by_desk, row.at = told.says, sub, said, by_desk, now


def _substitute(session: Session, who: PersonRow, told: GivenAnswer) -> int | None:
    """Return the row id of the substitute named in an answer, or None if nobody is named or no substitute is needed.

    Raises `RuleViolation` if no other player of the league has that name.
    """
    wanted = told.sub.strip().casefold()
    if told.says != SUBSTITUTE or not wanted:
        return None
    query = select(PersonRow).where(PersonRow.league_id == who.league_id, PersonRow.merged_into.is_(None))
    found = [row.id for row in session.scalars(query) if row.name.casefold() == wanted and row.id != who.id]
    if not found:
        message = Phrase("There's no other player named %(name)s in this league.", name=told.sub.strip()[:40])
        raise RuleViolation("sub", message, field="sub")
    return found[0]
