"""The desk: a night is opened, planned, drawn, entered and closed on one page, by its director."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from flask import Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.views.responses import to_board
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import chosen, digits, said, tap_id
from scorekeeper.leagues.nights import closing, deletion, service, tables
from scorekeeper.leagues.nights.pages.desk import Wrong
from scorekeeper.leagues.nights.queries.desk import NOTHING_WRONG, SEEDS, desk_page
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.queries import season_page
from scorekeeper.rules.violation import RuleViolation


@bp.post("/seasons/<season_id>/nights")
def open_night(season_id: str) -> AnyResponse:
    try:
        day = date.fromisoformat(request.form.get("day", ""))
    except ValueError:
        day = datetime.now(UTC).date()
    another = "another" in request.form
    try:
        night = service.open_night(season=season_id, day=day, device=device(), another=another)
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
    find = request.args.get("find", "")[:40]
    page = desk_page(night_id, this_device(), shown=digits(request.args.get("round", "")), find=find)
    return render_template("leagues/desk.html", page=page)


@bp.post("/nights/<night_id>/plan")
def plan(night_id: str) -> AnyResponse:
    return at_desk(night_id, "plan", lambda: service.plan_night(night=night_id, plan=_asked_plan(), device=device()))


@bp.post("/nights/<night_id>/draw")
def draw(night_id: str) -> AnyResponse:
    """The seed comes with the form, so that the same tap sent twice draws the same seats."""
    seed = (digits(request.form.get("seed", ""), 10) or 0) % SEEDS
    return at_desk(night_id, "draw", lambda: service.draw(night=night_id, device=device(), seed=seed))


@bp.post("/nights/<night_id>/rounds/<int:number>/swap")
def swap(night_id: str, number: int) -> AnyResponse:
    def change() -> None:
        service.swap(
            night=night_id,
            round_number=number,
            one=chosen("one"),
            other=chosen("other"),
            device=device(),
            tap=tap,
        )

    tap = tap_id()
    return at_desk(night_id, "swap", change, shown=number)


@bp.post("/nights/<night_id>/bell")
def bell(night_id: str) -> AnyResponse:
    rung = request.form.get("rung") == "1"
    return at_desk(night_id, "round", lambda: service.ring(night=night_id, device=device(), rung=rung))


@bp.post("/nights/<night_id>/new-cards")
def new_cards(night_id: str) -> AnyResponse:
    tap = tap_id()
    return at_desk(night_id, "print", lambda: service.new_cards(night=night_id, device=device(), tap=tap))


@bp.post("/nights/<night_id>/games")
def start(night_id: str) -> AnyResponse:
    """Start the game of a table, or find it started, and score it on this device."""
    table = digits(request.form.get("table", ""), 9) or 0
    game = tables.start_table(night=night_id, table=table, device=device(), client_id=tap_id())
    return to_board(game)


@bp.post("/nights/<night_id>/closing")
def close(night_id: str) -> AnyResponse:
    """Close the night where the page listed every table that is missing; else list them. Closed twice is closed."""
    seen = set(request.form.get("missing", "").split(","))

    def end() -> None:
        missing = closing.close_night(night=night_id, device=device())
        if not missing:
            return
        if {str(table.id) for table in missing} <= seen:
            closing.close_night(night=night_id, device=device(), anyway=True)
        else:
            raise RuleViolation("missing", "Other tables are missing by now. See the list.")

    def end_once() -> None:
        try:
            end()
        except RuleViolation as violation:
            if violation.code != "night_closed":
                raise

    return at_desk(night_id, "closing", end_once)


@bp.post("/nights/<night_id>/reopening")
def reopen(night_id: str) -> AnyResponse:
    reason = request.form.get("reason", "")
    return at_desk(night_id, "closing", lambda: closing.reopen_night(night=night_id, device=device(), reason=reason))


def device() -> str:
    """Return the hash of this device, empty for one that is not known: it directs nothing."""
    return this_device() or ""


def at_desk(night_id: str, part: str, act: Callable[[], Any], shown: int | None = None) -> AnyResponse:
    """Do something at the desk and lead back to that part of it; where it could not be, show the desk and say why."""
    try:
        act()
    except RuleViolation as violation:
        return desk_again(night_id, Wrong(part, said(violation), request.form.to_dict()), shown)
    return redirect(url_for("leagues.desk", night_id=night_id, round=shown, _anchor=part), 303)


def desk_again(night_id: str, wrong: Wrong = NOTHING_WRONG, shown: int | None = None) -> Response:
    """Return the desk with what was typed there, and what is wrong with it."""
    page = desk_page(night_id, this_device(), shown=shown, wrong=wrong)
    return make_response(render_template("leagues/desk.html", page=page), 422)


def _asked_plan() -> NightPlan:
    """Return the night that the form plans; raises `RuleViolation`."""
    key = request.form.get("format", "")
    form = FORMATS.get(key)
    options = {
        option.key: digits(request.form.get(f"{key}-{option.key}", "")) for option in (form.settings if form else ())
    }
    sizes = [digits(size) for size in request.form.get("sizes", "").replace(",", " ").split()]
    return NightPlan.from_json(
        {
            "format": key,
            "options": options,
            "rounds": digits(request.form.get("rounds", "")),
            "together": request.form.get("together", ""),
            "sizes": sizes,
        }
    ).check()
