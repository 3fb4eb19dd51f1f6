"""Check in everybody who said beforehand that they come, in one step that can be undone."""

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
from scorekeeper.leagues.nights.seating import last_begun
from scorekeeper.leagues.nights.service import check_people_in
from scorekeeper.web.extensions import db

CAME, WENT = "expected_in", "expected_out"
"""Kinds of lines in the log."""


@use_case
def check_in_expected(*, night: str, device: str, now: datetime | None = None) -> None:
    """Check in everybody who said yes and was not checked in that night. Raises what `at_desk` raises."""
    with at_desk(night, device, now, Role.HELPER) as desk:
        session = desk.session
        yes = [person for person, told in answers_for_night(session, desk.night.id).items() if told.says == YES]
        here = select(PresentRow.person_id).where(PresentRow.night_id == desk.night.id)
        people = select(PersonRow).where(PersonRow.id.in_(yes), PersonRow.id.not_in(here), PersonRow.active)
        check_people_in(desk, session.scalars(people.order_by(PersonRow.id)).all(), CAME)


@use_case
def undo_expected(*, night: str, device: str, now: datetime | None = None) -> None:
    """Undo the last `check_in_expected`, except for people who since played, or have a partner or a substitution.

    Raises what `at_desk` raises.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        session, rows = desk.session, checked_in_at_once(desk.night.id)
        names = dict(
            session.execute(
                select(PersonRow.id, PersonRow.public_id).where(PersonRow.id.in_([row.person_id for row in rows]))
            ).all()
        )
        begun = last_begun(session, desk.night.id)
        gone = [row for row in rows if row.from_round > begun]
        for row in gone:
            session.delete(row)
        if gone:
            desk.note(WENT, people=[names[row.person_id] for row in gone])


def checked_in_at_once(night: int) -> Collection[PresentRow]:
    """Return the people whom the last `check_in_expected` of a night (id) checked in; nobody once it was undone."""
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
