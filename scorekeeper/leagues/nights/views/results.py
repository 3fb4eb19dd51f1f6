"""Final scores from paper: a round at once at the desk, and one table on the phone that scores there."""

from __future__ import annotations

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
from scorekeeper.leagues.nights.views.desk import at_desk, desk_again, device
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


@bp.post("/nights/<night_id>/rounds/<int:number>/results")
def enter_results(night_id: str, number: int) -> AnyResponse:
    """Write down every score of a round that was typed or changed; what cannot be stays on the page, and says why."""
    tie = forms.TieForm()
    if tie.tapped:
        return at_desk(night_id, "round", lambda: _settle_tie(night_id, tie), shown=number)
    page = desk_page(night_id, this_device(), shown=number)
    changed = [line for line in forms.score_lines(page.shown) if line.changed]
    reason = forms.ReasonForm().reason.data or ""
    refused: dict[int, RuleViolation] = {}
    for line in changed:
        try:
            _enter(night_id, line, reason)
        except RuleViolation as violation:
            refused[line.table.id] = violation
    if refused:
        some = len(refused) < len(changed)
        says = _("The others are saved; these are not.") if some else _("Tables marked below are not saved yet.")
        return desk_again(night_id, Wrong("round", says, refused), number)
    # With a round all told, the next one is what the desk goes on with.
    return redirect(url_for("leagues.desk", night_id=night_id, round=number, _anchor="round"), 303)


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
def confirm(night_id: str, table: int) -> AnyResponse:
    form = forms.ConfirmationForm()

    def act() -> None:
        side, seat = form.side.data, form.seat.data
        table_disputes.confirm(night=night_id, table=table, side=side, seat=seat, points=form.points, device=device())

    return _at_table(night_id, table, act)


@bp.post("/nights/<night_id>/tables/<int:table>/objections")
def object_to(night_id: str, table: int) -> AnyResponse:
    form = forms.ObjectionForm()
    return _at_table(
        night_id,
        table,
        lambda: table_disputes.object_to(night=night_id, table=table, points=form.points, device=device()),
    )


@bp.post("/nights/<night_id>/tables/<int:table>/settlement")
def settle_result(night_id: str, table: int) -> AnyResponse:
    form = forms.SettlementForm()

    def act() -> None:
        how, reason = form.chosen, form.reason.data or ""
        table_disputes.settle(night=night_id, table=table, how=how, device=device(), reason=reason)

    return _at_table(night_id, table, act)


@bp.post("/nights/<night_id>/tables/<int:table>/reopening")
def reopen_result(night_id: str, table: int) -> AnyResponse:
    """Open a result that is fixed for a correction hand by hand, at the desk."""
    reason = forms.ReasonForm().reason.data or ""
    return _at_table(
        night_id,
        table,
        lambda: table_disputes.reopen_result(night=night_id, table=table, device=device(), reason=reason),
    )


@bp.post("/nights/<night_id>/tables/<int:table>/result")
def tell_result(night_id: str, table: int) -> AnyResponse:
    """Let the phone that scores a table tell only how it ended."""
    page = table_page(night_id, table, this_device())
    tie, form = forms.TieForm(), forms.TellForm()
    if tie.tapped:
        return _at_table(night_id, table, lambda: _settle_tie(night_id, tie))
    if not page.table.game:
        raise NoSuchLeagueError
    if not page.may_score:
        raise NotAllowedError(Role.HELPER)
    tap = form.request_key

    def act() -> None:
        said = judge(night_id, table, form.numbers, form.answer)
        table_disputes.tell(night=night_id, table=table, said=said, device=device(), tap=tap)

    return _at_table(night_id, table, act)


def _at_table(night_id: str, table: int, act: Callable[[], None]) -> AnyResponse:
    """Do something about a table's result and lead back to its page; where it could not be, show it and say why."""
    try:
        act()
    except RuleViolation as violation:
        return _drawn(night_id, table, violation)
    return redirect(url_for("leagues.table", night_id=night_id, table=table), 303)


def _drawn(night_id: str, table: int, violation: RuleViolation | None = None) -> AnyResponse:
    """Draw the page of a table; its forms hold what was sent, and say what is wrong with it."""
    page = table_page(night_id, table, this_device())
    final = forms.TellForm()
    error = final.refused(violation, page.table.sides) if violation else ""
    told = render_template("leagues/table.html", page=page, final=final, reason=forms.ReasonForm(), refused=error)
    return make_response(told, 422 if violation else 200)


def _settle_tie(night_id: str, form: forms.TieForm) -> None:
    table, side, points = form.told
    tables.settle_tie(night=night_id, table=table, side=side, points=points, device=device())
