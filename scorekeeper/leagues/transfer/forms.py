"""The forms to import a table of players or results."""

from __future__ import annotations

from typing import Any

from flask_wtf.file import FileField
from wtforms import BooleanField, Field, RadioField, TextAreaField

from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.nights.forms import DigitsField
from scorekeeper.leagues.transfer.import_results import ANSWER
from scorekeeper.leagues.transfer.spreadsheet_dates import Order
from scorekeeper.web.forms import AppForm


class AnswersField(Field):
    """Answers to questions about lines, by `import_results.answer_key`."""

    def process(self, formdata: Any, *args: Any, **how: Any) -> None:
        """Read the answers from the form."""
        super().process(None, *args, **how)
        self.data = {key: formdata[key] for key in formdata or () if key.startswith(ANSWER)}


class SpreadsheetForm(AppForm):
    """Preview a table of players or past results, or import it if `confirmed`."""

    file = FileField(N_("Or a CSV file"))
    text = TextAreaField(N_("Paste the lines here"), default="")
    confirmed = BooleanField()

    @property
    def data_sent(self) -> bytes:
        """Return the file, or the pasted text if there is no file."""
        return self.file.data.read() if self.file.data else (self.text.data or "").encode()


class ResultsForm(SpreadsheetForm):
    """Preview past results; `without` is the number of wrong lines that may be skipped."""

    order = RadioField(choices={"month": "", "day": ""})
    without = DigitsField(most=4, otherwise=0)
    answers = AnswersField()

    @property
    def date_order(self) -> Order:
        """Return which number of a date comes first, empty if it was not chosen."""
        return "month" if self.order.data == "month" else "day" if self.order.data == "day" else ""
