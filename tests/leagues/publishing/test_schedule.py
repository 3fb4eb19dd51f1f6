"""The next nights of an open club, which its page, poster, embed, API and calendar show."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from icalendar import Calendar
from sqlalchemy import select

from scorekeeper.leagues.calendar.service import CANCELED, DELETED, plan_nights, set_state
from scorekeeper.leagues.calendar.settings import Details
from scorekeeper.leagues.core.models import PlannedRow
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from tests.leagues.publishing.conftest import Club

TODAY = datetime.now(UTC).date()
"""The date in UTC when the tests start. If midnight passes during the tests, this is the date of the day before."""


def plan(club: Club, *days: date, **details: Any) -> list[str]:
    """Plan nights at 7 p.m., and return the public ids of all planned nights in order of their dates.

    `details` replace details of the nights, such as the place.
    """
    with club.book():
        plan_nights(
            season=club.season.removeprefix("/seasons/"),
            days=days,
            told=Details(**{"day": days[0], "starts": 19 * 60, "place": "Legion Hall", **details}),
            zone="UTC",
            device=club.device,
        )
        return list(db.session.scalars(select(PlannedRow.public_id).order_by(PlannedRow.day)))


def change(club: Club, planned: str, state: str) -> None:
    """Set the state of a planned night: "canceled", "planned" or "deleted"."""
    with club.book():
        set_state(planned=planned, state=state, device=club.device)


def nights_of(club: Club) -> list[dict[str, Any]]:
    """Return the club's next nights as the API lists them."""
    told: list[dict[str, Any]] = json.loads(club.stranger.get(f"/api/1{club.path}/schedule").text)["nights"]
    return told


def test_every_surface_has_the_nights_to_come(club: Club) -> None:
    days = [TODAY + timedelta(days=each) for each in (3, 10, 17)]
    planned = plan(club, *days)
    change(club, planned[0], CANCELED)
    change(club, planned[2], DELETED)
    told = [(each["date"], each["time"], each["place"], each["canceled"]) for each in nights_of(club)]
    assert told == [
        (days[0].isoformat(), "19:00", "Legion Hall", True),
        (days[1].isoformat(), "19:00", "Legion Hall", False),
    ]
    for path in (club.path, f"{club.path}/poster", f"/embed/{club.slug}/schedule"):
        text = club.stranger.get(path).text
        assert "Legion Hall" in text, path
        assert not [each for each in planned if each in text], path
    calendar = Calendar.from_ical(club.stranger.get(f"{club.path}/calendar.ics").data)
    events = {str(event["uid"]).partition("@")[0]: str(event["status"]) for event in calendar.walk("VEVENT")}
    assert {each["id"] for each in nights_of(club)} <= events.keys()
    assert sorted(events.values()) == ["CANCELLED", "CANCELLED", "CONFIRMED"]


def test_what_is_over_is_not_in_the_schedule(club: Club) -> None:
    plan(club, TODAY - timedelta(days=3), TODAY + timedelta(days=3))
    assert [each["date"] for each in nights_of(club)] == [(TODAY + timedelta(days=3)).isoformat()]


def test_a_change_of_the_schedule_is_a_new_version(club: Club) -> None:
    phone = club.stranger
    before = phone.get(f"/embed/{club.slug}/schedule").headers["ETag"]
    (planned,) = plan(club, TODAY + timedelta(days=3))
    after = phone.get(f"/embed/{club.slug}/schedule").headers["ETag"]
    change(club, planned, CANCELED)
    assert len({before, after, phone.get(f"/embed/{club.slug}/schedule").headers["ETag"]}) == 3


def test_the_calendar_has_no_address_of_the_league(club: Club) -> None:
    planned = plan(club, TODAY + timedelta(days=3))
    response = club.stranger.get(f"{club.path}/calendar.ics")
    assert response.mimetype == "text/calendar"
    assert not [each for each in (*planned, club.league, club.season) if each in response.text]
    assert "http://localhost/clubs/fire-hall" in response.text
