"""Final scores from paper: a round at once at the desk, and one table on the phone that scores there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.leagues.core.access import NoSuchLeagueError, NotAllowedError
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import digits, tap_id
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.nights import table_disputes, tables
from scorekeeper.leagues.nights.final_scores import AnswerNeeded, judge
from scorekeeper.leagues.nights.pages.desk import Wrong
from scorekeeper.leagues.nights.pages.night import TableView
from scorekeeper.leagues.nights.queries.desk import desk_page, stood
from scorekeeper.leagues.nights.queries.table import table_page
from scorekeeper.leagues.nights.views.desk import at_desk, desk_again, device
from scorekeeper.rules.commands import EnterResult
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Typed:
    """The score of one table as it was typed, by side, and as it stood when the page was made."""

    table: int
    fields: tuple[str, ...]
    ending: str
    """How it ended and who won, where that was asked of just these points; else empty."""
    was: str

    @property
    def says(self) -> str:
        """Return it in the form of `was`."""
        return stood(self.fields, self.ending)

    @property
    def changed(self) -> bool:
        """Return whether it is another one than the page had."""
        return any(self.fields) and self.says != self.was


@bp.post("/nights/<night_id>/rounds/<int:number>/results")
def enter_results(night_id: str, number: int) -> AnyResponse:
    """Write down every score of a round that was typed or changed; what cannot be stays on the page, and says why."""
    if "tie" in request.form:
        return at_desk(night_id, "round", lambda: _settle_tie(night_id), shown=number)
    page = desk_page(night_id, this_device(), shown=number)
    stands = {entry.table.id: entry.was for entry in page.entries}
    reason = request.form.get("reason", "")
    wrong: dict[int, str] = {}
    asked: dict[int, AnswerNeeded] = {}
    saved = 0
    for typed in _typed(stands):
        if not typed.changed or typed.says == stands[typed.table]:
            continue
        if stands[typed.table] != typed.was:
            stood_there = stands[typed.table].split(";")[0]
            wrong[typed.table] = _("Somebody entered another score meanwhile: %(score)s.", score=stood_there)
            continue
        try:
            said = judge(night_id, typed.table, _totals(typed.fields), typed.ending)
            tables.tell_result(
                night=night_id,
                table=typed.table,
                totals=said.totals,
                winner=said.winner,
                ended_by=said.ended_by,
                device=device(),
                reason=reason,
            )
            saved += 1
        except RuleViolation as violation:
            wrong[typed.table] = spoken(violation.message)
            if isinstance(violation, AnswerNeeded):
                asked[typed.table] = violation
    if wrong:
        says = _("Tables marked below are not saved yet.") if not saved else _("The others are saved; these are not.")
        return desk_again(night_id, Wrong("round", says, request.form.to_dict(), wrong, asked), number)
    # With a round all told, the next one is what the desk goes on with.
    return redirect(url_for("leagues.desk", night_id=night_id, round=number, _anchor="round"), 303)


@bp.get("/nights/<night_id>/tables/<int:table>")
def table(night_id: str, table: int) -> str:
    return render_template("leagues/table.html", page=table_page(night_id, table, this_device()))


@bp.post("/nights/<night_id>/tables/<int:table>/confirmations")
def confirm(night_id: str, table: int) -> AnyResponse:
    def act() -> None:
        side, seat = digits(request.form.get("side", ""), 1), digits(request.form.get("seat", ""), 1)
        table_disputes.confirm(
            night=night_id, table=table, side=-1 if side is None else side, seat=seat, points=seen(), device=device()
        )

    return _at_table(night_id, table, act)


@bp.post("/nights/<night_id>/tables/<int:table>/objections")
def object_to(night_id: str, table: int) -> AnyResponse:
    return _at_table(
        night_id, table, lambda: table_disputes.object_to(night=night_id, table=table, points=seen(), device=device())
    )


@bp.post("/nights/<night_id>/tables/<int:table>/settlement")
def settle_result(night_id: str, table: int) -> AnyResponse:
    def act() -> None:
        how, reason = request.form.get("how", ""), request.form.get("reason", "")
        if how not in (table_disputes.KEEP, table_disputes.TAKE):
            raise RuleViolation("choice_missing", "Choose one first. Nothing was changed.", field="how")
        table_disputes.settle(night=night_id, table=table, how=how, device=device(), reason=reason)

    return _at_table(night_id, table, act)


@bp.post("/nights/<night_id>/tables/<int:table>/reopening")
def reopen_result(night_id: str, table: int) -> AnyResponse:
    """Open a result that is fixed for a correction hand by hand, at the desk."""
    reason = request.form.get("reason", "")
    return _at_table(
        night_id,
        table,
        lambda: table_disputes.reopen_result(night=night_id, table=table, device=device(), reason=reason),
    )


@bp.post("/nights/<night_id>/tables/<int:table>/result")
def tell_result(night_id: str, table: int) -> AnyResponse:
    """Let the phone that scores a table tell only how it ended."""
    page = table_page(night_id, table, this_device())
    if "tie" in request.form:
        return _at_table(night_id, table, lambda: _settle_tie(night_id))
    if not page.table.game:
        raise NoSuchLeagueError
    if not page.may_score:
        raise NotAllowedError(Role.HELPER)
    tap = tap_id()
    return _at_table(
        night_id,
        table,
        lambda: table_disputes.tell(
            night=night_id, table=table, said=said_by(night_id, page.table), device=device(), tap=tap
        ),
    )


def said_by(night: str, table: TableView) -> EnterResult:
    """Return the final score that the form on a phone says; raises `RuleViolation`, or asks: `AnswerNeeded`."""
    totals = _totals([request.form.get(f"points-{side.index}", "") for side in table.sides])
    # An answer is one to the score that was asked about, and to no other.
    about = request.form.get("asked", "") == ",".join(map(str, totals))
    return judge(night, table.id, totals, request.form.get("ending", "") if about else "")


def seen() -> tuple[int, ...]:
    """Return the points that somebody looked at when they said that they are right, or wrong."""
    return tuple(_number(text) for text in request.form.get("points", "").split(","))


def _at_table(night: str, table: int, act: Callable[[], None]) -> AnyResponse:
    """Do something about a table's result and lead back to its page; where it could not be, show it and say why."""
    try:
        act()
    except AnswerNeeded as asked:
        page = table_page(night, table, this_device(), typed=request.form.to_dict(), asked=asked)
        return make_response(render_template("leagues/table.html", page=page), 422)
    except RuleViolation as violation:
        page = table_page(night, table, this_device(), typed=request.form.to_dict(), error=spoken(violation.message))
        return make_response(render_template("leagues/table.html", page=page), 422)
    return redirect(url_for("leagues.table", night_id=night, table=table), 303)


