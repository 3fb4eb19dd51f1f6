"""Check in everybody who answered in advance that they would come, in one step that can be undone."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import select

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.calendar.queries.planned import answers_for_night
from scorekeeper.leagues.calendar.replies import YES
from scorekeeper.leagues.core.models import LeagueEventRow, PersonRow, PresentRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import at_desk
from scorekeeper.leagues.nights.service import check_people_in
from scorekeeper.leagues.standings.table_results import last_begun
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
        session, rows = desk.session, checked_in_at_once(desk.night.id)
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


def checked_in_at_once(night: int) -> Collection[PresentRow]:
    """Return the check-ins that the last call of `check_in_expected` made for a night; empty if they were undone.

    `night` is the row id of the night. People who have left since, or who have a partner or play as a substitute, are
    left out.
    """
    session = db.session()
    lines = select(LeagueEventRow).where(LeagueEventRow.night_id == night, LeagueEventRow.kind.in_((CAME, WENT)))
    last = session.scalars(lines.order_by(LeagueEventRow.id.desc()).limit(1)).first()
    if last is None or last.kind == WENT:
        return ()
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
    return session.scalars(query).all()
