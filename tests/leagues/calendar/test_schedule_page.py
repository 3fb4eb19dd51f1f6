"""The schedule of a season: nights are planned, moved, canceled, restored and deleted."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.models import NightRow, PlannedRow, SeasonRow
from scorekeeper.web.extensions import db
from tests.support.league_night import NAMES, Hall, open_hall
from tests.support.page import words
from tests.support.phone import Phone

if TYPE_CHECKING:
    from flask import Flask

FIRST = datetime.now(UTC).date() + timedelta(days=10)
ZONE = "America/New_York"
IN_A_WEEK = FIRST + timedelta(weeks=1)


def plan(hall: Hall, on: date = FIRST, status: int = 303, **fields: object) -> None:
    """Plan a night for the day `on` with the form on the schedule page.

    `fields` replace fields of the form or add to them. `status` is the expected status.
    """
    path = f"/seasons/{hall.season}/schedule"
    told: dict[str, object] = {
        "day": on.isoformat(),
        "starts": "19:00",
        "place": "Legion Hall",
        "zone": "America/New_York",
    }
    hall.desk.submit(hall.desk.see(path), path, status, **(told | fields))


def rows(hall: Hall) -> list[PlannedRow]:
    """Return all planned nights, in order of their dates."""
    with hall.app.app_context():
        return list(db.session.scalars(select(PlannedRow).order_by(PlannedRow.day, PlannedRow.id)))


def test_one_night_is_planned(app: Flask, client: Phone) -> None:
    """A night is planned with a date, a time, a place and a note.

    The place and the time zone are saved in the season. The form for the next night starts with the same place.
    """
    hall = open_hall(app, client)
    plan(hall, note="bring a dish")
    (row,) = rows(hall)
    assert (row.day, row.starts, row.place, row.note) == (FIRST, 19 * 60, "Legion Hall", "bring a dish")
    assert (row.state, row.sequence) == ("planned", 0)
    with app.app_context():
        season = db.session.scalars(select(SeasonRow).where(SeasonRow.public_id == hall.season)).one()
        assert season.schedule == {"zone": "America/New_York", "place": "Legion Hall"}
    shown = client.see(f"/seasons/{hall.season}/schedule")
    assert shown.form(f"/seasons/{hall.season}/schedule").values["place"] == "Legion Hall"
    assert "Legion Hall" in shown.text


def test_a_series_is_planned_without_the_removed_dates(app: Flask, client: Phone) -> None:
    """The page shows the dates of a series before saving, and plans only the dates that are still checked."""
    hall = open_hall(app, client)
    path = f"/seasons/{hall.season}/schedule"
    fields = {"day": FIRST.isoformat(), "starts": "19:00", "place": "Hall", "every": "1", "count": "8"}
    review = client.submit(client.see(path), path, 200, **fields)
    assert rows(hall) == []
    days = [FIRST + timedelta(weeks=number) for number in range(8)]
    boxes = [box.get("value") for box in review.all("input") if box.get("name") == "days"]
    assert boxes == [day.isoformat() for day in days]
    client.submit(review, path, days=[day.isoformat() for day in days if day != days[3]])
    assert [row.day for row in rows(hall)] == days[:3] + days[4:]
    assert {row.starts for row in rows(hall)} == {19 * 60}


def test_a_series_ends_on_its_last_date(app: Flask, client: Phone) -> None:
    """A series of nights can end on a given date instead of after a number of nights.

    Here the series has a night every second week.
    """
    hall = open_hall(app, client)
    path = f"/seasons/{hall.season}/schedule"
    until = (FIRST + timedelta(weeks=5)).isoformat()
    review = client.submit(client.see(path), path, 200, day=FIRST.isoformat(), every="2", until=until)
    boxes = [box.get("value") for box in review.all("input") if box.get("name") == "days"]
    assert boxes == [(FIRST + timedelta(weeks=weeks)).isoformat() for weeks in (0, 2, 4)]


def test_a_second_night_on_a_date_is_questioned(app: Flask, client: Phone) -> None:
    """A second night on the same date is refused at first, even if the first night was already played.

    The second night is planned if the form field `another` confirms it.
    """
    hall = open_hall(app, client)
    plan(hall)
    plan(hall, status=422)
    plan(hall, date(2026, 9, 1), status=422)
    assert len(rows(hall)) == 1
    plan(hall, another="1")
    assert len(rows(hall)) == 2


def test_wrong_details_are_refused(app: Flask, client: Phone) -> None:
    """A night with invalid details is refused, and nothing is planned."""
    hall = open_hall(app, client)
    wrong_ones: tuple[dict[str, object], ...] = (
        {"zone": "America/Nowhere"},
        {"starts": "25:00"},
        {"day": ""},
        {"place": "x" * 61},
        {"every": "1", "count": "0"},
        {"day": "2300-01-01"},
    )
    for wrong in wrong_ones:
        plan(hall, FIRST, 422, **wrong)
    assert rows(hall) == []


def test_a_night_is_moved_canceled_restored_and_deleted(app: Flask, client: Phone) -> None:
    """Each change to a planned night adds 1 to its sequence number and a line to the history.

    The night's id stays the same.
    """
    hall = open_hall(app, client)
    plan(hall)
    first = rows(hall)[0].public_id
    path = f"/planned/{first}"
    client.submit(client.see(path), path, day=IN_A_WEEK.isoformat(), starts="19:30")
    for state in ("canceled", "planned", "deleted", "planned"):
        client.submit(client.see(path), f"{path}/state", state=state)
        assert rows(hall)[0].state == state
    (row,) = rows(hall)
    assert (row.day, row.starts, row.sequence, row.public_id) == (IN_A_WEEK, 19 * 60 + 30, 5, first)
    history = client.see(f"/leagues/{hall.league}/log").text
    for word in ("planned a night", "moved the night", "canceled the night", "restored the night", "deleted"):
        assert word in history


def test_a_deleted_night_can_be_found_and_restored(app: Flask, client: Phone) -> None:
    """Only directors see a deleted night on the schedule, so that they can restore it."""
    hall = open_hall(app, client)
    plan(hall)
    path = f"/planned/{rows(hall)[0].public_id}"
    page = client.submit(client.see(path), f"{path}/state", state="deleted")
    assert page.path == f"/seasons/{hall.season}/schedule"
    assert path in [link.get("href") for link in page.all("a")]
    assert path not in Phone(app).get(f"/seasons/{hall.season}/schedule").text


def test_moving_onto_another_night_is_questioned(app: Flask, client: Phone) -> None:
    """Moving a night to the date of another night is refused unless the form confirms the move."""
    hall = open_hall(app, client)
    plan(hall)
    plan(hall, IN_A_WEEK)
    path = f"/planned/{rows(hall)[1].public_id}"
    client.submit(client.see(path), path, 422, day=FIRST.isoformat())
    client.submit(client.see(path), path, day=FIRST.isoformat(), another="1")
    assert [row.day for row in rows(hall)] == [FIRST, FIRST]


def test_opening_a_night_uses_the_planned_one(app: Flask, client: Phone) -> None:
    """The season's page offers to open a planned night.

    Once the night is open, the page of the planned night links to the desk, which is the page for running the night.
    If the open night is removed, the planned night no longer refers to an open night.
    """
    hall = open_hall(app, client)
    remove(hall)
    plan(hall)
    planned = rows(hall)[0].public_id
    season = client.see(f"/seasons/{hall.season}")
    assert "Open this night" in " ".join(words(each) for each in season.all("button"))
    path = f"/seasons/{hall.season}/nights"
    token = season.form(path).values["csrf_token"]
    opened = client.post(path, data={"csrf_token": token, "day": season.form(path).values["day"]})
    assert opened.location is not None
    night = opened.location.split("/")[2]
    assert f"/nights/{night}/desk" in client.see(f"/planned/{planned}").response.text
    client.submit(client.see(f"/planned/{planned}"), f"/planned/{planned}", 422, day=IN_A_WEEK.isoformat())
    desk = client.see(f"/nights/{night}/desk")
    client.submit(desk, f"/nights/{night}/removal")
    with app.app_context():
        assert db.session.scalars(select(PlannedRow.night_id)).one() is None
        assert db.session.scalars(select(NightRow.number).where(NightRow.public_id == night)).one() < 1


def remove(hall: Hall) -> None:
    """Remove the league's open night."""
    hall.desk.submit(hall.at_desk(), f"{hall.path}/removal")


