"""Remove a night that was opened by mistake and has no results and no money."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.calendar import service as planning
from scorekeeper.leagues.core.models import (
    ByeRow,
    MoneyRow,
    NightRow,
    PaymentRow,
    PresentRow,
    SeatRow,
    TableRow,
    TotalRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk
from scorekeeper.leagues.standings import closed_nights
from scorekeeper.leagues.teams.service import release
from scorekeeper.rules.violation import RuleViolation


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
