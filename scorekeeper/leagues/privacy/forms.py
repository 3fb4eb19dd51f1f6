"""The form to make a player anonymous."""

from __future__ import annotations

from wtforms import BooleanField, HiddenField, StringField

from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.core.requests import KeyedForm
from scorekeeper.web.forms import printable


class AnonymousForm(KeyedForm):
    """The form to make a player anonymous. With `titles`, the player's name is also removed from titles.

    Titles are, for example, the names of seasons and teams.
    """

    titles = BooleanField(N_("Remove it from these too"), default=True)
    no_titles = HiddenField(name="no-titles")
    """The page has this field in place of the checkbox `titles` if no title contains the name. Its value is ignored."""
    reason = StringField(
        N_("Reason"),
        description=N_("for the league history; don't include the name"),
        default="",
        filters=[printable],
        render_kw={"maxlength": 200, "dir": "auto", "autocomplete": "off"},
    )

    @property
    def with_titles(self) -> bool:
        """Return True if the name must be removed from titles too."""
        return bool(self.titles.data or self.no_titles.raw_data)
