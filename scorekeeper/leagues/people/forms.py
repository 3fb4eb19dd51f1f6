"""Forms for the players of a league. The service checks the names."""

from __future__ import annotations

from typing import Any

from wtforms import BooleanField, HiddenField, StringField, TextAreaField

from scorekeeper.i18n.catalog import N_
from scorekeeper.rules.record import tidy_name
from scorekeeper.web.forms import AppForm, printable

TYPED = {"dir": "auto", "autocomplete": "off"}


def _lines(text: str | None) -> str:
    """Return the typed lines without control characters and without spaces around each line; "" for None."""
    return "\n".join(printable(line).strip() for line in (text or "").splitlines())


def _unix(text: str | None) -> str:
    return (text or "").replace("\r\n", "\n")


class AddPeopleForm(AppForm):
    """The form to add players, one name per line."""

    names = TextAreaField(
        N_("Names"),
        description=N_("one per line; duplicates are skipped"),
        filters=[_lines],
        render_kw={**TYPED, "rows": 8, "autocapitalize": "words", "spellcheck": "false"},
    )
    guest = BooleanField(N_("These are guests"))
    another = BooleanField(N_("Add them even if names look alike"))

    def named(self) -> dict[str, str]:
        """Return the typed names, by their case-folded form. If a name was typed twice, only the first one is kept."""
        named: dict[str, str] = {}
        for line in filter(None, (self.names.data or "").split("\n")):
            named.setdefault(tidy_name(line).casefold(), line)
        return named


def _short(label: str, help_text: str) -> Any:
    how = {**TYPED, "maxlength": 40, "autocapitalize": "words"}
    return StringField(label, description=help_text, filters=[printable], render_kw=how)


class PersonForm(AppForm):
    """The form to change the details of a player."""

    name = _short(N_("Name"), N_("A new name shows on every page. Score sheets of past games keep the old one."))
    nickname = _short(
        N_("Nickname"),
        N_(
            "Shown instead of the name on league nights: at tables, on the TV, and in the night's results. Leave blank "
            "if none."
        ),
    )
    guest = BooleanField(N_("Guest"))
    retired = BooleanField(N_("Retired"), description=N_("Hidden at check-in. Past results stay."))
    notes = TextAreaField(
        N_("Notes (only owners see them)"),
        filters=[_unix],
        render_kw={**TYPED, "rows": 3, "maxlength": 500},
    )


class MergeForm(AppForm):
    """The form to merge a player into another player. `into` is the public id of the other player."""

    into = HiddenField()
