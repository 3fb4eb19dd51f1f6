"""Correcting the date of a night, with a reason, whether it is open or closed."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.leagues.calendar import service as planning
from scorekeeper.leagues.calendar.settings import Details
from scorekeeper.leagues.core.access import NotAllowedError, night_at
from scorekeeper.leagues.core.models import LeagueEventRow, PlannedRow
from scorekeeper.leagues.nights import closing, opening
from scorekeeper.leagues.nights import service as nights
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, Hall, open_hall

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with an open night on September 1, 2026."""
    return open_hall(app, client)


def move(hall: Hall, day: date, **more: Any) -> None:
    told: dict[str, Any] = {"night": hall.night, "day": day, "reason": "Entered on Saturday", "device": DIRECTOR} | more
    opening.move_night(**told)


def days(hall: Hall) -> tuple[date, list[tuple[date, bool]]]:
    """Return the date of the night, and the date of each planned night with whether it is this night."""
    night = night_at(db.session(), hall.night)
    planned = db.session.scalars(select(PlannedRow).order_by(PlannedRow.day, PlannedRow.id))
    return night.day, [(row.day, row.night_id == night.id) for row in planned]


def plan(hall: Hall, *dates: date) -> None:
    details = Details(day=dates[0])
    planning.plan_nights(season=hall.season, told=details, days=dates, zone="UTC", device=DIRECTOR)


def test_a_closed_night_moves_to_another_date_with_a_reason(hall: Hall) -> None:
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR)
    page = hall.at_desk()
    assert page.form(f"{hall.path}/date").values["day"] == "2026-09-01"
    refused = hall.desk.submit(page, f"{hall.path}/date", 422, day="2026-08-27", reason=" ")
    assert "Enter a reason for the new date." in refused.text
    page = hall.desk.submit(page, f"{hall.path}/date", day="2026-08-27", reason="Played on Thursday")
    assert "August 27, 2026" in page.text
    with hall.app.app_context():
        assert night_at(db.session(), hall.night).day == date(2026, 8, 27)
        line = db.session.scalars(select(LeagueEventRow).where(LeagueEventRow.kind == "night_moved")).one()
        assert (line.data["before"], line.data["after"]) == ("2026-09-01", "2026-08-27")
    history = hall.desk.see(f"/leagues/{hall.league}/log").text
    assert "corrected the date of the night" in history
    assert "Played on Thursday" in history


def test_a_date_that_cannot_be_is_refused(hall: Hall) -> None:
    with hall.app.app_context():
        nights.open_night(season=hall.season, day=date(2026, 9, 8), device=DIRECTOR)
        with pytest.raises(RuleViolation, match="Night 2 already has this date"):
            move(hall, date(2026, 9, 8))
        with pytest.raises(RuleViolation, match="from 2000 to 2199"):
            move(hall, date(9999, 12, 31))
        with pytest.raises(NotAllowedError):
            move(hall, date(2026, 9, 2), device="s" * 64)
        move(hall, date(2026, 9, 8), another=True)
        assert days(hall)[0] == date(2026, 9, 8)


def test_the_plan_follows_the_corrected_date(hall: Hall) -> None:
    """A night moved to a planned date is the planned night. If nothing is planned then, its own plan moves along."""
    thursday, friday = date(2026, 9, 3), date(2026, 9, 4)
    with hall.app.app_context():
        plan(hall, thursday)
        assert days(hall) == (date(2026, 9, 1), [(thursday, False)])
        move(hall, thursday)
        assert days(hall) == (thursday, [(thursday, True)])
        move(hall, friday)
        assert days(hall) == (friday, [(friday, True)])
        plan(hall, date(2026, 9, 10))
        move(hall, date(2026, 9, 10))
        assert days(hall) == (date(2026, 9, 10), [(friday, False), (date(2026, 9, 10), True)])
