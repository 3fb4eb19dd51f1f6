#!/usr/bin/env bash
# Calendars in Sydney are an hour off on the evening before the clocks change: ts-ics compares local times with instants.
#
# A time zone in a calendar file (VTIMEZONE) lists when its offset changes, in its local time (RFC 5545, 3.6.5). ts-ics
# 2.4.6 takes an event's local time for UTC when it looks for the last change before it. Sydney is ten hours ahead, so a
# change counts from the afternoon before: a card night at 7:30 PM on Saturday, October 3, 2026 is read as 6:30 PM, and
# one on April 3, 2027 as 8:30 PM. With yearly rules (RRULE) instead of dates, this happens only on computers whose own
# zone is far ahead of UTC, as in Sydney. Zones behind UTC are wrong in the hours after a change, when few play.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund ts-ics@2.4.6
cat >read.mjs <<'JS'
import { convertIcsCalendar } from "ts-ics";
const part = (name, starts, from, to, ...rule) =>
  starts.flatMap((start) => [
    ...[`BEGIN:${name}`, `DTSTART:${start}`, ...rule],
    ...[`TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${name}`],
  ]);
const night = (day) => [
  ...["BEGIN:VEVENT", `UID:${day}`, "DTSTAMP:20260901T000000Z", "SUMMARY:Cards"],
  ...[`DTSTART;TZID=Australia/Sydney:${day}T193000`, "DURATION:PT3H", "END:VEVENT"],
];
const parts = {
  dates: [
    ...part("STANDARD", ["20260405T030000", "20270404T030000"], "+1100", "+1000"),
    ...part("DAYLIGHT", ["20251005T020000", "20261004T020000"], "+1000", "+1100"),
  ],
  rules: [
    ...part("STANDARD", ["20080406T030000"], "+1100", "+1000", "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU"),
    ...part("DAYLIGHT", ["20081005T020000"], "+1000", "+1100", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU"),
  ],
}[process.argv[2]];
const lines = [
  ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:example", "BEGIN:VTIMEZONE", "TZID:Australia/Sydney"],
  ...[...parts, "END:VTIMEZONE", ...["20261002", "20261003", "20270403"].flatMap(night), "END:VCALENDAR", ""],
];
const { events } = convertIcsCalendar(undefined, lines.join("\r\n"));
console.log(events.map((event) => event.start.date.toISOString().slice(0, 16)).join(" "));
JS
right="2026-10-02T09:30 2026-10-03T09:30 2027-04-03T08:30"
wrong="2026-10-02T09:30 2026-10-03T08:30 2027-04-03T09:30"
echo "right: $right"
for run in "dates UTC" "dates Australia/Sydney" "rules UTC" "rules Australia/Sydney"; do
    read -r parts zone <<<"$run"
    seen=$(TZ=$zone node read.mjs "$parts")
    echo "$parts, on a computer in $zone: $seen" # seen: as wrong, except for rules in UTC
    [ "$run" = "rules UTC" ] && expected=$right || expected=$wrong
    [ "$seen" = "$expected" ]
done
