"""The form that takes a name away for good."""

from __future__ import annotations

from wtforms import BooleanField, HiddenField, StringField

from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.core.requests import KeyedForm
from scorekeeper.web.forms import printable


class AnonymousForm(KeyedForm):
    """Make somebody anonymous, and say why; `titles` of the league too, where the name stands in any."""

    titles = BooleanField(N_("Remove it from these too"), default=True)
    no_titles = HiddenField(name="no-titles")
    """There are none."""
    reason = StringField(
        N_("Reason"),
        description=N_("for the league history; don't include the name"),
        default="",
        filters=[printable],
        render_kw={"maxlength": 200, "dir": "auto", "autocomplete": "off"},
    )

    @property
    def with_titles(self) -> bool:
        """Return whether the name goes from all that there is."""
        return bool(self.titles.data or self.no_titles.raw_data)
