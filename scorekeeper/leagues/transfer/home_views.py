"""Pages to make a league from a phone's home table, with a preview first."""

from __future__ import annotations

from typing import Any

from flask import abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games.views.home_parts import TableWay, table_way
from scorekeeper.games.views.our_table import ONLY_LOOKS
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.transfer.forms import TableChoiceForm, TableLeagueForm
from scorekeeper.leagues.transfer.home_league import league_from_table
from scorekeeper.leagues.transfer.home_preview import home_league_page
from scorekeeper.leagues.transfer.home_table import HomePlan, LooksOnlyError, NoHomeTableError, plan_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.rate_limit import NEW_LEAGUES, costly, limited


@table_way
def to_league() -> TableWay:
    """Return the button that makes a league from a home table, for the sharing page of that table."""
    return TableWay(_("Start a league from this table"), PageLink("leagues.table_to_league", {}))


@bp.get("/table/league")
@costly
def table_to_league() -> AnyResponse:
    choice = TableChoiceForm(formdata=request.args).rules.data or ""
    plan = _plan(choice)
    return _page(plan, choice, TableLeagueForm(formdata=None, data={"name": plan.name}))


@bp.post("/table/leagues")
@limited(NEW_LEAGUES)
def make_table_league() -> AnyResponse:
    form = TableLeagueForm()
    choice, tap = str(form.rules.data or ""), form.request_key
    try:
        if not (form.name.data or "").strip():
            raise RuleViolation("name_missing", _("Enter a name for the league."), field="name")
        made = league_from_table(
            name=form.name.data or "",
            choice=choice,
            seen=str(form.seen.data or ""),
            order=str(form.order.data),
            device=known_device(),
            client_id=tap,
        )
    except RuleViolation as violation:
        return _page(_plan(choice), choice, form, spoken(violation.message), 422)
    except (NoHomeTableError, LooksOnlyError):
        _plan(choice)
        raise
    return redirect(url_for("leagues.league", league_id=made), 303)


def _plan(choice: str) -> HomePlan:
    try:
        return plan_of(db.session(), this_device(), choice)
    except NoHomeTableError:
        abort(404, description=_("This phone has no table yet. Start a game first."))
    except LooksOnlyError:
        abort(403, description=_(ONLY_LOOKS))


def _page(plan: HomePlan, choice: str, form: Any, error: str = "", status: int = 200) -> AnyResponse:
    page = home_league_page(plan, choice, error)
    return make_response(render_template("leagues/transfer/home_league.html", page=page, form=form), status)
