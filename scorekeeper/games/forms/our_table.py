"""Forms of "Our table", the pages of a home table (a group that plays at home), for choosing and hiding games.

Forms for the people of a home table (a group that plays at home).
"""

import base64
from datetime import date, datetime, timedelta, timezone
from typing import Any

from flask import request
from flask_wtf.file import FileField as UploadField
from msgspec import Struct
from wtforms import BooleanField, FileField, HiddenField, StringField

from scorekeeper.games.forms.base import offset_in, text_field
from scorekeeper.web.forms import AppForm, at_most, printable, uploaded
from scorekeeper.web.locale import EVENING
from scorekeeper.web.uploads import read_photo

MOST_PEOPLE = 10
"""Maximum number of people in one filter."""


class Asked(Struct, frozen=True):
    """The filter in a page's query string, before it is checked against a home table.

    `who` is a part of a person's name. `show` is "hidden", "deleted", or "" for visible games. `figure` describes a
    number in the statistics whose games are listed, and is "" for none. `picking` means that the player wants to choose
    games from the list.
    """

    preset: str = ""
    rules: str = ""
    people: tuple[str, ...] = ()
    """Public ids of people."""
    who: str = ""
    since: date | None = None
    until: date | None = None
    offset: timedelta = -EVENING
    """Offset of the phone's local time from UTC, less 5 hours, since a day here ends at 5 in the morning.

    Minus `EVENING` if the phone sends none.
    """
    show: str = ""
    figure: str = ""
    before: str = ""
    """Public id of a game; only games before it are listed. Empty for the first page."""
    evening: str = ""
    """Public id of the first game of an evening; empty for games of any evening."""
    picking: bool = False

    @property
    def recounts(self) -> bool:
        """Return whether the request filters the games. If so, statistics from the cache can't be used."""
        choices = (self.preset, self.rules, self.people, self.who, self.since, self.until, self.figure, self.evening)
        return any(choices)

    def moment(self, day: date | None, days: int = 0) -> datetime | None:
        """Return the beginning of a day as a datetime with the time zone of this request, which is `offset`.

        `days` is added to `day` first, so `days=1` gives the end of `day`. The result is None if `day` is None.
        """
        if day is None:
            return None
        return datetime(day.year, day.month, day.day, tzinfo=timezone(self.offset)) + timedelta(days=days)


def _text(most: int) -> Any:
    """Return a form field for text of at most `most` characters. The text is "" if nothing was sent."""
    return StringField(default="", filters=[printable, str.strip, at_most(most)])


class TableFilterForm(AppForm):
    """Filter the games of a home table by game, house rules, people and dates. The form is sent by GET."""

    game = _text(40)
    rules = _text(10)
    people = _text(200)
    """Public ids of people, with dots between them. The request may have several fields of this name."""
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
        """Return the filter in the form. Fields that can't be read are ignored."""
        people = [part for text in self.people.raw_data or () for part in printable(str(text)).split(".")]
        return Asked(
            preset=self.game.data,
            rules=self.rules.data,
            people=tuple(dict.fromkeys(filter(None, people)))[:MOST_PEOPLE],
            who=self.who.data,
            since=_day(self.since.data),
            until=_day(self.until.data),
            offset=offset_in(self.offset.data),
            show=self.show.data,
            figure=self.of.data,
            before=self.before.data,
            evening=self.evening.data,
            picking=self.pick.data == "1",
        )


def asked_games() -> Asked:
    """Return the filter in the query string of the current request."""
    return TableFilterForm(formdata=request.args).asked


def _day(text: str) -> date | None:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if 2000 <= found.year < 2200 else None


class PickedGamesForm(AppForm):
    """Hide, show, delete or restore the games that were checked in a list."""

    game = HiddenField()
    do = StringField(default="")

    @property
    def chosen(self) -> list[str]:
        """Return the public ids of the games that were checked."""
        return list(dict.fromkeys(self.game.raw_data or ()))


class TableLinkForm(AppForm):
    """Make a link to the home table, or join a home table through its link."""

    secret = HiddenField(default="")
    score = StringField(default="")


class ShowOddsForm(AppForm):
    """Show the chances of winning during the games of a home table, or hide them."""

    show = StringField(default="")


class SwitchTableForm(AppForm):
    """Choose another of this phone's home tables as its current one."""

    table = StringField(default="")


class TableFileForm(AppForm):
    """Import a home table from a file.

    The player uploads the file and gets a preview. To confirm, the preview page sends the same file again, encoded in
    base64, together with `sure`.
    """

    table = FileField()
    packed = HiddenField(default="")
    sure = HiddenField(default="")

    def read(self) -> bytes:
        """Return the content of the file that was sent, or b"" if there was none.

        Raises what `uploaded` raises, and `binascii.Error` or `ValueError` for broken base64.
        """
        return uploaded(self.table.data) or base64.b64decode(str(self.packed.data or ""), validate=True)


class AddPersonForm(AppForm):
    """Add a person to the home table. `sure` is a name about which the page has asked already."""

    name = StringField(default="")
    sure = StringField(default="")


class HomePersonForm(AppForm):
    """Change a person's name, color and emoji."""

    name = StringField(default="")
    color = text_field()
    emoji = text_field()


class SamePersonForm(AppForm):
    """Merge a person into another person of the same home table. `sure` means that the player confirmed this."""

    into = text_field()
    sure = BooleanField()


class HideForm(AppForm):
    """Stop offering a person for new games. If `hidden` is not set, offer the person again."""

    hidden = BooleanField()


class PhotoForm(AppForm):
    """Upload the photo of a person, or remove it."""

    photo = UploadField()
    remove = BooleanField()

    @property
    def data_sent(self) -> bytes:
        """Return the uploaded file, or b"" if no file was chosen.

        Raises `PhotoRefusedError` if the file is too large.
        """
        return read_photo(self.photo.data or None)
