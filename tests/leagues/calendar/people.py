"""A league with planned nights and a personal link, for the tests of feeds, answers and links."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper.leagues.calendar import answers, links, service
from scorekeeper.leagues.calendar.details import Details
from scorekeeper.leagues.calendar.replies import GivenAnswer
from scorekeeper.leagues.core.access import person_at
from scorekeeper.leagues.core.models import AnswerRow, PersonalLinkRow, PersonRow, PlannedRow
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR

if TYPE_CHECKING:
    from tests.support.league_night import Hall

FIRST = datetime.now(UTC).date() + timedelta(days=10)


def plan(hall: Hall, day: date = FIRST, starts: int | None = 19 * 60, **told: str) -> str:
    """Plan a night and return its public id."""
    with hall.app.app_context():
        details = Details(day=day, starts=starts, **({"place": "Legion Hall"} | told))
        service.plan_nights(
            season=hall.season, days=[day], told=details, zone="America/New_York", device=DIRECTOR, another=True
        )
        return db.session.scalars(select(PlannedRow.public_id).order_by(PlannedRow.id.desc())).first() or ""


def reply(hall: Hall, planned: str, says: str, *names: str, **told: str) -> None:
    """Let the desk enter the same answer for each of these people."""
    with hall.app.app_context():
        for name in names:
            given = GivenAnswer(says, **told)
            answers.answer_for(planned=planned, person=hall.people[name], told=given, device=DIRECTOR)


def link_of(hall: Hall, name: str, purpose: links.Purpose = links.PAGE) -> str:
    """Return the path behind somebody's personal link, or of their calendar; make one if they have none."""
    with hall.app.app_context():
        person = hall.people[name]
        links.make_links(league=hall.league, people=[person], device=DIRECTOR)
        row = person_at(db.session(), person)
        link = db.session.get_one(PersonalLinkRow, row.id)
        token = links.token_of(row, link, purpose, str(hall.app.secret_key))
        return f"/me/{person}/calendar/{token}.ics" if purpose == links.CALENDAR else f"/me/{person}/{token}"


def answered(hall: Hall) -> dict[str, tuple[str, str, bool]]:
    """Return each answer by the name of its person: what it says, its note, and whether the desk entered it."""
    with hall.app.app_context():
        query = select(PersonRow.name, AnswerRow).join(AnswerRow, AnswerRow.person_id == PersonRow.id)
        return {name: (row.says, row.note, row.by_desk) for name, row in db.session.execute(query)}
