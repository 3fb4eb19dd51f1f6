"""Describe planned nights: place, time zone, series, and the answers that players give.

Settings of a season's schedule: its time zone and its usual place.

The dates of a series of nights, such as every Thursday.

The details that a director enters for a planned night.

The answers that a player can give about a planned night.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from babel.core import get_global
from msgspec import Struct, structs

from scorekeeper.i18n.catalog import N_
from scorekeeper.rules.phrase import Phrase, RuleViolation

USUAL = "America/New_York"
"""Time zone of a season until a director's browser sends another: that of New England, where Setback is popular."""
HINTS = (
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Phoenix",
    "America/Los_Angeles",
    "America/Anchorage",
    "Pacific/Honolulu",
    "America/Halifax",
    "America/Toronto",
    "America/Winnipeg",
    "America/Vancouver",
    "America/Mexico_City",
    "America/Port_of_Spain",
    "Europe/London",
    "Europe/Madrid",
    "Europe/Paris",
)
"""Time zones suggested to a director who types the name of one."""
PLACE_LENGTH = 60
DAY_MINUTES = 24 * 60


class ScheduleSettings(Struct, frozen=True):
    """The time zone (IANA name) and the usual place of a season's nights."""

    zone: str = USUAL
    place: str = ""

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> ScheduleSettings:
        """Parse the settings in `data`. None means default settings. Raises `RuleViolation` for invalid data."""
        if data is None:
            return cls()
        zone, place = data.get("zone"), data.get("place", "")
        if type(zone) is not str or type(place) is not str or len(place) > PLACE_LENGTH:
            raise RuleViolation("zone", "Choose a time zone such as America/New_York.", field="zone")
        return cls(checked_zone(zone), place)

    def to_json(self) -> dict[str, str]:
        """Return the settings as a JSON object for `from_json`."""
        return structs.asdict(self)


def checked_zone(name: str) -> str:
    """Return the current IANA name of the time zone `name`, or raise `RuleViolation` if it isn't one.

    Browsers still say Europe/Kiev for Europe/Kyiv, and some calendar servers know only the new name.
    """
    if name not in _zones():
        raise RuleViolation("zone", "Choose a time zone such as America/New_York.", field="zone")
    renamed: str = get_global("zone_aliases").get(name, name)
    return renamed if "/" in name and renamed in _zones() else name


def today_in(zone: str, now: datetime | None = None) -> date:
    """Return the current date in a time zone (IANA name). If `now` is given, use it as the current time."""
    return (now or datetime.now(UTC)).astimezone(ZoneInfo(zone)).date()


def begins_at(day: date, starts: int, zone: str) -> datetime:
    """Return the moment on `day` when a clock in the time zone `zone` shows `starts` minutes after midnight.

    In an hour that the clock skips, the result is an hour later by that clock.
    """
    wall = datetime.combine(day, time(), ZoneInfo(zone)) + timedelta(minutes=starts)
    return wall.astimezone(UTC).astimezone(wall.tzinfo)


@cache
def _zones() -> frozenset[str]:
    return frozenset(name for name in available_timezones() if "/" in name or name == "UTC")


MOST = 60
"""Most nights in one series."""
FIRST = date(2000, 1, 1)
FAR = date(2200, 1, 1)
"""Nights can be planned only for dates before this date."""


def dates(first: date, weeks: int, *, until: date | None = None, count: int | None = None) -> tuple[date, ...]:
    """Return the dates of a series that starts at `first` and continues every `weeks` weeks.

    The series ends at `until` (inclusive) or after `count` dates, whichever is earlier, and never has more than `MOST`
    dates. If `weeks` is 0, or if both `until` and `count` are None, only `first` is returned.
    """
    if weeks < 1 or (until is None and count is None):
        return (first,)
    last = min(until or FAR, FAR - timedelta(days=1))
    steps = range(min(MOST if count is None else count, MOST))
    # Compared in days, because a date may not leave the calendar.
    fits = (number for number in steps if number * weeks * 7 <= (last - first).days)
    return tuple(first + timedelta(weeks=weeks * number) for number in fits)


NOTE_LENGTH = 200


class Details(Struct, frozen=True, kw_only=True):
    """The details of a planned night. `starts` is in minutes after midnight, or None if no time is given."""

    day: date
    starts: int | None = None
    place: str = ""
    note: str = ""

    def checked(self) -> Details:
        """Return the details without spaces around place and note. Raises `RuleViolation` if a detail is invalid."""
        if not FIRST <= self.day < FAR:
            raise RuleViolation("day", "Choose a date from 2000 to 2199.", field="day")
        if self.starts is not None and self.starts not in range(DAY_MINUTES):
            raise RuleViolation("starts", "Write the time as 19:00.", field="starts")
        place, said = self.place.strip(), self.note.strip()
        for text, field, most in ((place, "place", PLACE_LENGTH), (said, "note", NOTE_LENGTH)):
            if len(text) > most:
                raise RuleViolation("long", Phrase("Use at most %(most)s characters.", most=most), field=field)
        return Details(day=self.day, starts=self.starts, place=place, note=said)


def clock(minutes: int) -> time:
    """Return the time of day that is `minutes` after midnight."""
    return time(*divmod(minutes, 60))


YES, NO, MAYBE, SUBSTITUTE = "yes", "no", "maybe", "substitute"
ANSWER_NOTE_LENGTH = 100


class Reply(Struct, frozen=True):
    """One of the answers to the question whether a player will come to a planned night.

    `button` is the label of the button. `heading` is the heading above the players who gave this answer. `at_desk` is
    the wording at check-in.
    """

    button: str
    heading: str
    at_desk: str


REPLIES: Mapping[str, Reply] = {
    YES: Reply(N_("Yes"), N_("Coming"), N_("said yes")),
    MAYBE: Reply(N_("Maybe"), N_("Maybe"), N_("said maybe")),
    NO: Reply(N_("No"), N_("Not coming"), N_("said no")),
    SUBSTITUTE: Reply(N_("I need a substitute"), N_("Need a substitute"), N_("needs a substitute")),
}
"""All answers by key, in the order of the buttons."""


class GivenAnswer(Struct, frozen=True):
    """An answer that a player entered, or that a helper entered for a player.

    `says` is a key of `REPLIES`. `sub` is the typed name of the substitute, or "".
    """

    says: str
    sub: str = ""
    note: str = ""
