"""Forms of "Our table": choose games, hide or delete them."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Any

from flask import request
from werkzeug.datastructures import FileStorage
from wtforms import FileField, HiddenField, StringField

from scorekeeper.web.forms import AppForm, at_most, printable
from scorekeeper.web.text import whole_number

MOST_PEOPLE = 10
"""People in one filter."""
EVENING = timedelta(hours=-8)
"""Offset from UTC assumed for a phone without JavaScript: evenings in America and in Europe get the right date."""
MOST_OFFSET = 20 * 60
"""Largest accepted offset from UTC, in minutes; an evening lasts until 5 in the morning."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The query of a page's address, not yet checked against any home table."""

    preset: str = ""
    rules: str = ""
    people: tuple[str, ...] = ()
    """Public ids."""
    who: str = ""
    since: date | None = None
    until: date | None = None
    offset: timedelta = EVENING
    """Offset of the phone's local time from UTC."""
    show: str = ""
    figure: str = ""
    before: str = ""
    """Public id of a game; only older games are listed."""
    evening: str = ""
    """Public id of the first game of an evening."""
    picking: bool = False

    @property
    def recounts(self) -> bool:
        """Return whether this request needs statistics that are not cached, because it filters games."""
        choices = (self.preset, self.rules, self.people, self.who, self.since, self.until, self.figure, self.evening)
        return any(choices)

    def moment(self, day: date | None, days: int = 0) -> datetime | None:
        """Return when that day begins in the phone's local time, or the day `days` later; None without a day."""
        if day is None:
            return None
        return datetime(day.year, day.month, day.day, tzinfo=timezone(self.offset)) + timedelta(days=days)


def _text(most: int) -> Any:
    """Return a field for a short text; empty if nothing was sent."""
    return StringField(default="", filters=[printable, str.strip, at_most(most)])


class TableFilterForm(AppForm):
    """Choose games by game, rules, people and dates. It is sent by GET."""

    game = _text(40)
    rules = _text(10)
    people = _text(200)
    """Public ids with dots between, or several fields."""
    who = _text(40)
    since = _text(10)
    until = _text(10)
    offset = _text(5)
    show = _text(10)
    of = _text(400)
    before = _text(16)
    evening = _text(16)
    pick = _text(1)

    @property
    def asked(self) -> Asked:
        """Return the query; fields that can't be read are left out."""
        people = [part for text in self.people.raw_data or () for part in printable(str(text)).split(".")]
        return Asked(
            preset=self.game.data,
            rules=self.rules.data,
            people=tuple(dict.fromkeys(filter(None, people)))[:MOST_PEOPLE],
            who=self.who.data,
            since=_day(self.since.data),
            until=_day(self.until.data),
            offset=_offset(self.offset.data),
            show=self.show.data,
            figure=self.of.data,
            before=self.before.data,
            evening=self.evening.data,
            picking=self.pick.data == "1",
        )


def asked_games() -> Asked:
    """Return the query of this request's address."""
    return TableFilterForm(formdata=request.args).asked


def _day(text: str) -> date | None:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if 2000 <= found.year < 2200 else None


def _offset(text: str) -> timedelta:
    minutes = whole_number(text, 4, signed=True)
    return EVENING if minutes is None or abs(minutes) > MOST_OFFSET else timedelta(minutes=minutes)


class PickedGamesForm(AppForm):
    """Hide, show, delete or restore the checked games."""

    game = HiddenField()
    do = StringField(default="")

    @property
    def chosen(self) -> list[str]:
        """Return the public ids of the checked games."""
        return list(dict.fromkeys(self.game.raw_data or ()))


class TableLinkForm(AppForm):
    """Make a link to the home table, or join a home table with one."""

    secret = HiddenField(default="")
    score = StringField(default="")


class SwitchTableForm(AppForm):
    """Choose another home table of this phone."""

    table = StringField(default="")


class TableFileForm(AppForm):
    """Import a home table from a file.

    The file is uploaded, or, with `sure`, comes from the preview, which sends it back in base64.
    """

    table = FileField()
    packed = HiddenField(default="")
    sure = HiddenField(default="")

    def read(self) -> bytes:
        """Return the file that was sent, or b"". Raises `binascii.Error` or `ValueError` for broken base64."""
        upload = self.table.data
        if isinstance(upload, FileStorage) and upload:
            return bytes(upload.read())
        return base64.b64decode(str(self.packed.data or ""), validate=True)
