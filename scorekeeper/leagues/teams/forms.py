"""Forms for teams, their matches and lineups, and playoffs."""

from __future__ import annotations

from wtforms import BooleanField, DateField, RadioField, SelectMultipleField, StringField, TextAreaField
from wtforms.validators import Optional

from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.core.requests import KeyedForm
from scorekeeper.web.forms import AppForm, printable

NAME = {"maxlength": 40, "dir": "auto", "autocomplete": "off"}


class SquadForm(KeyedForm):
    """The form to add, change or remove a team. Players are entered as names, one per line, with the captain first."""

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
        """Return the typed names, in order, without empty lines."""
        return [name for line in (self.players.data or "").splitlines() if (name := printable(line).strip())]


class MatchesForm(AppForm):
    """The form to make all matches of a season. Each team meets every other team in its division once or twice."""

    twice = RadioField(
        N_("Matches"),
        choices={"1": N_("Twice: home and away"), "": N_("Once")},
        default="1",
    )


class TonightForm(AppForm):
    """The form to choose which matches are played on a night. Matches are given by their public ids."""

    match = SelectMultipleField()


class LineupForm(AppForm):
    """The form to choose who plays for one side of a match.

    `match` is the public id of the match, and `side` is "0" for home or "1" for visitors. `person` has the public ids
    of the players. Partners are next to each other.
    """

    match = StringField(default="")
    side = StringField(default="0")
    person = SelectMultipleField()


class ForfeitForm(AppForm):
    """The form to record that a team forfeits a match, or to undo that. `match` is the public id of the match.

    `side` is "0" if the home team forfeits, "1" for the visitors, "2" for both, and "" if the match is played.
    """

    match = StringField(default="")
    side = StringField(default="")


class PlayoffForm(AppForm):
    """The form to start the playoffs, or the next round of the playoffs."""

    day = DateField(validators=[Optional()])
    reason = StringField(default="", filters=[printable, str.strip])
    sides = StringField(default="")
    """"pairs" or "singles" for people who qualified individually; "" if there was no choice."""

    @property
    def pairs(self) -> bool | None:
        """Return whether pairs play; None if the page left no choice."""
        return {"pairs": True, "singles": False}.get(self.sides.data or "")


class QualifierForm(AppForm):
    """The form to replace a player or team that qualified for the playoffs but can't play.

    `person` or `team` is the public id of the player or team that can't play. `came` is the public id of the team that
    replaces `team`. If `came` is empty, the next team in the standings replaces `team`.
    """

    person = StringField(default="", filters=[printable])
    team = StringField(default="", filters=[printable])
    came = StringField(default="", filters=[printable])