def _settle_tie(night_id: str) -> None:
    """Let the side go on that was tapped: "table side points", as the button has it."""
    table, side, points = (request.form["tie"].split(" ") + [""] * 3)[:3]
    told = tuple(_number(text) for text in points.split(","))
    tables.settle_tie(
        night=night_id, table=digits(table, 9) or 0, side=digits(side, 1) or 0, points=told, device=device()
    )


def _typed(stands: Mapping[int, str]) -> Iterator[Typed]:
    for table in stands:
        fields: list[str] = []
        while (text := request.form.get(f"points-{table}-{len(fields)}")) is not None:
            fields.append(text.strip().replace("−", "-"))
        # An answer is one to the score that was asked about, and to no other.
        about = request.form.get(f"asked-{table}", "") == ",".join(fields) and not request.form.get(f"again-{table}")
        ending = request.form.get(f"ending-{table}", "") if about else ""
        yield Typed(table, tuple(fields), ending, request.form.get(f"was-{table}", ""))


def _totals(fields: tuple[str, ...] | list[str]) -> tuple[int, ...]:
    """Return the points by side; raises `RuleViolation` where one is missing or no number."""
    return tuple(_number(text) for text in fields)


def _number(text: str) -> int:
    told = text.strip().replace("−", "-")
    whole = told.removeprefix("-")
    if not (whole.isascii() and whole.isdigit() and len(whole) < 5):
        raise RuleViolation("points_missing", "Enter the points of every side.")
    return int(told)
