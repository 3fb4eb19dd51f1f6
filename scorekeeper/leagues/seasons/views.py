"""Views that create leagues, start, close and reopen seasons, show the history, and export the standings."""

from types import SimpleNamespace

from flask import Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts import sessions
from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.accounts.sessions import this_session
from scorekeeper.accounts.views import keep_session
from scorekeeper.games.presenters.facts import game_facts
from scorekeeper.games.presenters.new_game import option_fields
from scorekeeper.games.presenters.score_sheet import usual_seating
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.leagues.audit.queries import ledger_page, whole_ledger
from scorekeeper.leagues.calendar.queries import next_of
from scorekeeper.leagues.core.access import LeagueHead
from scorekeeper.leagues.core.blueprint import bp, digits
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.money.queries import money_rule
from scorekeeper.leagues.results.grid import grid_sheet, season_grid, season_grids
from scorekeeper.leagues.results.queries import latest_of
from scorekeeper.leagues.seasons import service
from scorekeeper.leagues.seasons.forms import LeagueForm, ReopeningForm, SeasonForm
from scorekeeper.leagues.seasons.queries import league_page, leagues_page, season_before
from scorekeeper.leagues.standings.columns import standings_csv, standings_xlsx
from scorekeeper.leagues.standings.pages import SeasonPage
from scorekeeper.leagues.standings.queries import rows_to_export, season_page
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import table_at
from scorekeeper.web.csv_cells import LogRow, log_csv, log_file, log_json
from scorekeeper.web.rate_limit import NEW_LEAGUES, costly, limited


@bp.get("/leagues")
def home() -> str:
    return render_template("leagues/seasons/leagues.html", page=leagues_page(this_device()), form=LeagueForm())


@bp.post("/leagues")
@limited(NEW_LEAGUES)
def make() -> AnyResponse:
    form = LeagueForm()
    tap = form.request_key
    try:
        name = named(form.name.data or "", _("Enter a name for the league."))
        session = this_session()
        account = None if session is None else session.account
        made = service.make_league(name=name, device=known_device(), client_id=tap, account=account)
    except RuleViolation as violation:
        form.refuse("name", spoken(violation.message))
        return make_response(
            render_template("leagues/seasons/leagues.html", page=leagues_page(this_device()), form=form), 422
        )
    if session is not None:
        keep_session(sessions.renew(session_id=session.id))
    return redirect(url_for("leagues.league", league_id=made), 303)


@bp.get("/leagues/<league_id>")
def league(league_id: str) -> str:
    page = league_page(league_id, this_device())
    return render_template(
        "leagues/seasons/league.html", page=page, upcoming=next_of(league_id), latest=latest_of(league_id)
    )


@bp.get("/leagues/<league_id>/log")
def ledger(league_id: str) -> str:
    before, night = digits(request.args.get("before", ""), 12), request.args.get("night", "")
    return render_template("leagues/audit/log.html", page=ledger_page(league_id, this_device(), before, night))


@bp.get("/leagues/<league_id>/log.csv")
def ledger_as_csv(league_id: str) -> Response:
    return log_file(log_csv(_rows(league_id)), f"log-{league_id}.csv")


@bp.get("/leagues/<league_id>/log.json")
def ledger_as_json(league_id: str) -> Response:
    return log_file(log_json(_rows(league_id)), f"log-{league_id}.json")


def _rows(league_id: str) -> list[LogRow]:
    lines = whole_ledger(league_id)
    return [LogRow(one.when, one.who, one.what, one.before, one.after, one.reason, one.night) for one in lines]


@bp.route("/leagues/<league_id>/seasons", methods=["GET", "POST"])
def new_season(league_id: str) -> AnyResponse:
    head, before = season_before(league_id, this_device())
    form = SeasonForm(data=before)
    if not form.is_submitted() or form.show.data:
        return _form(form, head)
    try:
        rules = with_options(form.game, form.options)
        counting, plan, money = form.read_counting(), form.read_night(), form.read_money()
        season = service.open_season(
            league=league_id,
            name=named(form.name.data or "", _("Enter a name for the season.")),
            rules=rules,
            counting=counting,
            plan=plan,
            money=money,
            playoffs=form.read_playoffs(),
            device=this_device() or "",
            tap=form.request_key,
        )
    except RuleViolation as violation:
        return _form(form, head, violation)
    return redirect(url_for("leagues.season", season_id=season), 303)


def named(name: str, missing: str) -> str:
    """Return `name`. If it is blank, raise `RuleViolation` with the message `missing`."""
    if not name.strip():
        raise RuleViolation("name_missing", missing, field="name")
    return name


def _form(form: SeasonForm, head: LeagueHead, violation: RuleViolation | None = None) -> AnyResponse:
    error = form.refused(violation) if violation else ""
    wrong, message = (violation.field or "", violation.message) if violation else ("", "")
    rules = option_fields(form.game, form.options, wrong, message)
    facts = game_facts(table_at(form.game, usual_seating(form.game)))
    page = SimpleNamespace(
        league=head,
        game=spoken(form.game.name),
        rules=rules,
        rules_changed=len(form.options),
        client_id=new_tap_id(),
        error=error,
        facts=facts,
    )
    return make_response(
        render_template("leagues/seasons/new_season.html", page=page, form=form), 422 if violation else 200
    )


CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@bp.get("/seasons/<season_id>")
def season(season_id: str) -> str:
    return season_html(season_page(season_id, this_device()))


def season_html(page: SeasonPage) -> str:
    """Return the HTML of a season's page, including the points by night and the next nights."""
    return render_template(
        "leagues/seasons/season.html",
        page=page,
        money=money_rule(page.id),
        grids=season_grids(page.id),
        upcoming=next_of(page.league.id),
    )


@bp.get("/seasons/<season_id>/<who>.csv")
@costly
def standings_as_csv(season_id: str, who: str) -> Response:
    rows, names, _title = rows_to_export(season_id, who)
    return download(standings_csv(rows, names), CSV, f"standings-{season_id}-{who}.csv")


@bp.get("/seasons/<season_id>/<who>.xlsx")
@costly
def standings_as_xlsx(season_id: str, who: str) -> Response:
    rows, names, title = rows_to_export(season_id, who)
    grid = grid_sheet(season_grid(season_id, who))
    return download(standings_xlsx(rows, names, title, (grid,)), XLSX, f"standings-{season_id}-{who}.xlsx")


@bp.post("/seasons/<season_id>/closing")
def close_season(season_id: str) -> AnyResponse:
    try:
        service.close_season(season=season_id, device=this_device() or "")
    except RuleViolation as violation:
        return _again(season_id, violation)
    return redirect(url_for("leagues.season", season_id=season_id), 303)


@bp.post("/seasons/<season_id>/reopening")
def reopen_season(season_id: str) -> AnyResponse:
    try:
        reason = ReopeningForm().reason.data
        if not reason:
            raise RuleViolation("reason_missing", "Enter a reason for reopening the season.", field="reason")
        service.reopen_season(season=season_id, device=this_device() or "", reason=reason)
    except RuleViolation as violation:
        return _again(season_id, violation)
    return redirect(url_for("leagues.season", season_id=season_id), 303)


def _again(season_id: str, violation: RuleViolation) -> AnyResponse:
    page = season_page(season_id, this_device(), error=spoken(violation.message))
    page.league.demand(Role.OWNER)
    return make_response(season_html(page), 422)


def download(content: bytes, kind: str, name: str) -> Response:
    """Return a response that makes the browser save `content` as the file `name`. `kind` is the media type."""
    response = make_response(content)
    response.headers["Content-Type"] = kind
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
