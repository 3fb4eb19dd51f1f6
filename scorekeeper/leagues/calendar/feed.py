"""Write planned nights as a calendar file (iCalendar, RFC 5545)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from scorekeeper.leagues.calendar.settings import begins_at

if TYPE_CHECKING:
    from icalendar import Alarm, Event, Timezone

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


class FeedNight(Struct, frozen=True):
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
    from icalendar import Calendar  # here and below, because the first page doesn't need it

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
        span = range(min(years), max(years) + 2)
        calendar.subcomponents[:0] = [_time_zone(zone, span) for zone in sorted(calendar.get_used_tzids())]
    written: bytes = calendar.to_ical()
    return written


def _event(night: FeedNight, address: str, reminder: str) -> Event:
    from icalendar import Event

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
    ends = (begins.astimezone(UTC) + LASTS).astimezone(begins.tzinfo)
    return {"dtstart": _unmistakable(begins), "dtend": _unmistakable(ends)}


def _unmistakable(moment: datetime) -> datetime:
    """Return `moment`, in UTC if its local clock shows that time twice: programs differ in which one they take."""
    other = moment.replace(fold=1 - moment.fold)
    return moment if moment.utcoffset() == other.utcoffset() else moment.astimezone(UTC)


def _time_zone(zone: str, years: range) -> Timezone:
    """Return the offsets of `zone` in `years`, one part for each change, at the local time before that change.

    The library's own parts list several changes as RDATEs, of which ical.js 2.2.1 reads only the second.
    """
    from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

    component = Timezone()
    component.add("tzid", zone)
    for moment, before in _offset_changes(zone, years):
        after = moment.astimezone(ZoneInfo(zone))
        part = TimezoneDaylight() if after.dst() else TimezoneStandard()
        part.add("dtstart", (moment + before).replace(tzinfo=None))
        part.add("tzoffsetfrom", before)
        part.add("tzoffsetto", after.utcoffset())
        part.add("tzname", after.tzname())
        component.add_component(part)
    return component


@lru_cache(maxsize=64)
def _offset_changes(zone: str, years: range) -> list[tuple[datetime, timedelta]]:
    """Return when the UTC offset of `zone` changes (UTC), with the offset before, from the start of `years` on."""
    here = ZoneInfo(zone)

    def offset(moment: datetime) -> timedelta:
        return moment.astimezone(here).utcoffset() or timedelta()

    start = datetime(years.start, 1, 1, tzinfo=here).astimezone(UTC)
    found = [(start, offset(start))]
    for day in range((date(years.stop, 1, 1) - date(years.start, 1, 1)).days):
        low, high = start + timedelta(days=day), start + timedelta(days=day + 1)
        before = offset(low)
        if before == offset(high):
            continue
        while high - low > timedelta(seconds=1):
            middle = low + (high - low) // 2
            low, high = (middle, high) if offset(middle) == before else (low, middle)
        found.append((high.replace(microsecond=0), before))
    return found


def _alarm(night: FeedNight, reminder: str) -> Alarm:
    from icalendar import Alarm

    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", reminder)
    alarm.add("trigger", -(REMIND_DAY_BEFORE if night.starts is None else REMIND_BEFORE))
    return alarm
