"""Write planned nights as a calendar file (iCalendar, RFC 5545)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from icalendar import Alarm, Calendar, Event

from scorekeeper.leagues.calendar.settings import begins_at

PRODUCT = "-//Setback Scorekeeper//Nights//EN"
UID_AT = "setback-scorekeeper"
"""Text after the "@" in each event's UID. It isn't a host name, so that UIDs stay the same if the server moves."""
LASTS = timedelta(hours=3)
"""Length of every night in calendars, because directors plan only when a night starts."""
ASK_AGAIN = timedelta(hours=6)
REMIND_BEFORE = timedelta(hours=3)
REMIND_DAY_BEFORE = timedelta(hours=14)
"""Time from the reminder to the start of the date, for a night without a start time.

The reminder is shown at 10 AM on the day before.
"""


@dataclass(frozen=True, slots=True)
class FeedNight:
    """A planned night for a calendar file.

    `day` is the date in the time zone `zone`. `starts` is the local time in minutes after midnight, or None for a night
    without a time. `sequence` is the number of changes so far. `made_at` and `changed_at` are in UTC.
    """

    id: str
    title: str
    zone: str
    day: date
    starts: int | None
    place: str
    note: str
    canceled: bool
    sequence: int
    made_at: datetime
    changed_at: datetime
    free: bool = False
    """True if the calendar's owner declined the night. It then appears as free time and has no reminder."""


def calendar_file(
    name: str, nights: Sequence[FeedNight], address: Callable[[str], str], *, reminder: str = ""
) -> bytes:
    """Return `nights` as a calendar file with the name `name`. The same nights always give the same bytes.

    `address` takes the id of a night and returns the address of its page. If `reminder` is given, each night
    that isn't canceled and that the player hasn't declined has an alarm with that text.
    """
    calendar = Calendar()
    for key, value in (("prodid", PRODUCT), ("version", "2.0"), ("calscale", "GREGORIAN"), ("method", "PUBLISH")):
        calendar.add(key, value)
    # The library escapes no line breaks in a property that it doesn't know.
    calendar.add("x-wr-calname", "".join(char if char.isprintable() else " " for char in name))
    calendar.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT6H")
    for night in nights:
        calendar.add_component(_event(night, address(night.id), reminder))
    if nights:
        years = [night.day.year for night in nights]
        calendar.add_missing_timezones(first_date=date(min(years), 1, 1), last_date=date(max(years) + 1, 12, 31))
    written: bytes = calendar.to_ical()
    return written


def _event(night: FeedNight, address: str, reminder: str) -> Event:
    event = Event()
    event.add("uid", f"{night.id}@{UID_AT}")
    event.add("sequence", night.sequence)
    event.add("dtstamp", night.changed_at)
    event.add("created", night.made_at)
    event.add("last-modified", night.changed_at)
    event.add("summary", night.title)
    for key, value in _when(night).items():
        event.add(key, value)
    event.add("status", "CANCELLED" if night.canceled else "CONFIRMED")
    event.add("transp", "TRANSPARENT" if night.free or night.canceled else "OPAQUE")
    event.add("url", address)
    for key, text in (("location", night.place), ("description", night.note)):
        if text:
            event.add(key, text)
    if reminder and not night.canceled and not night.free:
        event.add_component(_alarm(night, reminder))
    return event


def _when(night: FeedNight) -> dict[str, Any]:
    if night.starts is None:
        return {"dtstart": night.day, "dtend": night.day + timedelta(days=1)}
    begins = begins_at(night.day, night.starts, night.zone)
    return {"dtstart": begins, "dtend": begins + LASTS}


def _alarm(night: FeedNight, reminder: str) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", reminder)
    alarm.add("trigger", -(REMIND_DAY_BEFORE if night.starts is None else REMIND_BEFORE))
    return alarm
