"""Final scores from paper: a round at once at the desk, and one table on the phone that scores there."""

from __future__ import annotations

import functools
from collections.abc import Callable

from flask import make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import _
from scorekeeper.leagues.core.access import NoSuchLeagueError, NotAllowedError
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.nights import forms, table_disputes, tables
from scorekeeper.leagues.nights.final_scores import judge
from scorekeeper.leagues.nights.pages.desk import Wrong
from scorekeeper.leagues.nights.queries.desk import desk_page
from scorekeeper.leagues.nights.queries.table import table_page
from scorekeeper.leagues.nights.views.desk import View, at_desk, desk_again, device
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


def at_table(act: View) -> Callable[..., AnyResponse]:
    """Let a view do something about a table's result and lead back to its page; where it could not be, say why."""

    @functools.wraps(act)
    def view(night_id: str, table: int) -> AnyResponse:
        try:
            act(night_id, table)
        except RuleViolation as violation:
            return _drawn(night_id, table, violation)
        return redirect(url_for("leagues.table", night_id=night_id, table=table), 303)

    return view


@bp.post("/nights/<night_id>/rounds/<int:number>/results")
@at_desk("round")
def enter_results(night_id: str, number: int) -> AnyResponse | None:
    """Write down every score of a round that was typed or changed; what cannot be stays on the page, and says why."""
    if _settled_tie(night_id):
        return None
    page = desk_page(night_id, this_device(), shown=number)
    changed = [line for line in forms.score_lines(page.shown) if line.changed]
    reason = forms.ReasonForm().reason.data or ""
    refused: dict[int, RuleViolation] = {}
    for line in changed:
        try:
            _enter(night_id, line, reason)
        except RuleViolation as violation:
            refused[line.table.id] = violation
    if not refused:
        return None  # with a round all told, the next one is what the desk goes on with
    some = len(refused) < len(changed)
    says = _("The others are saved; these are not.") if some else _("Tables marked below are not saved yet.")
    return desk_again(night_id, Wrong("round", says, refused), number)


def _enter(night_id: str, line: forms.ScoreLineForm, reason: str) -> None:
    table = line.table
    if line.was.data != table.stands:
        message = Phrase("Somebody entered another score meanwhile: %(score)s.", score=",".join(table.points))
        raise RuleViolation("score_changed", message)
    said = judge(night_id, table.id, line.numbers, line.answer)
    tables.tell_result(
        night=night_id,
        table=table.id,
        totals=said.totals,
        winner=said.winner,
        ended_by=said.ended_by,
        device=device(),
        reason=reason,
    )


@bp.get("/nights/<night_id>/tables/<int:table>")
def table(night_id: str, table: int) -> AnyResponse:
    return _drawn(night_id, table)


@bp.post("/nights/<night_id>/tables/<int:table>/confirmations")
@at_table
def confirm(night_id: str, table: int) -> None:
    form = forms.ConfirmationForm()
    side, seat, points = form.side.data, form.seat.data, form.points
    table_disputes.confirm(night=night_id, table=table, side=side, seat=seat, points=points, device=device())


@bp.post("/nights/<night_id>/tables/<int:table>/objections")
@at_table
def object_to(night_id: str, table: int) -> None:
    table_disputes.object_to(night=night_id, table=table, points=forms.ObjectionForm().points, device=device())


@bp.post("/nights/<night_id>/tables/<int:table>/settlement")
@at_table
def settle_result(night_id: str, table: int) -> None:
    form = forms.SettlementForm()
    reason = form.reason.data or ""
    table_disputes.settle(night=night_id, table=table, how=form.chosen, device=device(), reason=reason)


@bp.post("/nights/<night_id>/tables/<int:table>/reopening")
@at_table
def reopen_result(night_id: str, table: int) -> None:
    """Open a result that is fixed for a correction hand by hand, at the desk."""
    reason = forms.ReasonForm().reason.data or ""
    table_disputes.reopen_result(night=night_id, table=table, device=device(), reason=reason)


@bp.post("/nights/<night_id>/tables/<int:table>/result")
@at_table
def tell_result(night_id: str, table: int) -> None:
    """Let the phone that scores a table tell only how it ended."""
    page = table_page(night_id, table, this_device())
    if _settled_tie(night_id):
        return
    if not page.table.game:
        raise NoSuchLeagueError
    if not page.may_score:
        raise NotAllowedError(Role.HELPER)
    form = forms.TellForm()
    tap, said = form.request_key, judge(night_id, table, form.numbers, form.answer)
    table_disputes.tell(night=night_id, table=table, said=said, device=device(), tap=tap)


def _settled_tie(night_id: str) -> bool:
    """Let the side go on that was tapped, and return whether one was."""
    form = forms.TieForm()
    if form.tie.data is None:
        return False
    table, side, points = form.told
    tables.settle_tie(night=night_id, table=table, side=side, points=points, device=device())
    return True


def _drawn(night_id: str, table: int, violation: RuleViolation | None = None) -> AnyResponse:
    """Draw the page of a table; its forms hold what was sent, and say what is wrong with it."""
    page = table_page(night_id, table, this_device())
    final = forms.TellForm()
    error = final.refused(violation, page.table.sides) if violation else ""
    told = render_template("leagues/table.html", page=page, final=final, reason=forms.ReasonForm(), refused=error)
    return make_response(told, 422 if violation else 200)
