#!/usr/bin/env bash
# Calendars an hour late: ical.js reads only the first RDATE of a list in a time zone's part, and not its DTSTART.
#
# icalendar 7.3.2 (add_missing_timezones) writes a zone's later changes as RDATEs of one DAYLIGHT and one STANDARD part.
# RFC 5545 (3.6.5, 3.8.5.2) allows that: each date of the list is a change, and so is DTSTART. With ical.js 2.2.1, an
# evening in New York is right in only one of the years, and an hour late in the summers of the others. A part for each
# change, with only a DTSTART, is read right in all years.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python >/dev/null
python/bin/pip install -q icalendar==7.3.2 2>/dev/null
npm install --silent --no-audit --no-fund ical.js@2.2.1

cat >write.py <<'PY'
import sys
from datetime import date, datetime
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event

calendar = Calendar()
calendar.add("VERSION", "2.0")
calendar.add("PRODID", "example")
for year in (2027, 2028, 2029):
    event = Event()
    event.add("UID", f"{year}")
    event.add("DTSTART", datetime(year, 7, 15, 19, 30, tzinfo=ZoneInfo("America/New_York")))
    calendar.add_component(event)
calendar.add_missing_timezones(first_date=date(2027, 1, 1), last_date=date(2030, 1, 1))
zone = calendar.walk("VTIMEZONE")[0]
if sys.argv[1] == "apart":
    for part in list(zone.subcomponents):
        extra = part.pop("RDATE", None)
        for each in extra if isinstance(extra, list) else [extra] if extra else []:
            for one in each.dts:
                copy = type(part)()
                copy.update(part)
                copy["DTSTART"] = one
                zone.add_component(copy)
sys.stdout.buffer.write(calendar.to_ical())
PY
cat >read.mjs <<'JS'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";
const calendar = new ICAL.Component(ICAL.parse(readFileSync(0, "utf8")));
const zone = new ICAL.Timezone(calendar.getFirstSubcomponent("vtimezone"));
const times = calendar.getAllSubcomponents("vevent").map((part) => {
  const start = new ICAL.Event(part).startDate;
  start.zone = zone;
  return start.toJSDate().toISOString().slice(0, 16);
});
console.log(times.join(" "));
JS
export TZ=UTC
right="2027-07-15T23:30 2028-07-15T23:30 2029-07-15T23:30"
listed=$(python/bin/python write.py listed | node read.mjs)
apart=$(python/bin/python write.py apart | node read.mjs)
echo "right:               $right"
echo "icalendar's RDATEs:  $listed"   # seen: 2027-07-16T00:30 2028-07-15T23:30 2029-07-16T00:30
echo "one part per change: $apart"    # seen: as right
[ "$listed" = "2027-07-16T00:30 2028-07-15T23:30 2029-07-16T00:30" ] && [ "$apart" = "$right" ]
