"""Correct the date of a night, for example of one that was opened on another day than it was played."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import select

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.calendar import service as planning
from scorekeeper.leagues.core.models import NightRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import at_desk
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


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
