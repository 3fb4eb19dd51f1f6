"""Functions that plan nights, enter answers and make personal links, for tests of a league's calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from scorekeeper.leagues.calendar import links, service
from scorekeeper.leagues.calendar.settings import Details, GivenAnswer
from scorekeeper.leagues.core.access import person_at
from scorekeeper.leagues.core.models import AnswerRow, PersonalLinkRow, PersonRow, PlannedRow
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR

if TYPE_CHECKING:
    from tests.support.league_night import Hall

FIRST = datetime.now(UTC).date() + timedelta(days=10)


def plan(hall: Hall, day: date = FIRST, starts: int | None = 19 * 60, **told: str) -> str:
    """Plan a night and return its public id.

    `starts` is in minutes after midnight, or None for a night without a time. `told` has more details of
    the night, such as a note. The place is "Legion Hall" unless `told` has another place.
    """
    with hall.app.app_context():
        details = Details(day=day, starts=starts, **({"place": "Legion Hall"} | told))
        service.plan_nights(
            season=hall.season, days=[day], told=details, zone="America/New_York", device=DIRECTOR, another=True
        )
        return db.session.scalars(select(PlannedRow.public_id).order_by(PlannedRow.id.desc())).first() or ""


def reply(hall: Hall, planned: str, says: str, *names: str, **told: str) -> None:
    """Enter the answer `says` for each person in `names`, as a director does on the page of the planned night.

    `says` is "yes", for example. `told` has more details of the answer, such as a note.
    """
    with hall.app.app_context():
        for name in names:
            given = GivenAnswer(says, **told)
            service.answer_for(planned=planned, person=hall.people[name], told=given, device=DIRECTOR)


def link_of(hall: Hall, name: str, purpose: links.Purpose = links.PAGE) -> str:
    """Return the path of a person's personal page, including the token. Make the personal link if the person has none.

    If `purpose` is `links.CALENDAR`, return the path of the person's calendar instead.
    """
    with hall.app.app_context():
        person = hall.people[name]
        links.make_links(league=hall.league, people=[person], device=DIRECTOR)
        row = person_at(db.session(), person)
        link = db.session.get_one(PersonalLinkRow, row.id)
        token = links.token_of(row, link, purpose, str(hall.app.secret_key))
        return f"/me/{person}/calendar/{token}.ics" if purpose == links.CALENDAR else f"/me/{person}/{token}"


def answered(hall: Hall) -> dict[str, tuple[str, str, bool]]:
    """Return a dict of each player's answer, by the player's name.

    An answer is a tuple: what the player answers, the note, and whether a helper or director entered the answer.
    """
    with hall.app.app_context():
        query = select(PersonRow.name, AnswerRow).join(AnswerRow, AnswerRow.person_id == PersonRow.id)
        return {name: (row.says, row.note, row.by_desk) for name, row in db.session.execute(query)}
