"""Read calendar files with a library or program that `.ci/full` installs: `python read_feeds.py READER < files.json`.

The input is a list of texts: states of feeds, in the order in which a subscriber gets them. The output has, by UID, the
start, the end and the status of each event at last. A time is in seconds since 1970, and a date is a text.
"""

import ctypes
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

When = int | str
Event = tuple[str, When, When, str]

KHAL = """
[calendars]
[[cards]]
path = {folder}/cards
[sqlite]
path = {folder}/cards.db
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
"""
DAYS = ("2026-12-30", "1120d")
"""The days that khal lists."""
AT_ONCE = 6
"""Files for one folder of khal, which takes longer for each event if it has many."""


def told(at: date) -> When:
    return int(at.timestamp()) if isinstance(at, datetime) else at.isoformat()


def vobject(texts: Sequence[str]) -> Iterator[Event]:
    import vobject

    for text in texts:
        for event in vobject.readOne(text).vevent_list:
            yield event.uid.value, told(event.dtstart.value), told(event.dtend.value), event.status.value


def recurring_ical_events(texts: Sequence[str]) -> Iterator[Event]:
    import icalendar
    import recurring_ical_events

    for text in texts:
        for event in recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(2026, 2031):
            yield str(event["UID"]), told(event.start), told(event.end), str(event["STATUS"])


def khal(texts: Sequence[str]) -> Iterator[Event]:
    program = str(Path(sys.executable).with_name("khal"))
    keys = ("uid", "start", "end", "status", "all-day")
    for first in range(0, len(texts), AT_ONCE):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "cards").mkdir()
            (folder / "config").write_text(KHAL.format(folder=folder))
            files = []
            for number, text in enumerate(texts[first : first + AT_ONCE]):
                files.append(str(folder / f"{number}.ics"))
                Path(files[-1]).write_text(text, newline="")
            command = [program, "-c", str(folder / "config")]
            subprocess.run([*command, "import", "--batch", *files], check=True, stdout=subprocess.DEVNULL)
            listed = [*command, "list", "--once", *(word for key in keys for word in ("--json", key)), *DAYS]
            days = subprocess.run(listed, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        for event in (event for day in days for event in json.loads(day)):
            if event["all-day"] == "True":
                last = datetime.fromisoformat(event["end"]) + timedelta(days=1)  # it shows the last day
                yield event["uid"], event["start"], last.date().isoformat(), event["status"]
            else:
                times = (datetime.fromisoformat(event[key]).replace(tzinfo=UTC) for key in ("start", "end"))
                yield event["uid"], *map(told, times), event["status"]


class Time(ctypes.Structure):
    """libical's struct icaltimetype."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("year", "month", "day", "hour", "minute", "second", "is_date", "daylight")),
        ("zone", ctypes.c_void_p),
    ]


def libical(texts: Sequence[str]) -> Iterator[Event]:
    lib = ctypes.CDLL("libical.so.3")
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, gives, takes in (
        ("icalparser_parse_string", pointer, [text]),
        ("icalcomponent_string_to_kind", ctypes.c_int, [text]),
        ("icalcomponent_get_first_component", pointer, [pointer, ctypes.c_int]),
        ("icalcomponent_get_next_component", pointer, [pointer, ctypes.c_int]),
        ("icalcomponent_get_uid", text, [pointer]),
        ("icalcomponent_get_dtstart", Time, [pointer]),
        ("icalcomponent_get_dtend", Time, [pointer]),
        ("icaltime_as_timet_with_zone", ctypes.c_long, [Time, pointer]),
        ("icalcomponent_get_first_property", pointer, [pointer, ctypes.c_int]),
        ("icalproperty_string_to_kind", ctypes.c_int, [text]),
        ("icalproperty_get_value_as_string", text, [pointer]),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = gives, takes
    kind, status = lib.icalcomponent_string_to_kind(b"VEVENT"), lib.icalproperty_string_to_kind(b"STATUS")

    def at(time: Time) -> When:
        if time.is_date:
            return f"{time.year}-{time.month:02}-{time.day:02}"
        return int(lib.icaltime_as_timet_with_zone(time, time.zone))

    for each in texts:
        calendar = lib.icalparser_parse_string(each.encode())
        event = lib.icalcomponent_get_first_component(calendar, kind)
        while event:
            says = lib.icalproperty_get_value_as_string(lib.icalcomponent_get_first_property(event, status))
            times = (at(lib.icalcomponent_get_dtstart(event)), at(lib.icalcomponent_get_dtend(event)))
            yield lib.icalcomponent_get_uid(event).decode(), *times, says.decode()
            event = lib.icalcomponent_get_next_component(calendar, kind)


if __name__ == "__main__":
    readers = {each.__name__: each for each in (vobject, recurring_ical_events, khal, libical)}
    found = readers[sys.argv[1]](json.load(sys.stdin))
    print(json.dumps({uid: [start, end, status] for uid, start, end, status in found}))
