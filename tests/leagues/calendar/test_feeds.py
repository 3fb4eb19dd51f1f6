"""Calendar files, which are valid by RFC 5545 and keep the ids of their events when planned nights are changed."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from itertools import product
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

import pytest
from icalendar import Calendar

from scorekeeper.leagues.calendar import links, service
from scorekeeper.leagues.calendar.feed import LASTS, FeedNight, calendar_file
from scorekeeper.leagues.calendar.settings import Details, begins_at
from scorekeeper.rules.phrase import RuleViolation
from tests.leagues.calendar.people import FIRST, link_of, plan, reply
from tests.support.league_night import DIRECTOR, open_hall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flask import Flask

    from tests.support.league_night import Hall
    from tests.support.phone import Phone

ONCE = ("UID", "DTSTAMP", "DTSTART", "SEQUENCE", "STATUS", "SUMMARY", "CREATED", "LAST-MODIFIED", "DTEND")
UTC_TIME = re.compile(r"\d{8}T\d{6}Z")


def read(client: Phone, path: str) -> Any:
    """Return the parsed calendar at `path`, after checking its text against RFC 5545."""
    response = client.get(path)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    text = response.get_data(as_text=True)
    assert text.endswith("\r\n")
    lines = text.split("\r\n")
    assert not any("\n" in line or "\r" in line for line in lines)
    assert max(len(line.encode()) for line in lines) <= 75  # 3.1: folded after 75 octets
    calendar = Calendar.from_ical(text)
    assert not calendar.errors
    assert (calendar["VERSION"], bool(calendar["PRODID"])) == ("2.0", True)  # 3.6
    zones = {str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")}
    for event in calendar.walk("VEVENT"):
        assert not event.errors
        assert all(not isinstance(event[key], list) for key in ONCE)
        for key in ("DTSTAMP", "CREATED", "LAST-MODIFIED"):
            moment: Any = event[key]
            assert UTC_TIME.fullmatch(moment.to_ical().decode()), key
        zone = event["DTSTART"].params.get("TZID")
        assert zone in zones or event["DTSTART"].params.get("VALUE") == "DATE"  # 3.2.19: each TZID has its VTIMEZONE
    return calendar


def events(client: Phone, path: str) -> dict[str, Any]:
    """Return the events of the calendar at `path`, as a dict by UID."""
    return {str(event["UID"]): event for event in read(client, path).walk("VEVENT")}


def path_of(hall: Hall) -> str:
    """Return the address of the league's calendar."""
    return f"/leagues/{hall.league}/calendar.ics"


def test_a_calendar_is_valid(app: Flask, client: Phone) -> None:
    """A league's calendar is valid without nights, and with nights that have or lack a starting time.

    The calendar is also valid if a place or a note has characters to escape, or is so long that its line is folded.
    """
    hall = open_hall(app, client)
    assert read(client, path_of(hall)).walk("VEVENT") == []
    plan(hall, place="Légion; Hall, 5\\7 – ♠ Ünïcode Röad at the very far end", note='Bring: "a dish", please; ' * 6)
    plan(hall, FIRST + timedelta(days=7), starts=None)
    timed, whole = sorted(events(client, path_of(hall)).values(), key=lambda event: str(event["DTSTART"].dt))
    assert str(timed["LOCATION"]) == "Légion; Hall, 5\\7 – ♠ Ünïcode Röad at the very far end"
    assert str(timed["DESCRIPTION"]) == ('Bring: "a dish", please; ' * 6).strip()
    assert timed["DTSTART"].dt.hour == 19
    assert str(timed["URL"]).startswith("http://localhost/planned/")
    assert (whole["DTSTART"].dt, whole["DTEND"].dt) == (FIRST + timedelta(days=7), FIRST + timedelta(days=8))


def night_at(zone: str, day: date, starts: int) -> FeedNight:
    """Return a night on `day` in the time zone `zone`. `starts` is in minutes after midnight."""
    then = datetime(2026, 11, 28, tzinfo=UTC)
    return FeedNight(
        f"{zone}-{day}-{starts}",
        "Night",
        zone,
        day,
        starts,
        "",
        "",
        canceled=False,
        sequence=0,
        made_at=then,
        changed_at=then,
    )


