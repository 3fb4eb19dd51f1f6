"""Forms for teams, their matches and lineups, and playoffs.

Views of the teams of a season, its playoffs, and the matches of a night.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from flask import Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import BooleanField, DateField, RadioField, SelectMultipleField, StringField, TextAreaField
from wtforms.validators import Optional

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import N_, spoken
from scorekeeper.leagues.core.blueprint import KeyedForm, bp
from scorekeeper.leagues.seasons.views import CSV, XLSX, download
from scorekeeper.leagues.teams import playoffs, service
from scorekeeper.leagues.teams.pages import TeamsPage
from scorekeeper.leagues.teams.queries import playoffs_page, teams_page
from scorekeeper.leagues.teams.standings import standings_csv, standings_xlsx
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.forms import AppForm, printable
from scorekeeper.web.rate_limit import costly

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


@bp.get("/seasons/<season_id>/teams")
def teams(season_id: str) -> str:
    return _teams(teams_page(season_id, this_device()))


@bp.post("/seasons/<season_id>/teams")
def add_team(season_id: str) -> AnyResponse:
    return _save(season_id, None)


@bp.post("/seasons/<season_id>/teams/<squad_id>")
def change_team(season_id: str, squad_id: str) -> AnyResponse:
    return _save(season_id, squad_id)


def _save(season_id: str, squad: str | None) -> AnyResponse:
    form = SquadForm()
    tap, device = form.request_key, this_device() or ""

    def act() -> None:
        if squad is not None and form.remove.data:
            service.remove_squad(season=season_id, squad=squad, device=device)
            return
        name, division = form.name.data or "", form.division.data or ""
        service.save_squad(
            season=season_id, squad=squad, name=name, division=division, players=form.names, device=device, tap=tap
        )

    return _saved(season_id, squad or "new", act, form)


@bp.post("/seasons/<season_id>/matches")
def make_matches(season_id: str) -> AnyResponse:
    twice = MatchesForm().twice.data != ""
    return _saved(
        season_id, "matches", lambda: service.make_matches(season=season_id, double=twice, device=this_device() or "")
    )


def _saved(season_id: str, part: str, act: Callable[[], Any], form: SquadForm | None = None) -> AnyResponse:
    """Save a change by calling `act`, and redirect to the page of teams.

    On `RuleViolation`, show the page of teams with the error message and the entries of `form`. `part` says next to
    which form the message is shown (see `TeamsPage.part`).
    """
    try:
        act()
    except RuleViolation as violation:
        page = teams_page(season_id, this_device(), error=spoken(violation.message), part=part)
        unknown = violation.code == "player_unknown"
        return make_response(_teams(page, form=form, unknown=unknown), 422)
    return redirect(url_for("leagues.teams", season_id=season_id), 303)


def _teams(page: TeamsPage, *, form: SquadForm | None = None, unknown: bool = False) -> str:
    """Return the page of teams. `form` has what was typed, and `unknown` says that it has players not in the league."""
    return render_template(
        "leagues/teams/teams.html",
        page=page,
        typed=form,
        unknown=unknown,
        empty=SquadForm(formdata=None),
        matches=MatchesForm(formdata=None),
    )


@bp.get("/seasons/<season_id>/teams.csv")
@costly
def teams_as_csv(season_id: str) -> Response:
    return download(standings_csv(season_id), CSV, f"teams-{season_id}.csv")


@bp.get("/seasons/<season_id>/teams.xlsx")
@costly
def teams_as_xlsx(season_id: str) -> Response:
    return download(standings_xlsx(season_id), XLSX, f"teams-{season_id}.xlsx")


@bp.get("/seasons/<season_id>/playoffs")
def playoffs_of(season_id: str) -> str:
    return render_template("leagues/teams/playoffs.html", page=playoffs_page(season_id, this_device()))


@bp.post("/seasons/<season_id>/playoffs")
def start_playoffs(season_id: str) -> AnyResponse:
    """Start the playoffs or, if fixed teams play, their next round.

    Then redirect to the page from which the new night is run.
    """
    form = PlayoffForm()
    day, reason = form.day.data or datetime.now(UTC).date(), form.reason.data or ""
    try:
        night = playoffs.start_playoffs(
            season=season_id, day=day, device=this_device() or "", reason=reason, pairs=form.pairs
        )
    except RuleViolation as violation:
        page = playoffs_page(season_id, this_device(), error=spoken(violation.message))
        return make_response(render_template("leagues/teams/playoffs.html", page=page), 422)
    return redirect(url_for("leagues.desk", night_id=night), 303)
