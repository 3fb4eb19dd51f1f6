"""The forms to import players, results or a league file, and to make a league from a home table."""

from collections.abc import Mapping
from typing import Any

from flask_wtf.file import FileField
from wtforms import BooleanField, Field, HiddenField, RadioField, SelectField, StringField, TextAreaField

from scorekeeper.config import MAX_UPLOAD_BYTES
from scorekeeper.i18n.catalog import N_, spoken
from scorekeeper.leagues.core.blueprint import KeyedForm, digits
from scorekeeper.leagues.nights.forms import DigitsField
from scorekeeper.leagues.seasons.forms import NAME
from scorekeeper.leagues.standings.wording import ORDERS
from scorekeeper.leagues.transfer.columns import COLUMN, DATE, DOWN, MISSED, PARTNERS, UP, TableSettings
from scorekeeper.leagues.transfer.import_results import ANSWER
from scorekeeper.leagues.transfer.names import WHO
from scorekeeper.leagues.transfer.past_reading import Said
from scorekeeper.leagues.transfer.spreadsheet import MOST_PACKED
from scorekeeper.leagues.transfer.spreadsheet_dates import Order, day_of
from scorekeeper.web.forms import AppForm, printable, uploaded

MOST_ANSWERS = 3_000


class AnswersField(Field):
    """The user's answers in all form fields whose names begin with `prefix`, by name of the field.

    At most `MOST_ANSWERS` are read. If a name was posted several times, the last value that isn't empty counts.
    """

    def __init__(self, label: str = "", *, prefix: str, **how: Any) -> None:
        """Create the field. `how` is passed on to WTForms."""
        super().__init__(label, **how)
        self.prefix = prefix

    def process(self, formdata: Any, *args: Any, **how: Any) -> None:
        """Read the answers from the form."""
        super().process(None, *args, **how)
        names = [key for key in formdata or () if key.startswith(self.prefix)][:MOST_ANSWERS]
        filled = {name: [value for value in formdata.getlist(name) if value] for name in names}
        self.data = {name: values[-1] for name, values in filled.items() if values}


class SpreadsheetForm(AppForm):
    """The form to upload a spreadsheet of players or past results.

    The spreadsheet is previewed or, if `confirmed` is set, imported.
    """

    file = FileField(N_("Or a file: Excel (.xlsx) or CSV"))
    text = TextAreaField(N_("Paste the lines here"), default="")
    sheet = StringField(default="")
    confirmed = BooleanField()

    @property
    def data_sent(self) -> bytes:
        """Return the content of the uploaded file or, without one, the pasted text. Raises what `uploaded` raises."""
        return uploaded(self.file.data, MOST_PACKED) or (self.text.data or "").encode()


class LeagueFileForm(AppForm):
    """The form to upload a league file."""

    file = FileField(N_("League file (.zip)"))

    @property
    def data_sent(self) -> bytes:
        """Return the content of the uploaded file, or b"" if no file was chosen. Raises what `uploaded` raises."""
        return uploaded(self.file.data, MAX_UPLOAD_BYTES)


class TableChoiceForm(AppForm):
    """The form to choose which games of the home table are copied to the league."""

    rules = StringField(default="")


class TableLeagueForm(KeyedForm):
    """The form to make a league from the home table. `seen` is a hash of what the preview showed (`HomePlan.seen`)."""

    name = StringField(default="", filters=[printable], render_kw=NAME)
    order = SelectField(choices=lambda: [(key, spoken(text)) for key, text in ORDERS.items()], default="per_game")
    rules = HiddenField(default="")
    seen = HiddenField(default="")


class PlayersForm(SpreadsheetForm):
    """The form to upload a list of players, and to say whom each name means if the league has a similar name."""

    names = AnswersField(prefix=WHO)
    new = DigitsField(most=4, otherwise=0)


class ResultsForm(SpreadsheetForm):
    """The form to upload past results, and to say what the columns, dates and names of the spreadsheet mean."""

    order = RadioField(choices={"month": "", "day": ""})
    first = StringField(default="")
    games = DigitsField(most=2)
    zeros = BooleanField()
    rounding = StringField(default="")
    head = StringField(default="")
    without = DigitsField(most=4, otherwise=0)
    download = BooleanField()
    layout = StringField(default="")
    columns = AnswersField(prefix=COLUMN)
    days = AnswersField(prefix=DATE)
    missed = AnswersField(prefix=MISSED)
    partners = AnswersField(prefix=PARTNERS)
    names = AnswersField(prefix=WHO)
    answers = AnswersField(prefix=ANSWER)

    @property
    def date_order(self) -> Order:
        """Return whether the "month" or the "day" is first in a date, or "" if the user hasn't said."""
        return "month" if self.order.data == "month" else "day" if self.order.data == "day" else ""

    @property
    def said(self) -> Said:
        """Return all answers that the user posted about the spreadsheet."""
        days = {key: day_of(text, "") for key, text in _changed(self.days.data, DATE).items()}
        settings = TableSettings(
            meanings=_by_place(self.columns.data, COLUMN),
            days={key: day for key, day in days.items() if day},
            order=self.date_order,
            first=day_of(self.first.data or "", ""),
            games=self.games.data or None,
            zeros=self.zeros.data,
            rounding=self.rounding.data if self.rounding.data in (UP, DOWN) else "",
            missed=frozenset(key.removeprefix(MISSED) for key in self.missed.data),
            partners=next(iter(_changed(self.partners.data, PARTNERS).values()), ""),
            sheet=self.sheet.data or "",
            head=self.head.data or "",
        )
        return Said(settings, self.names.data, self.answers.data, self.without.data)


def _by_place(answers: Mapping[str, str], prefix: str) -> dict[int, str]:
    """Return the answers by number of the column, counted from 0.

    In `answers`, the keys are names of form fields, which are `prefix` followed by that number.
    """
    places = {digits(key.removeprefix(prefix), 3): value for key, value in answers.items()}
    return {place: value for place, value in places.items() if place is not None}


def _changed(answers: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Return the answers that differ from what the page had guessed, by the part of the name before the guess.

    In `answers`, the keys are names of form fields, which are `prefix`, a key, "~", and the guess.
    """
    told = {key.removeprefix(prefix): value for key, value in answers.items()}
    return {key.rpartition("~")[0]: value for key, value in told.items() if value != key.rpartition("~")[2]}
