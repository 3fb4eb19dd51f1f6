"""Final scores from paper: a round at once at the desk, and one table on the phone that scores there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import service
from scorekeeper.games.service import Tap
from scorekeeper.language import _, spoken
from scorekeeper.leagues import tables
from scorekeeper.leagues.access import NoSuchLeagueError, NotAllowedError
from scorekeeper.leagues.pages.card import TablePage
from scorekeeper.leagues.pages.desk import Wrong
from scorekeeper.leagues.queries.card import table_of, table_page
from scorekeeper.leagues.queries.desk import desk_page
from scorekeeper.leagues.roles import Role
from scorekeeper.leagues.views.asked import digits, tap_id
from scorekeeper.leagues.views.blueprint import bp
from scorekeeper.leagues.views.desk import at_desk, desk_again, device
from scorekeeper.rules.commands import EnterResult
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Typed:
    """The score of one table as it was typed, by side, and as it stood when the page was made."""

    table: int
    fields: tuple[str, ...]
    was: str

    @property
    def changed(self) -> bool:
        """Return whether it is another one than the page had."""
        return any(self.fields) and ",".join(self.fields) != self.was


@bp.post("/nights/<night_id>/rounds/<int:number>/results")
def enter_results(night_id: str, number: int) -> AnyResponse:
    """Write down every score of a round that was typed or changed; what cannot be stays on the page, and says why."""
    if "tie" in request.form:
        return at_desk(night_id, "round", lambda: _settle_tie(night_id), shown=number)
    page = desk_page(night_id, this_device(), shown=number)
    stands = {entry.table.id: entry.was for entry in page.entries}
    reason = request.form.get("reason", "")
    wrong: dict[int, str] = {}
    saved = 0
    for typed in _typed(stands):
        if not typed.changed or ",".join(typed.fields) == stands[typed.table]:
            continue
        if stands[typed.table] != typed.was:
            wrong[typed.table] = _("Somebody entered another score meanwhile: %(score)s.", score=stands[typed.table])
            continue
        try:
            tables.tell_result(
                night=night_id, table=typed.table, totals=_totals(typed.fields), device=device(), reason=reason
            )
            saved += 1
        except RuleViolation as violation:
            wrong[typed.table] = spoken(violation.message)
    if wrong:
        says = _("Tables marked below are not saved yet.") if not saved else _("The others are saved; these are not.")
        return desk_again(night_id, Wrong("round", says, request.form.to_dict(), wrong), number)
    # With a round all told, the next one is what the desk goes on with.
    return redirect(url_for("leagues.desk", night_id=night_id, round=number, _anchor="round"), 303)


@bp.get("/nights/<night_id>/tables/<int:table>")
def table(night_id: str, table: int) -> str:
    return render_template("leagues/table.html", page=table_page(night_id, table, this_device()))


@bp.app_template_global()
def way_to_night(game: str) -> str:
    """Return where the result of a game is said to be right, for the pages of games; empty where no league plays it."""
    found = table_of(game)
    return "" if found is None else url_for("leagues.table", night_id=found[0], table=found[1])


@bp.post("/nights/<night_id>/tables/<int:table>/confirmations")
def confirm(night_id: str, table: int) -> AnyResponse:
    points = tuple(_number(text) for text in request.form.get("points", "").split(","))
    side = digits(request.form.get("side", ""), 1)
    try:
        tables.confirm(night=night_id, table=table, side=-1 if side is None else side, points=points, device=device())
    except RuleViolation as violation:
        return _again(table_page(night_id, table, this_device(), error=spoken(violation.message)))
    return redirect(url_for("leagues.table", night_id=night_id, table=table), 303)


@bp.post("/nights/<night_id>/tables/<int:table>/result")
def tell_result(night_id: str, table: int) -> AnyResponse:
    """Let the phone that scores a table tell only how it ended."""
    page = table_page(night_id, table, this_device())
    if "tie" in request.form:
        try:
            _settle_tie(night_id)
        except RuleViolation as violation:
            return _again(table_page(night_id, table, this_device(), error=spoken(violation.message)))
        return redirect(url_for("leagues.table", night_id=night_id, table=table), 303)
    if not page.table.game:
        raise NoSuchLeagueError
    if not page.may_score:
        raise NotAllowedError(Role.HELPER)
    try:
        command = EnterResult(_totals([request.form.get(f"points-{side.index}", "") for side in page.table.sides]))
        service.act(public_id=page.table.game, command=command, tap=Tap(device(), tap_id(), page.version))
    except RuleViolation as violation:
        return _again(table_page(night_id, table, this_device(), error=spoken(violation.message)))
    return redirect(url_for("leagues.table", night_id=night_id, table=table), 303)


def _settle_tie(night_id: str) -> None:
    """Let the side go on that was tapped: "table side points", as the button has it."""
    table, side, points = (request.form["tie"].split(" ") + [""] * 3)[:3]
    told = tuple(_number(text) for text in points.split(","))
    tables.settle_tie(
        night=night_id, table=digits(table, 9) or 0, side=digits(side, 1) or 0, points=told, device=device()
    )


def _again(page: TablePage) -> AnyResponse:
    return make_response(render_template("leagues/table.html", page=page), 422)


def _typed(stands: Mapping[int, str]) -> Iterator[Typed]:
    for table in stands:
        fields: list[str] = []
        while (text := request.form.get(f"points-{table}-{len(fields)}")) is not None:
            fields.append(text.strip().replace("−", "-"))
        yield Typed(table, tuple(fields), request.form.get(f"was-{table}", ""))


def _totals(fields: tuple[str, ...] | list[str]) -> tuple[int, ...]:
    """Return the points by side; raises `RuleViolation` where one is missing or no number."""
    return tuple(_number(text) for text in fields)


def _number(text: str) -> int:
    told = text.strip().replace("−", "-")
    whole = told.removeprefix("-")
    if not (whole.isascii() and whole.isdigit() and len(whole) < 5):
        raise RuleViolation("points_missing", "Enter the points of every side.")
    return int(told)
