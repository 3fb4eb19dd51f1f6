"""Views of money: the receipt of a night, its pots, kitty and other money, and the accounts of a season."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.blueprint import bp, kept_nowhere
from scorekeeper.leagues.money import payments, service
from scorekeeper.leagues.money.forms import EVERYONE, AmountForm, KittyForm, PaymentForm, PotMembersForm
from scorekeeper.leagues.money.queries import accounts_csv, everyone_in, money_page, season_money_page
from scorekeeper.rules.phrase import RuleViolation


@bp.get("/nights/<night_id>/money")
def money(night_id: str) -> str:
    page = money_page(night_id, this_device())
    unfolded, saved = request.args.get("pot", ""), request.args.get("saved", "")
    return render_template("leagues/money/money.html", page=page, form=AmountForm(), unfolded=unfolded, saved=saved)


@bp.post("/nights/<night_id>/money/pots")
def save_pot(night_id: str) -> AnyResponse:
    form = PotMembersForm()
    pot, paid, won, whole = form.pot.data or "", form.paid.data or (), form.won.data or (), form.whole
    device = this_device() or ""
    answer = _saved(
        night_id,
        "pots",
        lambda: service.save_pot(night=night_id, pot=pot, entrants=paid, winners=won, all_in=whole, device=device),
        pot=form,
    )
    if answer.status_code != 303 or not whole:
        return answer
    # Single exceptions come next, so the list stays open.
    return redirect(url_for("leagues.money", night_id=night_id, pot=pot, saved="pots", _anchor="pots"), 303)


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


@bp.get("/seasons/<season_id>/money")
def season_money(season_id: str) -> AnyResponse:
    return _accounts(season_id)


@bp.get("/seasons/<season_id>/money.csv")
def season_money_as_csv(season_id: str) -> AnyResponse:
    response = kept_nowhere("")
    response.data = accounts_csv(season_id, this_device())
    response.headers["Content-Type"] = "text/csv; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="money-{season_id}.csv"'
    return response


@bp.post("/seasons/<season_id>/money/payments")
def save_payment(season_id: str) -> AnyResponse:
    form = PaymentForm()
    tap, (person, owing) = form.request_key, form.settled
    now = datetime.now(UTC)
    told: dict[str, Any] = {"season": season_id, "device": this_device() or "", "tap": tap, "now": now}
    try:
        if person:
            today = now.astimezone().date()
            payments.save_payment(people=[person], cents=owing, owing=owing, day=today, **told)
        else:
            chosen = form.person.data or ""
            people = everyone_in(season_id, this_device()) if chosen == EVERYONE else [chosen] if chosen else []
            payments.save_payment(
                people=people,
                cents=form.cents,
                charge=form.way.data == "owes",
                day=form.day.data or now.astimezone().date(),
                what=form.what.data or "",
                **told,
            )
    except RuleViolation as violation:
        return _accounts(season_id, form, violation)
    return redirect(url_for("leagues.season_money", season_id=season_id), 303)


@bp.post("/seasons/<season_id>/money/payments/<int:payment>/correction")
def correct_payment(season_id: str, payment: int) -> AnyResponse:
    payments.correct_payment(season=season_id, payment=payment, device=this_device() or "", now=datetime.now(UTC))
    who = request.args.get("who") or None
    return redirect(url_for("leagues.season_money", season_id=season_id, who=who, _anchor=who and f"a-{who}"), 303)


def _accounts(season_id: str, form: PaymentForm | None = None, violation: RuleViolation | None = None) -> AnyResponse:
    """Return the page with the accounts of a season, with headers that forbid caching.

    `form` is a refused form, which is shown again with the error `violation`. If `form` is None, a blank form is shown.
    """
    error = spoken(violation.message) if violation else ""
    page = season_money_page(season_id, this_device(), who=request.args.get("who", ""), error=error)
    shown = form or PaymentForm(formdata=None)
    html = render_template("leagues/money/season_money.html", page=page, form=shown, everyone=EVERYONE)
    return kept_nowhere(html, 422 if violation else 200)


def _saved(
    night_id: str,
    part: str,
    act: Callable[[], Any],
    form: AmountForm | None = None,
    pot: PotMembersForm | None = None,
) -> AnyResponse:
    """Run `act`, which saves a change, and redirect to the money page of the night.

    If `act` raises `RuleViolation`, show the money page with the error at the form named by `part`. The posted `form`
    for an amount, or the posted choices for a `pot`, are then shown again. If `form` is None, that form is blank.
    """
    try:
        act()
    except RuleViolation as violation:
        page = money_page(night_id, this_device(), error=spoken(violation.message), part=part)
        unfolded = ""
        if pot is not None:
            unfolded, paid, won = pot.pot.data or "", set(pot.paid.data or ()), set(pot.won.data or ())
            page.pots = [each.chosen(paid, won) if each.name == unfolded else each for each in page.pots]
        form = form or AmountForm(formdata=None)
        return make_response(
            render_template("leagues/money/money.html", page=page, form=form, unfolded=unfolded, saved=""), 422
        )
    return redirect(url_for("leagues.money", night_id=night_id, saved=part, _anchor=part), 303)
