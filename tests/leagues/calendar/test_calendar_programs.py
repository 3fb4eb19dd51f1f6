"""Calendar programs have each night of our feeds at its time, also a canceled, a moved and an all-day one.

The versions are ical.js 2.2.1 (Thunderbird), node-ical 0.20.1, vobject 0.9.9, recurring-ical-events 3.8.2 (with
icalendar 7.3.2), khal 0.14.1 and Debian's libical 3.0.16 (GNOME, KDE); .ci/full installs them.
"""

from __future__ import annotations

import ctypes.util
import json
import os
import subprocess
from datetime import UTC, date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

import pytest
from msgspec import structs

from scorekeeper.leagues.calendar.feed import LASTS, calendar_file
from scorekeeper.leagues.calendar.settings import begins_at
from scorekeeper.web.locale import use_newest_time_zones
from tests.leagues.calendar.test_feeds import night_at, nights_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.leagues.calendar.feed import FeedNight

pytestmark = pytest.mark.slow

ZONES = sorted(zone for zone in available_timezones() if "/" in zone)
CHANGED = {
    *("Africa/Casablanca", "Africa/El_Aaiun", "America/Edmonton", "America/Havana", "America/Inuvik", "Canada/Central"),
    *("America/Rainy_River", "America/Vancouver", "America/Winnipeg", "America/Yellowknife", "Canada/Mountain"),
    "Canada/Pacific",
}
"""Zones with new rules since 2026, which readers with time zones of their own may not know yet."""
FORTY = [zone for zone in ZONES if zone not in CHANGED][::13][:40]
READERS = ("ical.js", "node-ical", "vobject", "recurring_ical_events", "khal", "libical")
LEAGUES = {"Thursdays": (14, 19 * 60 + 30), "Fridays": (28, 23 * 60 + 30), "Sundays": (28, 2 * 60 + 30)}
"""Days from one night to the next, and minutes after midnight when they start. Clocks skip the hour of some Sundays."""
FIRST = {"Thursdays": date(2027, 1, 7), "Fridays": date(2027, 1, 1), "Sundays": date(2027, 1, 3)}
CANCELED, MOVED, ALL_DAY = 11, 12, 13
"""Numbers of the nights that are changed, from the first one of a feed."""


def feeds_in(zone: str) -> Iterator[list[FeedNight]]:
    """Yield the nights of three leagues from 2027 to 2029, of each league first as planned and then as changed."""
    for league, (apart, starts) in LEAGUES.items():
        days = [FIRST[league] + timedelta(days=day) for day in range(0, 3 * 365, apart)]
        nights = [structs.replace(night_at(zone, day, starts), title=league) for day in days]
        yield nights[:]
        nights[CANCELED] = structs.replace(nights[CANCELED], canceled=True, sequence=1)
        moved = {"day": days[MOVED] + timedelta(days=2), "starts": 18 * 60, "sequence": 1}
        nights[MOVED] = structs.replace(nights[MOVED], **moved)
        nights[ALL_DAY] = structs.replace(nights[ALL_DAY], starts=None, sequence=1)
        yield nights


def what_it_is(night: FeedNight) -> list[int | str]:
    status = "CANCELLED" if night.canceled else "CONFIRMED"
    if night.starts is None:
        return [night.day.isoformat(), (night.day + timedelta(days=1)).isoformat(), status]
    begins = begins_at(night.day, night.starts, night.zone).astimezone(UTC)
    return [int(begins.timestamp()), int((begins + LASTS).timestamp()), status]


def reader_command(reader: str) -> list[str]:
    """Return the command that reads feeds with the library or program `reader`. Skip the test if it isn't installed."""
    script = Path(__file__).with_name("read_feeds")
    if reader in ("ical.js", "node-ical"):
        if "SCOREKEEPER_NODE_MODULES" not in os.environ:
            pytest.skip("SCOREKEEPER_NODE_MODULES is the folder with ical.js and node-ical: .ci/full installs them")
        return ["node", f"{script}.cjs", reader]
    if "SCOREKEEPER_READERS" not in os.environ:
        pytest.skip("SCOREKEEPER_READERS is a Python environment with vobject and others: .ci/full makes it")
    if reader == "libical" and ctypes.util.find_library("ical") is None:
        pytest.skip("no libical on this machine; on Debian: apt-get install libical3")
    return [f"{os.environ['SCOREKEEPER_READERS']}/bin/python", f"{script}.py", reader]


@pytest.mark.parametrize("reader", READERS)
def test_each_night_of_three_leagues_is_at_its_time_in_forty_zones(reader: str) -> None:
    check(reader, [nights for zone in FORTY for nights in feeds_in(zone)])


@pytest.mark.parametrize("reader", ["ical.js", "libical"])
def test_each_night_is_at_its_time_in_every_zone(reader: str) -> None:
    check(reader, [nights_in(zone, (28,)) for zone in ZONES])


def check(reader: str, feeds: Iterable[Sequence[FeedNight]]) -> None:
    """Compare what `reader` finds in the feeds, one after the other, with the nights at last."""
    command = reader_command(reader)
    use_newest_time_zones()
    texts: list[str] = []
    expected: dict[str, list[int | str]] = {}
    for nights in feeds:
        texts.append(calendar_file("Fire", nights, str).decode())
        expected |= {night.id: what_it_is(night) for night in nights}
    env = os.environ | {"NODE_PATH": os.environ.get("SCOREKEEPER_NODE_MODULES", ""), "TZ": "UTC", "PYTHONTZPATH": ""}
    read = subprocess.run(command, input=json.dumps(texts), env=env, capture_output=True, text=True, check=True)
    found = {uid.removesuffix("@setback-scorekeeper"): event for uid, event in json.loads(read.stdout).items()}
    wrong = {uid: (found.get(uid), event) for uid, event in expected.items() if found.get(uid) != event}
    assert (dict(list(wrong.items())[:5]), len(found)) == ({}, len(expected))
