"""A night that was opened by mistake goes again. Its lines in the league's log stay, as all lines do."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.models import ByeRow, MoneyRow, NightRow, PresentRow, SeatRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import at_desk
from scorekeeper.leagues.standings import closed_nights
from scorekeeper.rules.violation import RuleViolation


@use_case
def remove_night(*, night: str, device: str, now: datetime | None = None) -> str:
    """Remove a night without a result, open or closed; return the address of its season.

    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` where a table was started or money was noted.
    """
    with at_desk(night, device, now, Role.DIRECTOR, closed=None) as desk:
        session, row = desk.session, desk.night
        started = session.scalars(select(TableRow.id).where(TableRow.night_id == row.id, TableRow.game_id.is_not(None)))
        if started.first() is not None or money_on(session, row.id):
            raise RuleViolation("night_played", "This night has results or money, so it stays.")
        desk.note("night_removed", number=row.number, day=row.day.isoformat())
        closed_nights.forget(session, row.id)
        tables = select(TableRow.id).where(TableRow.night_id == row.id)
        session.execute(delete(SeatRow).where(SeatRow.table_id.in_(tables)))
        for model in (TableRow, ByeRow, PresentRow, MoneyRow):
            session.execute(delete(model).where(model.night_id == row.id))
        # The row stays for the log to point to; numbers below 1 are no nights.
        lowest = session.scalar(select(func.min(NightRow.number)).where(NightRow.season_id == row.season_id)) or 0
        row.number = min(lowest, 0) - 1
        row.closed_at = row.closed_at or desk.now
        row.bell_at = None
        closed_nights.sum_up(session, NightRow.id == row.id)
        return desk.season.public_id


def money_on(session: Session, night: int) -> bool:
    """Return whether any money was noted for a night (its id)."""
    return (
        session.scalars(select(MoneyRow.id).where(MoneyRow.night_id == night, MoneyRow.cents != 0)).first() is not None
    )
