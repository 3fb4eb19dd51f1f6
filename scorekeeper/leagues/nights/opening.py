"""Open a night: check in who is expected, correct its date, or remove it.

Check in everybody who answered in advance that they would come, in one step that can be undone.

Correct the date of a night, for example of one that was opened on another day than it was played.

Remove a night that was opened by mistake and has no results and no money.
"""

from collections.abc import Collection
from datetime import date, datetime

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.leagues.calendar import service as planning
from scorekeeper.leagues.calendar.queries import answers_for_night
from scorekeeper.leagues.calendar.settings import YES
from scorekeeper.leagues.core.models import (
    ByeRow,
    LeagueEventRow,
    MoneyRow,
    NightRow,
    PaymentRow,
    PersonRow,
    PresentRow,
    SeatRow,
    TableRow,
    TotalRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk
from scorekeeper.leagues.nights.service import check_people_in
from scorekeeper.leagues.standings import closed_nights
from scorekeeper.leagues.standings.table_results import last_begun
from scorekeeper.leagues.teams.service import release
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.extensions import db

CAME, WENT = "expected_in", "expected_out"
"""Kinds of log entries: `CAME` for checking in all people who had said yes, and `WENT` for undoing that."""


@use_case
def check_in_expected(*, night: str, device: str, now: datetime | None = None) -> None:
    """Check in everybody who said in advance that they would come and hasn't been checked in yet.

    People who have already left are not checked in again. Raises what `at_desk` raises.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        session = desk.session
        yes = [person for person, told in answers_for_night(session, desk.night.id).items() if told.says == YES]
        here = select(PresentRow.person_id).where(PresentRow.night_id == desk.night.id)
        people = select(PersonRow).where(PersonRow.id.in_(yes), PersonRow.id.not_in(here), PersonRow.active)
        check_people_in(desk, session.scalars(people.order_by(PersonRow.id)).all(), CAME)


@use_case
def undo_expected(*, night: str, device: str, now: datetime | None = None) -> None:
    """Undo the check-ins that the last `check_in_expected` made.

    A check-in isn't undone if a round that the person attends has started, or if the person now has a partner or plays
    as a substitute. Raises what `at_desk` raises.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        session, (_all, rows) = desk.session, checked_in_at_once(desk.night.id)
        names = dict(
            session.execute(
                select(PersonRow.id, PersonRow.public_id).where(PersonRow.id.in_([row.person_id for row in rows]))
            ).all()
        )
        begun = last_begun(session, desk.night)
        gone = [row for row in rows if row.from_round > begun]
        for row in gone:
            session.delete(row)
        if gone:
            desk.note(WENT, people=[names[row.person_id] for row in gone])


def checked_in_at_once(night: int) -> tuple[int, Collection[PresentRow]]:
    """Return how many check-ins the last `check_in_expected` made for a night, and those that can be undone.

    `night` is the row id of the night. The check-ins of people who have left since, or who have a partner or play as a
    substitute, can't be undone. The result is (0, ()) if all were undone.
    """
    session = db.session()
    lines = select(LeagueEventRow).where(LeagueEventRow.night_id == night, LeagueEventRow.kind.in_((CAME, WENT)))
    last = session.scalars(lines.order_by(LeagueEventRow.id.desc()).limit(1)).first()
    if last is None or last.kind == WENT:
        return 0, ()
    query = (
        select(PresentRow)
        .join(PersonRow, PersonRow.id == PresentRow.person_id)
        .where(
            PresentRow.night_id == night,
            PersonRow.public_id.in_(last.data["people"]),
            PresentRow.to_round.is_(None),
            PresentRow.sub_for.is_(None),
            PresentRow.team.is_(None),
        )
    )
    return len(last.data["people"]), session.scalars(query).all()


@use_case
def move_night(
    *, night: str, day: date, reason: str, device: str, another: bool = False, now: datetime | None = None
) -> None:
    """Change the date of an open or closed night to `day`. Its number, results and money stay.

    If a night is planned for that date, the two are linked; otherwise, the planned night that was opened moves along.
    Raises what `at_desk` raises. Raises `RuleViolation` without a reason, for a strange date, if the season is closed,
    or, unless `another` is true, if another night of the season has that date.
    """
    if not reason.strip():
        raise RuleViolation("reason_missing", "Enter a reason for the new date.", field="reason")
    if not 2000 <= day.year <= 2199:
        raise RuleViolation("day", "Choose a date from 2000 to 2199.", field="day")
    with at_desk(night, device, now, Role.DIRECTOR, closed=None) as desk:
        row, before = desk.night, desk.night.day
        if desk.season.closed_at is not None:
            raise RuleViolation("season_closed", "This season is closed. Reopen it first.")
        if day == before:
            return
        others = select(NightRow).where(NightRow.season_id == row.season_id, NightRow.number > 0, NightRow.day == day)
        there = desk.session.scalars(others).first()
        if there is not None and not another:
            message = Phrase("Night %(number)s already has this date.", number=there.number)
            raise RuleViolation("night_there", message, field="day")
        row.day = day
        planning.move_along(desk.session, desk.season, row, desk.now)
        desk.note("night_moved", reason=reason, before=before.isoformat(), after=day.isoformat())


@use_case
def remove_night(*, night: str, device: str, now: datetime | None = None) -> str:
    """Remove a night without results, open or closed; return the public id of its season.

    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` if a game was started, points were imported,
    or money was entered.
    """
    with at_desk(night, device, now, Role.DIRECTOR, closed=None) as desk:
        session, row = desk.session, desk.night
        started = session.scalars(select(TableRow.id).where(TableRow.night_id == row.id, TableRow.game_id.is_not(None)))
        if started.first() is not None or money_on(session, row.id) or totals_on(session, row.id):
            raise RuleViolation("night_played", "You can't remove this night. It has results or money.")
        discard(desk)
        return desk.season.public_id


def discard(desk: Desk) -> None:
    """Remove a night without games and money, in the caller's transaction."""
    session, row = desk.session, desk.night
    planning.untie(session, row)
    desk.note("night_removed", number=row.number, day=row.day.isoformat())
    release(session, row)
    closed_nights.forget(session, row.id)
    tables = select(TableRow.id).where(TableRow.night_id == row.id)
    session.execute(delete(SeatRow).where(SeatRow.table_id.in_(tables)))
    for model in (TableRow, ByeRow, PresentRow, MoneyRow):
        session.execute(delete(model).where(model.night_id == row.id))
    # The row stays because the log refers to it. Numbers below 1 mark removed nights.
    lowest = session.scalar(select(func.min(NightRow.number)).where(NightRow.season_id == row.season_id)) or 0
    row.number = min(lowest, 0) - 1
    row.closed_at = row.closed_at or desk.now
    row.bell_at = row.clock_at = None
    closed_nights.sum_up(session, NightRow.id == row.id)


def totals_on(session: Session, night: int) -> bool:
    """Return whether a night (its id) was imported as one total of points per person, without tables."""
    return session.scalars(select(TotalRow.id).where(TotalRow.night_id == night)).first() is not None


def money_on(session: Session, night: int) -> bool:
    """Return whether any money was entered for a night (its id), or an entry fee was paid."""
    entered = select(MoneyRow.id).where(MoneyRow.night_id == night, MoneyRow.cents != 0).exists()
    fees = select(func.sum(PaymentRow.cents)).where(PaymentRow.night_id == night).scalar_subquery()
    return bool(session.scalar(select(or_(entered, func.coalesce(fees, 0) != 0))))
