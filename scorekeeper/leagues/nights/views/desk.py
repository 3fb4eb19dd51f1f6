"""The desk: people come and go, a night is planned, drawn, entered and closed on one page, by its director."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.views.responses import to_board
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import KeyedForm, digits, said
from scorekeeper.leagues.nights import closing, deletion, forms, service, substitutions, tables
from scorekeeper.leagues.nights.pages.desk import Wrong
from scorekeeper.leagues.nights.queries.desk import SEEDS, desk_page, person_named
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.standings.queries import season_page
from scorekeeper.rules.violation import RuleViolation

NOTHING_WRONG = Wrong()


@bp.post("/seasons/<season_id>/nights")
def open_night(season_id: str) -> AnyResponse:
    form = forms.OpenNightForm()
    day = form.day.data or datetime.now(UTC).date()
    try:
        night = service.open_night(season=season_id, day=day, device=device(), another=form.another.data)
    except RuleViolation as violation:
        if violation.code != "night_there":
            raise
        page = season_page(season_id, this_device(), error=said(violation), twice=day)
        return make_response(render_template("leagues/season.html", page=page), 422)
    return redirect(url_for("leagues.desk", night_id=night), 303)


@bp.post("/nights/<night_id>/removal")
def remove_night(night_id: str) -> AnyResponse:
    """Remove a night that was opened by mistake, and lead to its season."""
    try:
        season = deletion.remove_night(night=night_id, device=device())
    except RuleViolation as violation:
        return desk_again(night_id, Wrong("closing", said(violation)))
    return redirect(url_for("leagues.season", season_id=season), 303)


@bp.get("/nights/<night_id>/desk")
def desk(night_id: str) -> str:
    return _drawn(night_id, digits(request.args.get("round", "")), find=request.args.get("find", "")[:40])


@bp.post("/nights/<night_id>/people")
def check_in(night_id: str) -> AnyResponse:
    came = forms.PeopleForm().person.data or ()
    return at_desk(night_id, "door", lambda: service.check_in(night=night_id, people=came, device=device()))


@bp.post("/nights/<night_id>/people/new")
def newcomer(night_id: str) -> AnyResponse:
    """Add a name that is new to the league, and check it in; one that is in the book is only checked in."""
    form = forms.NewcomerForm()
    name = form.name.data or ""

    def add() -> None:
        if known := person_named(night_id, name):
            service.let_in_named(night=night_id, person=known, device=device())
        else:
            told = PersonData(name=name, guest=form.guest.data)
            service.let_in_new(night=night_id, told=told, device=device())

    return at_desk(night_id, "door", add)


@bp.post("/nights/<night_id>/people/leaving")
def check_out(night_id: str) -> AnyResponse:
    form = forms.PeopleForm()
    return at_desk(night_id, "here", lambda: service.check_out(night=night_id, person=form.chosen[0], device=device()))


@bp.post("/nights/<night_id>/substitutes")
def set_sub(night_id: str) -> AnyResponse:
    form = forms.SubstituteForm()
    regular = form.regular.data or None

    def change() -> None:
        substitutions.set_sub(night=night_id, person=form.chosen[0], regular=regular, device=device())

    return at_desk(night_id, "subs", change)


@bp.post("/nights/<night_id>/partners")
def set_team(night_id: str) -> AnyResponse:
    """Let people be partners for the night; one alone is parted from theirs."""
    form = forms.PeopleForm()
    return at_desk(night_id, "teams", lambda: service.set_team(night=night_id, people=form.chosen, device=device()))


@bp.post("/nights/<night_id>/plan")
def plan(night_id: str) -> AnyResponse:
    form = forms.NightPlanForm()
    return at_desk(night_id, "plan", lambda: service.plan_night(night=night_id, plan=form.plan, device=device()))


@bp.post("/nights/<night_id>/draw")
def draw(night_id: str) -> AnyResponse:
    """The seed comes with the form, so that the same tap sent twice draws the same seats."""
    seed = (forms.DrawForm().seed.data or 0) % SEEDS
    return at_desk(night_id, "draw", lambda: service.draw(night=night_id, device=device(), seed=seed))


@bp.post("/nights/<night_id>/rounds/<int:number>/swap")
def swap(night_id: str, number: int) -> AnyResponse:
    form = forms.SwapForm()
    tap = form.request_key

    def change() -> None:
        one, other = form.chosen
        service.swap(night=night_id, round_number=number, one=one, other=other, device=device(), tap=tap)

    return at_desk(night_id, "swap", change, shown=number)


@bp.post("/nights/<night_id>/bell")
def bell(night_id: str) -> AnyResponse:
    rung = forms.BellForm().rung.data
    return at_desk(night_id, "round", lambda: service.ring(night=night_id, device=device(), rung=rung))


@bp.post("/nights/<night_id>/new-cards")
def new_cards(night_id: str) -> AnyResponse:
    tap = KeyedForm().request_key
    return at_desk(night_id, "print", lambda: service.new_cards(night=night_id, device=device(), tap=tap))


@bp.post("/nights/<night_id>/games")
def start(night_id: str) -> AnyResponse:
    """Start the game of a table, or find it started, and score it on this device."""
    form = forms.StartTableForm()
    game = tables.start_table(night=night_id, table=form.table.data or 0, device=device(), client_id=form.request_key)
    return to_board(game)


@bp.post("/nights/<night_id>/closing")
def close(night_id: str) -> AnyResponse:
    """Close the night where the page listed every table that is missing; else list them. Closed twice is closed."""
    listed = forms.ClosingForm().listed

    def end() -> None:
        try:
            missing = closing.close_night(night=night_id, device=device(), listed=listed)
        except RuleViolation as violation:
            if violation.code != "night_closed":
                raise
            return
        if not {table.id for table in missing} <= listed:
            raise RuleViolation("missing", "Other tables are missing by now. See the list.")

    return at_desk(night_id, "closing", end)


@bp.post("/nights/<night_id>/reopening")
def reopen(night_id: str) -> AnyResponse:
    reason = forms.ReasonForm().reason.data or ""
    return at_desk(night_id, "closing", lambda: closing.reopen_night(night=night_id, device=device(), reason=reason))


def device() -> str:
    """Return the hash of this device, empty for one that is not known: it directs nothing."""
    return this_device() or ""


def at_desk(night_id: str, part: str, act: Callable[[], Any], shown: int | None = None) -> AnyResponse:
    """Do something at the desk and lead back to that part of it; where it could not be, show the desk and say why."""
    try:
        act()
    except RuleViolation as violation:
        return desk_again(night_id, Wrong(part, said(violation)), shown)
    return redirect(url_for("leagues.desk", night_id=night_id, round=shown, _anchor=part), 303)


def desk_again(night_id: str, wrong: Wrong, shown: int | None = None) -> AnyResponse:
    """Return the desk with what was typed there, and what is wrong with it."""
    return make_response(_drawn(night_id, shown, wrong=wrong), 422)


def _drawn(night_id: str, shown: int | None, *, find: str = "", wrong: Wrong = NOTHING_WRONG) -> str:
    """Draw the desk; its forms hold what was sent, else what stands."""
    page = desk_page(night_id, this_device(), shown=shown, find=find)
    lines = forms.score_lines(page.shown)
    for line in lines:
        if violation := wrong.tables.get(line.table.id):
            line.refuse_score(violation)
    nobody = not page.last_time and not page.others
    return render_template(
        "leagues/desk.html",
        page=page,
        wrong=wrong,
        newcomer=forms.NewcomerForm(name=find if nobody else ""),
        plan=forms.NightPlanForm.of(page.plan),
        lines=lines,
        reason=forms.ReasonForm(),
    )
