"""Forms of open clubs."""

from __future__ import annotations

from wtforms import BooleanField, RadioField, StringField

from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.publishing.names import SHORT, STYLES
from scorekeeper.leagues.publishing.slugs import LONGEST
from scorekeeper.web.forms import AppForm, printable


class ClubForm(AppForm):
    """The form to make a league public or private, and to choose its public address and how names are shown."""

    is_open = BooleanField(
        N_("Make league public"),
        description=N_(
            "Anyone can see your results: on this server's home page, in search engines, and in other programs "
            "that read them."
        ),
    )
    slug = StringField(
        N_("Address"),
        default="",
        filters=[printable, str.strip],
        render_kw={"maxlength": LONGEST, "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"},
    )
    names = RadioField(N_("Names"), choices=dict(STYLES), default=SHORT, validate_choice=False)


class ForgetForm(AppForm):
    """The form to remove a league from this phone's list of visited leagues."""

    token = StringField(default="", filters=[printable])