def nights_in(zone: str, days: Iterable[int]) -> list[FeedNight]:
    """Return nights at 7:30 PM and 11:30 PM on these days of each month of three years."""
    return [
        night_at(zone, date(year, month, day), starts)
        for year, month, day, starts in product((2027, 2028, 2029), range(1, 13), days, (1170, 1410))
    ]


def test_a_reader_that_knows_no_time_zones_has_each_night_at_its_time() -> None:
    """The offset is that of the last part that has begun, and each part begins once, at the local time before it."""
    zones = sorted(available_timezones())[::40]
    assert len(zones) > 10
    for zone in zones:
        nights = nights_in(zone, (28,))
        calendar: Any = Calendar.from_ical(calendar_file("Fire", nights, str))
        parts = [part for each in calendar.walk("VTIMEZONE") for part in each.subcomponents]
        assert all("RDATE" not in part and "RRULE" not in part for part in parts)
        for night, event in zip(nights, calendar.walk("VEVENT"), strict=True):
            begins = begins_at(night.day, night.starts or 0, zone).astimezone(UTC)
            for key, moment in (("DTSTART", begins), ("DTEND", begins + LASTS)):
                local = event[key].dt.replace(tzinfo=None)
                begun = [part for part in parts if part["DTSTART"].dt <= local and "TZID" in event[key].params]
                offset = begun[-1]["TZOFFSETTO"].td if begun else timedelta()
                assert local - offset == moment.replace(tzinfo=None), (zone, night.id, key)


@pytest.mark.parametrize(
    ("day", "starts", "begins", "ends"),
    [
        # In New York, the clock goes from 2 to 3 on March 14, 2027, and from 2 back to 1 on November 7.
        (date(2027, 3, 13), 23 * 60 + 30, "20270313T233000", "20270314T033000"),
        (date(2027, 3, 14), 2 * 60 + 30, "20270314T033000", "20270314T063000"),
        (date(2027, 11, 6), 22 * 60 + 30, "20271106T223000", "20271107T053000Z"),
        (date(2027, 11, 7), 90, "20271107T053000Z", "20271107T033000"),
    ],
)
def test_a_night_lasts_three_hours_also_when_clocks_change(day: date, starts: int, begins: str, ends: str) -> None:
    """An hour that doesn't exist begins later, and in an hour that a clock shows twice, the time is in UTC."""
    night = night_at("America/New_York", day, starts)
    calendar: Any = Calendar.from_ical(calendar_file("Fire", [night], str))
    (event,) = calendar.walk("VEVENT")
    assert [event[key].to_ical().decode() for key in ("DTSTART", "DTEND")] == [begins, ends]


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n", "\x08", "\u2028"])
def test_a_name_adds_no_line_to_a_calendar(end: str) -> None:
    """In the calendar file, line breaks and control characters in a league's name are replaced by spaces."""
    written = calendar_file(f"Fire{end}X-INJECTED:1", [], str).decode()
    assert f"X-WR-CALNAME:Fire{' ' * len(end)}X-INJECTED:1\r\n" in written


@pytest.mark.parametrize("day", [date(1, 1, 1), date(1999, 12, 31), date(2200, 1, 1), date.max])
def test_no_night_is_planned_in_a_year_that_calendars_cannot_show(day: date) -> None:
    with pytest.raises(RuleViolation) as refused:
        Details(day=day).checked()
    assert refused.value.field == "day"


