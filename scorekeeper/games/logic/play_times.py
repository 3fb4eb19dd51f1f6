"""Work out when an imported or added game was played, and when each of its events happened.

Turn the record of a game into the events of its log.
"""

from collections import deque
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

from scorekeeper.i18n.day_only import on_that_day
from scorekeeper.rules import events as ev
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.record import Record
from scorekeeper.rules.scoring import Outcome

IN_HAND = "x_time"
"""Field of a hand in a record that only this app uses: when the hand was saved, such as "2026-09-01T19:30:00Z"."""
PLAYED_AT = time(15)
"""Time of day at which a game is taken to have been played if only its day is known: 8 PM, as days end at 5 AM."""
AHEAD = timedelta(hours=14)
"""How far the earliest time zone is ahead of UTC."""
FIRST_YEAR = 1900
SHOWN = 40
"""Maximum number of characters of a wrong date that a message repeats."""


def moment_on(day: date, offset: timedelta, now: datetime) -> datetime:
    """Return when a game was played of which only the day is known: `now` if it was today, else in the evening.

    The result is marked by `on_that_day`.

    `offset` is the phone's local time less UTC and less 5 hours, since days end at 5 in the morning. Raises
    `RuleViolation` for a day after today in every time zone, and for a day before 1900.
    """
    if day > (now + AHEAD).date():
        message = Phrase("This game's date is “%(date)s”, which is after today.", date=day.isoformat())
        raise RuleViolation("date_future", message, field="day")
    if day.year < FIRST_YEAR:
        message = Phrase("This game's date is “%(date)s”. That's too long ago.", date=day.isoformat())
        raise RuleViolation("date_old", message, field="day")
    zone = timezone(offset)
    played = now if now.astimezone(zone).date() == day else min(datetime.combine(day, PLAYED_AT, zone), now)
    return on_that_day(played)


def played_in(record: Record, offset: timedelta, now: datetime) -> tuple[datetime, datetime | None]:
    """Return when a record says that its game started and ended.

    A record without dates started at `now`. The end is None for a game in progress, and if the record doesn't tell it.
    `offset` is as for `moment_on`, for dates without a time zone. Raises `RuleViolation` for a text that is no date, a
    date after today or before 1900, and an end before the start.
    """
    told = {key: text for key in ("started", "finished") if (text := str(record.extra.get(key, "")).strip())}
    read = {key: _moment(text, offset, now) for key, text in told.items()}
    began = read.get("started", read.get("finished", now))
    ended = read.get("finished") if record.outcome else None
    if ended is not None and ended < began:
        # A day alone is in the evening, and the game may have started later on that day.
        if _day(told["finished"]) is None or began - ended > timedelta(days=1):
            message = Phrase("This game ends before it starts: “%(date)s”.", date=told["finished"][:SHOWN])
            raise RuleViolation("date_order", message, field="finished")
        ended = began
    return began, ended


def times_of(events: Sequence[ev.Event], began: datetime, ended: datetime | None, now: datetime) -> list[datetime]:
    """Return when each of `events` happened: a hand when its field `IN_HAND` says, any other with the one before it.

    No time is before an earlier one or after `ended` (`now` if None). The last event happened at `ended`, if given.
    """
    times, latest = [], began
    for event in events:
        if isinstance(event, ev.HandScored | ev.HandThrownIn):
            latest = min(max(latest, _time((event.hand.extra or {}).get(IN_HAND)) or latest), ended or now)
        times.append(latest)
    return times if ended is None else [*times[:-1], max(ended, latest)]


def _moment(text: str, offset: timedelta, now: datetime) -> datetime:
    day = _day(text)
    if day is not None:
        return moment_on(day, offset, now)
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone(offset + timedelta(hours=5)))
        moment_on(moment.date(), offset, now)
        return min(moment, now)
    except (ValueError, OverflowError):
        message = Phrase("This game's date is “%(date)s”. Write it like 2024-03-02.", date=text[:SHOWN])
        raise RuleViolation("date", message, field="started") from None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _time(told: Any) -> datetime | None:
    """Return the time in `told`, or None if it isn't a text with a date, a time and a time zone."""
    try:
        moment = datetime.fromisoformat(told)
        return moment if moment.utcoffset() is not None else None
    except (TypeError, ValueError):
        return None


def events_of(record: Record) -> tuple[ev.Event, ...]:
    """Return the events of a game record that follow the start of the game, in order."""
    if record.final is not None:
        outcome = record.outcome
        assert outcome is not None
        if outcome.rule == "final":
            return (ev.ResultEntered(record.final),)
        return (ev.ResultEntered(record.final, outcome.winner, outcome.rule.removeprefix("final.")),)
    happened: list[ev.Event] = []
    agreed = deque(record.agreed)
    for played, hand in enumerate((None, *record.hands)):
        if hand is not None:
            happened.append(ev.HandThrownIn(hand) if hand.thrown_in else ev.HandScored(hand))
        while agreed and agreed[0].after == played:
            each = agreed.popleft()
            happened.append(ev.ScoreAdjusted(each.side, each.points, each.reason))
    if record.ending is not None:
        happened.append(_ended(record.ending))
    elif record.tally.outcome is None and record.extra.get("abandoned"):
        happened.append(ev.GameAbandoned())
    return tuple(happened)


def _ended(ending: Outcome) -> ev.Event:
    if ending.rule == "conceded" and ending.winner is not None:
        return ev.GameConceded(ending.winner)
    return ev.GameEnded(ending.winner, ending.rule)
