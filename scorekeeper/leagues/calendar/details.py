"""The details that a director enters for a planned night."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time

from scorekeeper.leagues.calendar import series
from scorekeeper.leagues.calendar.settings import DAY_MINUTES, PLACE_LENGTH
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

NOTE_LENGTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """The details of a planned night. `starts` is in minutes after midnight, or None if no time is given."""

    day: date
    starts: int | None = None
    place: str = ""
    note: str = ""

    def checked(self) -> Details:
        """Return the details without spaces around place and note. Raises `RuleViolation` if a detail is invalid."""
        if not series.FIRST <= self.day < series.FAR:
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
