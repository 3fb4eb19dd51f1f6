"""Forms of the operator's page."""

from __future__ import annotations

from wtforms import IntegerField, StringField

from scorekeeper.i18n.catalog import N_
from scorekeeper.web.forms import AppForm, at_most, printable
from scorekeeper.web.installation import LONGEST_SENTENCE


class SearchForm(AppForm):
    """The search for a league, in the address of the page."""

    q = StringField(default="", filters=[printable, str.strip, at_most(60)])
    page = IntegerField(default=1)


class BecauseForm(AppForm):
    """A sentence for players: why a league is turned off, or why saving is paused."""

    because = StringField(N_("Reason"), default="", filters=[printable, str.strip, at_most(LONGEST_SENTENCE)])


class NewDirectorForm(AppForm):
    """The name of a new director."""

    name = StringField(
        N_("Name"),
        default="",
        filters=[printable, at_most(100)],
        render_kw={"maxlength": 40, "autocomplete": "off", "dir": "auto", "required": True},
    )