def test_uids_stay_and_the_sequence_grows_over_five_changes(app: Flask, client: Phone) -> None:
    """When a night is changed five times, its UID stays the same.

    Each change raises the night's sequence number and its time of the last change. A canceled or deleted night stays in
    the calendar as canceled.
    """
    hall = open_hall(app, client)
    planned = plan(hall)
    other = plan(hall, FIRST + timedelta(days=7))
    seen = [events(client, path_of(hall))]
    at: dict[str, Any] = {"planned": planned, "device": DIRECTOR}
    moved = Details(day=FIRST + timedelta(days=1), starts=19 * 60, place="Legion Hall")
    changes: tuple[Callable[[datetime], None], ...] = (
        lambda now: service.change_night(**at, told=moved, now=now),
        lambda now: service.change_night(**at, told=Details(day=moved.day, starts=1170, place="Elks"), now=now),
        lambda now: service.set_state(**at, state="canceled", now=now),
        lambda now: service.set_state(**at, state="planned", now=now),
        lambda now: service.set_state(**at, state="deleted", now=now),
    )
    for number, change in enumerate(changes, 1):
        with app.app_context():
            change(datetime.now(UTC) + timedelta(minutes=number))
        seen.append(events(client, path_of(hall)))
    mine, uid = f"{planned}@setback-scorekeeper", f"{other}@setback-scorekeeper"
    assert [set(each) for each in seen] == [{mine, uid}] * 6
    assert [int(each[mine]["SEQUENCE"]) for each in seen] == [0, 1, 2, 3, 4, 5]
    changed = [each[mine]["LAST-MODIFIED"].dt for each in seen]
    assert changed == sorted(set(changed))
    states = [str(each[mine]["STATUS"]) for each in seen]
    assert states == ["CONFIRMED"] * 3 + ["CANCELLED", "CONFIRMED", "CANCELLED"]
    assert {each[uid].to_ical() for each in seen} == {seen[0][uid].to_ical()}


def test_an_unchanged_calendar_is_not_sent_again(app: Flask, client: Phone) -> None:
    """A second request for the calendar of a league or a player gets status 304, unless a planned night has changed."""
    hall = open_hall(app, client)
    planned = plan(hall)
    for path in (path_of(hall), link_of(hall, "Ann", links.CALENDAR)):
        tag = client.get(path).headers["ETag"]
        again = client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")
        with app.app_context():
            service.change_night(planned=planned, told=Details(day=FIRST, note=path), device=DIRECTOR)
        changed = client.get(path, headers={"If-None-Match": tag})
        assert changed.status_code == 200
        assert changed.headers["ETag"] != tag


def test_the_calendar_of_a_league_is_shared_and_sets_no_cookie(app: Flask, client: Phone) -> None:
    """A league's calendar sets no cookie and is the same for everybody, so caches can share it."""
    hall = open_hall(app, client)
    response = app.test_client().get(path_of(hall))
    assert "Set-Cookie" not in response.headers
    assert response.headers["Cache-Control"] == "public, no-cache"


def test_only_the_personal_calendar_reminds(app: Flask, client: Phone) -> None:
    """Only a player's own calendar has reminders.

    A canceled night has no reminder, and neither does a night to which the player answered no.
    """
    hall = open_hall(app, client)
    first, second, third = (plan(hall, FIRST + timedelta(weeks=number)) for number in range(3))
    reply(hall, second, "no", "Ann")
    with app.app_context():
        service.set_state(planned=third, state="canceled", device=DIRECTOR)
    own = events(client, link_of(hall, "Ann", links.CALENDAR))
    alarms = {uid.partition("@")[0]: event.walk("VALARM") for uid, event in own.items()}
    assert {uid: len(each) for uid, each in alarms.items()} == {first: 1, second: 0, third: 0}
    (alarm,) = alarms[first]
    assert (str(alarm["ACTION"]), bool(alarm["DESCRIPTION"]), alarm["TRIGGER"].dt) == (
        "DISPLAY",
        True,
        -timedelta(hours=3),
    )
    assert str(own[f"{second}@setback-scorekeeper"]["TRANSP"]) == "TRANSPARENT"
    assert not any(event.walk("VALARM") for event in events(client, path_of(hall)).values())


def test_a_token_opens_only_what_it_is_for(app: Flask, client: Phone) -> None:
    """The token of a personal calendar doesn't open the personal page, and the page's token doesn't open the calendar.

    A calendar app may pass the calendar's token on to its own server.
    """
    hall = open_hall(app, client)
    page, calendar = link_of(hall, "Ann"), link_of(hall, "Ann", links.CALENDAR)
    token = calendar.rpartition("/")[2].removesuffix(".ics")
    client.see(page.rpartition("/")[0] + f"/{token}", 404)
    assert client.get(f"{page.rpartition('/')[0]}/calendar/{page.rpartition('/')[2]}.ics").status_code == 404