@pytest.mark.slow
def test_the_next_night_is_shown_where_people_look(app: Flask, client: Phone) -> None:
    """The pages of the league, the season and a closed night show the next planned night, and so does the TV page.

    The home page and the list of leagues also show this night, but only on the device that runs the league.
    """
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:4])
    plan(hall, FIRST)
    plan(hall, IN_A_WEEK)
    path = f"/planned/{rows(hall)[0].public_id}"
    client.submit(client.see(path), f"{path}/state", state="canceled")
    for page in (f"/leagues/{hall.league}", f"/seasons/{hall.season}"):
        shown = client.see(page).response.text
        assert all(f"/planned/{row.public_id}" in shown for row in rows(hall))
    for page in ("/", "/leagues"):
        assert "Legion Hall" in client.see(page).text
        assert "Legion Hall" not in Phone(app).see(page).text
    assert "/planned/" not in client.see(hall.path).response.text
    client.submit(hall.at_desk(), f"{hall.path}/closing")
    assert "/planned/" in client.see(hall.path).response.text
    assert "Legion Hall" in client.see(f"{hall.path}/tv").text


def test_strangers_only_read(app: Flask, client: Phone) -> None:
    """On a phone without a role in the league, planned nights are shown without forms."""
    hall = open_hall(app, client)
    plan(hall)
    other = Phone(app)
    assert not other.see(f"/seasons/{hall.season}/schedule").all("form")
    assert not other.see(f"/planned/{rows(hall)[0].public_id}").all("form")


def test_another_time_zone_changes_all_nights(app: Flask, client: Phone) -> None:
    """When the season's time zone changes, each night that was already planned gets a new sequence number.

    The new sequence number makes calendar apps fetch the new times.
    """
    hall = open_hall(app, client)
    plan(hall)
    plan(hall, IN_A_WEEK, zone="America/Chicago")
    assert [row.sequence for row in rows(hall)] == [1, 0]


def test_a_repeated_request_plans_once(app: Flask, client: Phone) -> None:
    """Sending the same form twice plans one night."""
    hall = open_hall(app, client)
    path = f"/seasons/{hall.season}/schedule"
    page = client.see(path)
    for _time in range(2):
        client.submit(page, path, day=FIRST.isoformat(), another="1")
    assert len(rows(hall)) == 1


@pytest.mark.slow
def test_a_season_with_nights_ahead_is_not_closed(app: Flask, client: Phone) -> None:
    """A season with a planned night ahead can't be closed, because people's calendars would still show the night.

    A canceled night doesn't prevent closing.
    """
    hall = open_hall(app, client)
    remove(hall)
    plan(hall)
    season, path = f"/seasons/{hall.season}", f"/planned/{rows(hall)[0].public_id}"
    client.submit(client.see(season), f"{season}/closing", 422)
    client.submit(client.see(path), f"{path}/state", state="canceled")
    client.submit(client.see(season), f"{season}/closing")
    assert not client.see(path).all("button", name="another")
