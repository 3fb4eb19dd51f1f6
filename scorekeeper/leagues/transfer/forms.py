"""The form of a table that is brought in."""

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
    """The answers to what is asked of lines, by `import_results.answer_key`."""

    def process(self, formdata: Any, *args: Any, **how: Any) -> None:
        """Read what was sent."""
        super().process(None, *args, **how)
        self.data = {key: formdata[key] for key in formdata or () if key.startswith(ANSWER)}


class SpreadsheetForm(AppForm):
    """Look at a table of people or of past results; bring it in where that is `confirmed`."""

    file = FileField(N_("Or a CSV file"))
    text = TextAreaField(N_("Paste the lines here"), default="")
    confirmed = BooleanField()

    @property
    def data_sent(self) -> bytes:
        """Return the file, or the text where there is none."""
        return self.file.data.read() if self.file.data else (self.text.data or "").encode()


class ResultsForm(SpreadsheetForm):
    """Look at past results, without so many lines that cannot be."""

    order = RadioField(choices={"month": "", "day": ""})
    without = DigitsField(most=4, otherwise=0)
    answers = AnswersField()

    @property
    def date_order(self) -> Order:
        """Return which number of a date comes first; empty where nobody said so."""
        return "month" if self.order.data == "month" else "day" if self.order.data == "day" else ""
