"""Forms for teams, their matches and lineups, and play-offs."""

from __future__ import annotations

from wtforms import BooleanField, DateField, RadioField, SelectMultipleField, StringField, TextAreaField
from wtforms.validators import Optional

from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.core.requests import KeyedForm
from scorekeeper.web.forms import AppForm, printable

NAME = {"maxlength": 40, "dir": "auto", "autocomplete": "off"}


class SquadForm(KeyedForm):
    """Add a team or change it; the players are names, one per line, captain first."""

    name = StringField(N_("Team name"), default="", filters=[printable, str.strip], render_kw=NAME)
    division = StringField(
        N_("Division (if there are several)"), default="", filters=[printable, str.strip], render_kw=NAME
    )
    players = TextAreaField(
        N_("Players, one per line, captain first"),
        default="",
        render_kw={"rows": 5, "dir": "auto", "autocomplete": "off", "spellcheck": "false"},
    )
    remove = BooleanField()

    @property
    def names(self) -> list[str]:
        """Return the names typed, one for each line."""
        return [name for line in (self.players.data or "").splitlines() if (name := printable(line).strip())]


class MatchesForm(AppForm):
    """Make the matches of a season."""

    twice = RadioField(
        N_("Matches"),
        choices={"1": N_("Twice: home and away"), "": N_("Once")},
        default="1",
    )


class TonightForm(AppForm):
    """Choose the matches of a night, by public id."""

    match = SelectMultipleField()


class LineupForm(AppForm):
    """Choose who plays for a side of a match ("0" or "1"), by public id in the order of the pairs."""

    match = StringField(default="")
    side = StringField(default="0")
    person = SelectMultipleField()


class PlayoffForm(AppForm):
    """Start the play-offs, or their next round."""

    day = DateField(validators=[Optional()])
    reason = StringField(default="", filters=[printable, str.strip])


class QualifierForm(AppForm):
    """Name the qualifier who can't play: a person or a team, by public id.

    `came` is the team that takes the place of a team, by public id; empty for the next one in the standings.
    """

    person = StringField(default="", filters=[printable])
    team = StringField(default="", filters=[printable])
    came = StringField(default="", filters=[printable])
