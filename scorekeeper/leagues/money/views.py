"""The money of a night: its receipt, and what the director tells of pots, the jar and other amounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.forms import plain
from scorekeeper.games.presenters.agreements import read_cents
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import tap_id
from scorekeeper.leagues.money import service
from scorekeeper.leagues.money.queries import money_page
from scorekeeper.rules.violation import RuleViolation


@bp.get("/nights/<night_id>/money")
def money(night_id: str) -> str:
    return render_template("leagues/money.html", page=money_page(night_id, this_device()))


@bp.post("/nights/<night_id>/money/pots")
def tell_pot(night_id: str) -> AnyResponse:
    paid, won = request.form.getlist("paid"), request.form.getlist("won")
    pot = plain(request.form).get("pot", "")
    return _told(
        night_id,
        "pots",
        lambda: service.tell_pot(night=night_id, pot=pot, entrants=paid, winners=won, device=this_device() or ""),
    )


@bp.post("/nights/<night_id>/money/jar")
def tell_jar(night_id: str) -> AnyResponse:
    opened, last = "opened" in request.form, "last" in request.form
    return _told(
        night_id,
        "jar",
        lambda: service.tell_jar(night=night_id, opened=opened, last=last, device=this_device() or ""),
    )


@bp.post("/nights/<night_id>/money/amounts")
def note_amount(night_id: str) -> AnyResponse:
    fields = plain(request.form)

    def note() -> None:
        cents = read_cents(fields.get("amount", ""))
        if fields.get("way") == "out":
            cents = -cents
        reason = fields.get("reason", "")
        service.note_amount(night=night_id, cents=cents, reason=reason, device=this_device() or "", tap=tap)

    tap = tap_id()
    return _told(night_id, "amount", note)


def _told(night_id: str, part: str, act: Callable[[], Any]) -> AnyResponse:
    """Do it and show the money; where it could not be, say why."""
    try:
        act()
    except RuleViolation as violation:
        fields = plain(request.form)
        page = money_page(
            night_id,
            this_device(),
            error=spoken(violation.message),
            part=part,
            amount=fields.get("amount", "")[:20],
            reason=fields.get("reason", "")[:200],
        )
        return make_response(render_template("leagues/money.html", page=page), 422)
    return redirect(url_for("leagues.money", night_id=night_id, _anchor=part), 303)
