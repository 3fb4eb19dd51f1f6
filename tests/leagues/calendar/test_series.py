"""The dates of a series of planned nights, and the settings of a season's schedule, such as the time zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.leagues.calendar.settings import (
    FAR,
    HINTS,
    MOST,
    ScheduleSettings,
    begins_at,
    checked_zone,
    dates,
    today_in,
)
from scorekeeper.rules.phrase import RuleViolation

DAYS = st.dates(date(2020, 1, 1), FAR - timedelta(days=1))


@given(DAYS, st.integers(0, 4), st.none() | DAYS, st.none() | st.integers(1, 100))
def test_a_series_keeps_its_step_and_its_limits(first: date, weeks: int, until: date | None, count: int | None) -> None:
    """The dates of a series are `weeks` weeks apart. The series ends at the date `until` or after `count` dates.

    Without any limit, or with `weeks` 0, the series has only the first date.
    """
    told = dates(first, weeks, until=until, count=count)
    if weeks == 0 or (until is None and count is None):
        assert told == (first,)
        return
    step = timedelta(weeks=weeks)
    assert all(later - earlier == step for earlier, later in pairwise(told))
    last, most = min(until or FAR, FAR - timedelta(days=1)), min(count or MOST, MOST)
    assert len(told) <= most
    assert all(first <= day <= last for day in told)
    assert len(told) == most or not told or told[-1] + step > last


def test_nights_of_the_issue() -> None:
    """A series of eight Thursdays from December 3, 2026 ends on January 21, 2027."""
    told = dates(date(2026, 12, 3), 1, count=8)
    assert (len(told), told[-1], {day.weekday() for day in told}) == (8, date(2027, 1, 21), {3})


def test_a_night_starts_by_the_clock_on_the_wall() -> None:
    """A night's local starting time stays the same when daylight saving time begins or ends."""
    for day, hours in ((date(2026, 7, 2), 4), (date(2026, 12, 3), 5)):
        begins = begins_at(day, 19 * 60, "America/New_York")
        assert (begins.hour, begins.utcoffset()) == (19, -timedelta(hours=hours))


def test_unknown_time_zones_are_refused() -> None:
    """Unknown time zones are refused, even in the schedule settings of an import.

    Each zone that the form suggests is accepted.
    """
    assert [checked_zone(name) for name in HINTS] == list(HINTS)
    for wrong in ("", "Mars/Olympus", "../etc/passwd", "localtime"):
        with pytest.raises(RuleViolation):
            checked_zone(wrong)
    for data in ({"zone": 7}, {"zone": "UTC", "place": None}, {"zone": "UTC", "place": "x" * 61}):
        with pytest.raises(RuleViolation):
            ScheduleSettings.from_json(data)


def test_renamed_zone_gets_its_new_name_and_keeps_its_time() -> None:
    """Browsers say Europe/Kiev. sabre/vobject 4.6.0 knows only Europe/Kyiv, and takes the server's zone for others."""
    renamed = {zone: checked_zone(zone) for zone in available_timezones() if "/" in zone}
    renamed = {old: new for old, new in renamed.items() if old != new}
    assert renamed["Europe/Kiev"] == "Europe/Kyiv"
    assert renamed["America/Thunder_Bay"] == "America/Toronto"
    assert ScheduleSettings.from_json({"zone": "America/Godthab"}).zone == "America/Nuuk"
    assert checked_zone("UTC") == "UTC"
    for old, new in renamed.items():
        assert checked_zone(new) == new
        for month in range(1, 13):
            noon = datetime(2027, month, 15, 12, tzinfo=UTC)
            assert noon.astimezone(ZoneInfo(old)).utcoffset() == noon.astimezone(ZoneInfo(new)).utcoffset(), old


def test_a_schedule_reads_back_what_it_wrote() -> None:
    told = ScheduleSettings("America/Chicago", "Legion Hall")
    assert ScheduleSettings.from_json(told.to_json()) == told
    assert ScheduleSettings.from_json(None) == ScheduleSettings()
    assert today_in("Pacific/Honolulu") <= today_in("Pacific/Auckland")
