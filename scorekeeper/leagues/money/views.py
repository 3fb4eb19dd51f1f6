"""Views of the money of a night: the receipt, and forms for pots, the kitty and other money."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.money import service
from scorekeeper.leagues.money.forms import AmountForm, KittyForm, PotMembersForm
from scorekeeper.leagues.money.queries import money_page
from scorekeeper.rules.violation import RuleViolation


@bp.get("/nights/<night_id>/money")
def money(night_id: str) -> str:
    page = money_page(night_id, this_device())
    return render_template("leagues/money/money.html", page=page, form=AmountForm())


@bp.post("/nights/<night_id>/money/pots")
def save_pot(night_id: str) -> AnyResponse:
    form = PotMembersForm()
    pot, paid, won = form.pot.data or "", form.paid.data or (), form.won.data or ()
    return _saved(
        night_id,
        "pots",
        lambda: service.save_pot(night=night_id, pot=pot, entrants=paid, winners=won, device=this_device() or ""),
    )


@bp.post("/nights/<night_id>/money/jar")
def save_kitty(night_id: str) -> AnyResponse:
    form = KittyForm()
    opened, last = form.opened.data, form.last.data
    return _saved(
        night_id,
        "kitty",
        lambda: service.save_kitty(night=night_id, opened=opened, last=last, device=this_device() or ""),
    )


@bp.post("/nights/<night_id>/money/amounts")
def note_amount(night_id: str) -> AnyResponse:
    form = AmountForm()
    tap, reason, device = form.request_key, form.reason.data or "", this_device() or ""
    return _saved(
        night_id,
        "amount",
        lambda: service.note_amount(night=night_id, cents=form.cents, reason=reason, device=device, tap=tap),
        form,
    )


def _saved(night_id: str, part: str, act: Callable[[], Any], form: AmountForm | None = None) -> AnyResponse:
    """Run `act` and show the money; if it is refused, show why."""
    try:
        act()
    except RuleViolation as violation:
        page = money_page(night_id, this_device(), error=spoken(violation.message), part=part)
        shown = render_template("leagues/money/money.html", page=page, form=form or AmountForm(formdata=None))
        return make_response(shown, 422)
    return redirect(url_for("leagues.money", night_id=night_id, _anchor=part), 303)
