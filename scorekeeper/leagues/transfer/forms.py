"""The forms to import a spreadsheet of players or results."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from flask_wtf.file import FileField
from wtforms import BooleanField, Field, HiddenField, RadioField, SelectField, StringField, TextAreaField

from scorekeeper.config import MAX_UPLOAD_BYTES
from scorekeeper.i18n.catalog import N_, spoken
from scorekeeper.leagues.core.requests import KeyedForm, digits
from scorekeeper.leagues.nights.forms import DigitsField
from scorekeeper.leagues.seasons.forms import NAME
from scorekeeper.leagues.standings.wording import ORDERS
from scorekeeper.leagues.transfer.columns import COLUMN, DATE, TableSettings
from scorekeeper.leagues.transfer.import_results import ANSWER
from scorekeeper.leagues.transfer.names import WHO
from scorekeeper.leagues.transfer.past_reading import Said
from scorekeeper.leagues.transfer.spreadsheet import MOST_BYTES
from scorekeeper.leagues.transfer.spreadsheet_dates import Order, day_of
from scorekeeper.web.forms import AppForm, printable

MOST_ANSWERS = 3_000


def read_whole(file: Any, most: int) -> bytes:
    """Return an uploaded file, at most one byte more than `most`; empty if none was sent."""
    if not file:
        return b""
    with closing(file):
        data: bytes = file.read(most + 1)
        return data


class AnswersField(Field):
    """The last filled value of each form field that begins with `prefix`, by its name; at most `MOST_ANSWERS`."""

    def __init__(self, label: str = "", *, prefix: str, **how: Any) -> None:
        """Make the field; `how` is passed on to WTForms."""
        super().__init__(label, **how)
        self.prefix = prefix

    def process(self, formdata: Any, *args: Any, **how: Any) -> None:
        """Read the answers from the form."""
        super().process(None, *args, **how)
        names = [key for key in formdata or () if key.startswith(self.prefix)][:MOST_ANSWERS]
        filled = {name: [value for value in formdata.getlist(name) if value] for name in names}
        self.data = {name: values[-1] for name, values in filled.items() if values}


class SpreadsheetForm(AppForm):
    """Preview a spreadsheet of players or past results, or import it if `confirmed`."""

    file = FileField(N_("Or a file: Excel (.xlsx) or CSV"))
    text = TextAreaField(N_("Paste the lines here"), default="")
    confirmed = BooleanField()

    @property
    def data_sent(self) -> bytes:
        """Return the file, or the pasted text if there is no file."""
        return read_whole(self.file.data, MOST_BYTES) or (self.text.data or "").encode()


class LeagueFileForm(AppForm):
    """Upload a league file."""

    file = FileField(N_("League file (.zip)"))

    @property
    def data_sent(self) -> bytes:
        """Return the file, empty if none was chosen."""
        return read_whole(self.file.data, MAX_UPLOAD_BYTES)


class TableChoiceForm(AppForm):
    """Choose which games of the home table a league gets."""

    rules = StringField(default="")


class TableLeagueForm(KeyedForm):
    """Make a league from the home table, as the page that sent `seen` showed it."""

    name = StringField(default="", filters=[printable], render_kw=NAME)
    order = SelectField(choices=lambda: [(key, spoken(text)) for key, text in ORDERS.items()], default="per_game")
    rules = HiddenField(default="")
    seen = HiddenField(default="")


class PlayersForm(SpreadsheetForm):
    """Preview players, and answer which person of the league a similar name means."""

    names = AnswersField(prefix=WHO)
    new = DigitsField(most=4, otherwise=0)


class ResultsForm(SpreadsheetForm):
    """Preview past results, and answer what the spreadsheet's columns, dates and names mean."""

    order = RadioField(choices={"month": "", "day": ""})
    first = StringField(default="")
    games = DigitsField(most=2)
    zeros = BooleanField()
    head = StringField(default="")
    without = DigitsField(most=4, otherwise=0)
    download = BooleanField()
    columns = AnswersField(prefix=COLUMN)
    days = AnswersField(prefix=DATE)
    names = AnswersField(prefix=WHO)
    answers = AnswersField(prefix=ANSWER)

    @property
    def date_order(self) -> Order:
        """Return which number of a date comes first, empty if it was not chosen."""
        return "month" if self.order.data == "month" else "day" if self.order.data == "day" else ""

    @property
    def said(self) -> Said:
        """Return all answers about the spreadsheet."""
        days = {place: day_of(text, "") for place, text in _by_place(self.days.data, DATE).items()}
        settings = TableSettings(
            meanings=_by_place(self.columns.data, COLUMN),
            days={place: day for place, day in days.items() if day},
            order=self.date_order,
            first=day_of(self.first.data or "", ""),
            games=self.games.data or None,
            zeros=self.zeros.data,
            head=self.head.data or "",
        )
        return Said(settings, self.names.data, self.answers.data, self.without.data)


def _by_place(answers: Mapping[str, str], prefix: str) -> dict[int, str]:
    """Return the answers for columns, by column."""
    places = {digits(key.removeprefix(prefix), 3): value for key, value in answers.items()}
    return {place: value for place, value in places.items() if place is not None}
