"""Views of a table on a phone: its card, its game, and its result.

Read-only views of a night: the public page, the TV page, and the printed pages.
"""

import functools
from collections.abc import Callable

from flask import Response, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games.views.blueprint import to_board
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.leagues.calendar.queries import next_of
from scorekeeper.leagues.core.access import NoSuchLeagueError, NotAllowedError
from scorekeeper.leagues.core.blueprint import bp, digits, kept_nowhere
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.nights import bell, forms, removal, table_disputes, tables
from scorekeeper.leagues.nights.queries.night import night_page
from scorekeeper.leagues.nights.queries.table import (
    card_behind,
    card_page,
    cards_page,
    rotation_page,
    sheets_page,
    table_page,
)
from scorekeeper.leagues.nights.tables import judge, tell_sets_there
from scorekeeper.leagues.nights.views.desk import View, device, settled_tie
from scorekeeper.leagues.standings.night_snapshot import night_version
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.errors import Problem, Way, error_page
from scorekeeper.web.links import code_of, only_here
from scorekeeper.web.rate_limit import CODE_BY_NETWORK, spend, surroundings
from scorekeeper.web.request_log import WRONG_LINK, refused_because
from scorekeeper.web.shared import shared

DEAD_CARD = Problem(
    N_("This card no longer works"),
    N_("The night is closed, or new cards replaced this one. Nothing was changed."),
    N_("Ask the director for tonight's card."),
)


def at_table(act: View) -> Callable[..., AnyResponse]:
    """Decorate a view that changes a table's result.

    After the view, the user is redirected to the page of the table. If the view raises `RuleViolation`, that page is
    shown with the error.
    """

    @functools.wraps(act)
    def view(night_id: str, table: int) -> AnyResponse:
        try:
            act(night_id, table)
        except RuleViolation as violation:
            return _render(night_id, table, violation)
        return redirect(url_for("leagues.table", night_id=night_id, table=table), 303)

    return view


@bp.get("/nights/<night_id>/tables/<int:table>")
def table(night_id: str, table: int) -> AnyResponse:
    return _render(night_id, table)


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
    """Let directors and helpers correct the hands of a game whose result phones can no longer change."""
    reason = forms.ReasonForm().reason.data or ""
    table_disputes.reopen_result(night=night_id, table=table, device=device(), reason=reason)


@bp.post("/nights/<night_id>/tables/<int:table>/removal")
@at_table
def remove_game(night_id: str, table: int) -> None:
    """Let directors and helpers remove a game, for example one that the players of another table scored."""
    table_page(night_id, table, this_device())  # raises NoSuchLeagueError for a table of another night
    reason = forms.ReasonForm().reason.data or ""
    removal.remove_result(night=night_id, table=table, device=device(), reason=reason, hands=True)


@bp.post("/nights/<night_id>/tables/<int:table>/return")
@at_table
def bring_back(night_id: str, table: int) -> None:
    """Bring a removed game back to its table."""
    table_page(night_id, table, this_device())
    removal.bring_back(night=night_id, table=table, device=device())


@bp.post("/nights/<night_id>/tables/<int:table>/last-hand")
def end_game(night_id: str, table: int) -> AnyResponse:
    """End the game of a table after the bell with the score as it is, for a phone at the table or for the desk."""
    try:
        bell.end_game(night=night_id, table=table, device=device())
    except RuleViolation as violation:
        return _render(night_id, table, violation)
    if number := forms.LastHandForm().round.data:
        return redirect(url_for("leagues.desk", night_id=night_id, round=number, _anchor="round"), 303)
    return to_board(table_page(night_id, table, this_device()).table.game)


@bp.post("/nights/<night_id>/tables/<int:table>/result")
@at_table
def tell_result(night_id: str, table: int) -> None:
    """Save a final score from the phone that scores the table, or from the desk for a game that has hands."""
    page = table_page(night_id, table, this_device())
    if settled_tie(night_id):
        return
    if not page.table.game:
        raise NoSuchLeagueError
    form = forms.TellForm()
    if page.may_total:
        total, reason = judge(night_id, table, form.numbers, form.answer), forms.ReasonForm().reason.data or ""
        tables.tell_result(
            night=night_id,
            table=table,
            totals=total.totals,
            winner=total.winner,
            ended_by=total.ended_by,
            device=device(),
            reason=reason,
        )
        return
    if not page.may_score:
        raise NotAllowedError(Role.HELPER)
    tap, sets, result = form.request_key, form.sets, judge(night_id, table, form.numbers, form.answer)
    table_disputes.tell(
        night=night_id, table=table, result=result, sets=sets, device=device(), tap=tap, then=_with_sets(sets)
    )


def _render(night_id: str, table: int, violation: RuleViolation | None = None) -> AnyResponse:
    """Render the page of a table. The forms hold the posted values, and the error `violation` if there is one.

    Raises `NotAllowedError` instead of showing an error to a device that may change nothing at the table.
    """
    page = table_page(night_id, table, this_device())
    if violation and not (page.may_score or page.helps):
        raise NotAllowedError(Role.HELPER)
    # A phone's number pad adds digits to what is in a field, so its fields start empty.
    final = forms.TellForm(totals=page.table.points if page.may_total else ())
    error = final.refused(violation, [side.name for side in page.table.sides]) if violation else ""
    html = render_template(
        "leagues/nights/table.html", page=page, final=final, reason=forms.ReasonForm(), refused=error
    )
    return make_response(html, 422 if violation else 200)


