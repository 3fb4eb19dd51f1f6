"""Settings of a season's schedule: its time zone and its usual place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from scorekeeper.rules.violation import RuleViolation

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


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
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
        return asdict(self)


def checked_zone(name: str) -> str:
    """Return `name` if it is the IANA name of a time zone. Raises `RuleViolation` otherwise."""
    if name not in _zones():
        raise RuleViolation("zone", "Choose a time zone such as America/New_York.", field="zone")
    return name


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
