"""The card on a table: scanned, it asks once, and then that phone scores there."""

from __future__ import annotations

from collections.abc import Callable

from flask import current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games.views.responses import to_board
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.leagues.core.access import NotAllowedError
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import digits, tap_id
from scorekeeper.leagues.nights import table_disputes, tables
from scorekeeper.leagues.nights.final_scores import AnswerNeeded
from scorekeeper.leagues.nights.queries.table import card_page, table_page
from scorekeeper.leagues.nights.views.results import said_by, seen
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.errors import Problem, Way, error_page

DEAD = Problem(
    N_("This card opens nothing"),
    N_("The night is closed, or new cards were made since. Nothing was changed."),
    N_("Ask the director for the card of tonight."),
)


@bp.route("/nights/<night_id>/cards/<int:number>/<word>", methods=["GET", "POST"])
def card(night_id: str, number: int, word: str) -> AnyResponse:
    """Ask first: programs that only preview an address open it too."""
    if request.method == "GET":
        return _card(night_id, number, word)
    table = digits(request.form.get("table", ""), 9) or 0
    try:
        return _act_there(night_id, number, word, table)
    except NotAllowedError:
        return _dead(night_id)
    except AnswerNeeded as asked:
        return _card(night_id, number, word, asked=asked)
    except RuleViolation as violation:
        return _card(night_id, number, word, spoken(violation.message))


def _card(night_id: str, number: int, word: str, error: str = "", asked: AnswerNeeded | None = None) -> AnyResponse:
    address = url_for("leagues.card", night_id=night_id, number=number, word=word)
    device, typed = this_device(), request.form.to_dict()
    page = card_page(
        night_id, number, word, key=_key(), address=address, device=device, typed=typed, asked=asked, error=error
    )
    if page is None:
        return _dead(night_id)
    return make_response(render_template("leagues/card.html", page=page), 422 if error or asked else 200)


def _act_there(night_id: str, number: int, word: str, table: int) -> AnyResponse:
    """Let this phone in, do what was asked, and lead on: the word does not stay in the address.

    Raises `NotAllowedError` for a word that opens nothing there, and `RuleViolation`.
    """
    device, then = known_device(), _asked_for(night_id, table)
    game = tables.start_table(
        night=night_id, table=table, device=device, client_id=tap_id(), word=word, key=_key(), then=then
    )
    if then is None:
        return to_board(game)
    return redirect(url_for("leagues.table", night_id=night_id, table=table), 303)


def _asked_for(night_id: str, table: int) -> Callable[[table_disputes.AtTable], None] | None:
    """Return what the phone says of the result with the same tap, None where it only begins to score.

    Raises `RuleViolation`, or asks: `AnswerNeeded`.
    """
    act = request.form.get("act", "")
    if act == "final":
        said = said_by(night_id, table_page(night_id, table, known_device()).table)
        return lambda at: table_disputes.tell_there(at, said)
    points = seen() if act in ("confirm", "wrong") else ()
    if act == "confirm":
        side = digits(request.form.get("side", ""), 1)
        return lambda at: table_disputes.confirm_there(at, -1 if side is None else side, points)
    if act == "wrong":
        return lambda at: table_disputes.object_there(at, points)
    return None


def _dead(night_id: str) -> AnyResponse:
    """Lead on to the night, which is everybody's: who scans a card the morning after wants to know how it ended."""
    return error_page(DEAD, 404, on=Way(_("The night"), url_for("leagues.night", night_id=night_id)))


def _key() -> str:
    return str(current_app.secret_key)