@bp.get("/t/<code>")
def short_card(code: str) -> AnyResponse:
    """Redirect to the page of a table card from the card's short address, which people type from a printed card."""
    found = card_behind(code, _key())
    if found is None:
        spend(CODE_BY_NETWORK, surroundings())
        refused_because(WRONG_LINK)
        return error_page(DEAD_CARD, 404)
    night, number, word = found
    answer = redirect(url_for("leagues.card", night_id=night, number=number, word=word))
    answer.headers["Cache-Control"] = "no-store"
    return answer


@bp.route("/nights/<night_id>/cards/<int:number>/<word>", methods=["GET", "POST"])
def card(night_id: str, number: int, word: str) -> AnyResponse:
    """Show a table card on GET. On POST, start the game, or save its final score, a confirmation or an objection.

    `word` is the token in the card's address. GET must change nothing, because link previews request the address too.
    """
    form = forms.CardForm()
    if request.method == "GET":
        return _render_card(night_id, number, word, form)
    try:
        return _act(night_id, word, form)
    except NotAllowedError:
        return _dead_card(night_id)
    except RuleViolation as violation:
        return _render_card(night_id, number, word, form, violation)


def _render_card(
    night_id: str, number: int, word: str, form: forms.CardForm, violation: RuleViolation | None = None
) -> AnyResponse:
    address = url_for("leagues.card", night_id=night_id, number=number, word=word)
    page = card_page(night_id, number, word, key=_key(), address=address, device=this_device())
    if page is None:
        return _dead_card(night_id)
    about = next((table for table in page.tables if table.id == form.table.data), None)
    error = spoken(violation.message) if violation else ""
    if violation and about:
        error = form.refused(violation, [side.name for side in about.sides])
    html = render_template("leagues/nights/card.html", page=page, form=form, refused=error)
    return make_response(html, 422 if violation else 200)


def _act(night_id: str, word: str, form: forms.CardForm) -> AnyResponse:
    """Start the table's game, let this phone score it, and save the posted change.

    Return a redirect to an address without the token. Raises `NotAllowedError` for an invalid token, and
    `RuleViolation` for a refused change.
    """
    table = form.table.data or 0
    device, then = known_device(), _posted_change(night_id, table, form)
    game = tables.start_table(
        night=night_id, table=table, device=device, client_id=form.request_key, word=word, key=_key(), then=then
    )
    if then is None:
        return to_board(game)
    return redirect(url_for("leagues.table", night_id=night_id, table=table), 303)


def _posted_change(night_id: str, table: int, form: forms.CardForm) -> Callable[[table_disputes.AtTable], None] | None:
    """Return a function that makes the posted change to the result; None if the form only asks to score the game.

    Raises `RuleViolation`, or `AnswerNeeded` if the posted score needs an answer about how the game ended.
    """
    if form.act.data == "final":
        sets, result = form.sets, judge(night_id, table, form.numbers, form.answer)
        return lambda at: table_disputes.tell_there(at, result, sets=sets, then=_with_sets(sets))
    if form.act.data == "confirm":
        side, points = form.side.data, form.points
        return lambda at: table_disputes.confirm_there(at, side, points)
    if form.act.data == "wrong":
        points = form.points
        return lambda at: table_disputes.object_there(at, points)
    return None


def _with_sets(sets: tuple[int, ...] | None) -> Callable[[table_disputes.AtTable], None] | None:
    """Return a function that saves how often each side was set (failed to make its bid); None if `sets` is None."""
    return None if sets is None else lambda at: tell_sets_there(at, sets)


def _dead_card(night_id: str) -> AnyResponse:
    """Return an error page, with a link to the night, for people who scan a card that no longer works."""
    return error_page(DEAD_CARD, 404, on=Way(_("All tables"), url_for("leagues.night", night_id=night_id)))


def _key() -> str:
    return str(current_app.secret_key)


@bp.get("/nights/<night_id>")
def night(night_id: str) -> Response:
    return _followed(night_id, "leagues/nights/night.html")


@bp.get("/nights/<night_id>/tv")
def tv(night_id: str) -> Response:
    return _followed(night_id, "leagues/nights/tv.html")


def _followed(night_id: str, template: str) -> Response:
    """Return the page of the night rendered with `template`.

    The page is the same for all visitors, and is cached until the night changes.
    """

    def draw(version: str) -> str:
        page = night_page(night_id, version)
        upcoming = next_of(page.league_id) if page.closed else ()
        return render_template(template, page=page, upcoming=upcoming)

    return shared(night_version, night_id, draw=draw)


@bp.get("/nights/<night_id>/cards")
def cards(night_id: str) -> AnyResponse:
    page = cards_page(
        night_id,
        this_device(),
        key=str(current_app.secret_key),
        address=lambda number, word: url_for(
            "leagues.card", night_id=night_id, number=number, word=word, _external=True
        ),
        short=lambda code: url_for("leagues.short_card", code=code, _external=True),
        asked=digits(request.args.get("tables", ""), 2),
        wifi=current_app.config["WIFI"],
        note=only_here(),
    )
    return kept_nowhere(render_template("leagues/nights/cards.html", page=page))  # anyone with these tokens may score


@bp.get("/nights/<night_id>/code")
def night_code(night_id: str) -> str:
    """Show the address of the night's page as a QR code, to scan from the screen or from a printed sheet."""
    url = url_for("leagues.night", night_id=night_id, _external=True)
    page = night_page(night_id, "")
    return render_template("leagues/nights/code.html", page=page, url=url, code=code_of(url), note=only_here())


@bp.get("/nights/<night_id>/rotation")
def rotation(night_id: str) -> str:
    return render_template("leagues/nights/rotation.html", page=rotation_page(night_id))


@bp.get("/nights/<night_id>/sheets")
def sheets(night_id: str) -> str:
    page = sheets_page(night_id, digits(request.args.get("round", ""), 2))
    return render_template("leagues/nights/sheets.html", page=page)
