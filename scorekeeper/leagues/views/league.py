"""Leagues and their seasons: made, begun, closed, and the log of it all."""

from __future__ import annotations

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games.forms import plain
from scorekeeper.language import _, spoken
from scorekeeper.leagues import seasons
from scorekeeper.leagues.money_form import money_lines, money_of
from scorekeeper.leagues.pages.league import LeagueHead
from scorekeeper.leagues.queries.league import league_page, leagues_page, ledger_page
from scorekeeper.leagues.queries.new_season import season_before
from scorekeeper.leagues.season_form import SeasonForm, new_season_page, read_form, settings_of
from scorekeeper.leagues.views.asked import digits, tap_id
from scorekeeper.leagues.views.blueprint import bp
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.violation import RuleViolation


@bp.get("/leagues")
def home() -> str:
    return render_template("leagues/home.html", page=leagues_page(this_device()))


@bp.post("/leagues")
def make() -> AnyResponse:
    tap = tap_id()
    name = plain(request.form).get("name", "")
    try:
        made = seasons.make_league(name=named(name, _("Give the league a name.")), device=known_device(), client_id=tap)
    except RuleViolation as violation:
        page = leagues_page(this_device(), name=name, error=spoken(violation.message))
        return make_response(render_template("leagues/home.html", page=page), 422)
    return redirect(url_for("leagues.league", league_id=made), 303)


@bp.get("/leagues/<league_id>")
def league(league_id: str) -> str:
    return render_template("leagues/league.html", page=league_page(league_id, this_device()))


@bp.get("/leagues/<league_id>/log")
def ledger(league_id: str) -> str:
    before = digits(request.args.get("before", ""), 12)
    return render_template("leagues/log.html", page=ledger_page(league_id, this_device(), before))


@bp.route("/leagues/<league_id>/seasons", methods=["GET", "POST"])
def new_season(league_id: str) -> AnyResponse:
    head, form = season_before(league_id, this_device())
    if request.method == "GET":
        return _form(form, head)
    fields = plain(request.form) | money_lines(request.form)
    form = read_form(fields, form)
    if "show" in fields:
        return _form(form, head)
    try:
        rules = with_options(form.preset, form.options)
        counting, evening = settings_of(form)
        money = money_of(form.money)
        season = seasons.open_season(
            league=league_id,
            name=named(form.name, _("Give the season a name.")),
            rules=rules,
            counting=counting,
            plan=evening,
            money=money,
            device=this_device() or "",
            tap=tap_id(),
        )
    except RuleViolation as violation:
        return _form(form, head, violation)
    return redirect(url_for("leagues.season", season_id=season), 303)


def named(name: str, missing: str) -> str:
    """Return a name that says something; raises `RuleViolation` with the sentence `missing` for one that does not."""
    if not name.strip():
        raise RuleViolation("name_missing", missing, field="name")
    return name


def _form(form: SeasonForm, head: LeagueHead, violation: RuleViolation | None = None) -> AnyResponse:
    page = new_season_page(form, head, violation)
    return make_response(render_template("leagues/new_season.html", page=page), 422 if violation else 200)
