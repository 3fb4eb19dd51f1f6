"""The card on a table: scanned, it asks once, and then that phone scores there."""

from __future__ import annotations

from flask import current_app, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device
from scorekeeper.games.showing import to_board
from scorekeeper.language import N_, _
from scorekeeper.leagues import tables
from scorekeeper.leagues.access import NotAllowedError
from scorekeeper.leagues.queries.card import card_page
from scorekeeper.leagues.views.asked import digits, tap_id
from scorekeeper.leagues.views.blueprint import bp
from scorekeeper.web.errors import Problem, Way, error_page

DEAD = Problem(
    N_("This card opens nothing"),
    N_("The night is closed, or new cards were made since. Nothing was changed."),
    N_("Ask the director for the card of tonight."),
)


@bp.route("/nights/<night_id>/cards/<int:number>/<word>", methods=["GET", "POST"])
def card(night_id: str, number: int, word: str) -> AnyResponse:
    """Ask first: programs that only preview an address open it too."""
    if request.method == "POST":
        return _score_there(night_id, number, word)
    address = url_for("leagues.card", night_id=night_id, number=number, word=word)
    page = card_page(night_id, number, word, key=_key(), address=address)
    if page is None:
        return _dead(night_id)
    return make_response(render_template("leagues/card.html", page=page))


def _score_there(night_id: str, number: int, word: str) -> AnyResponse:
    """Let this phone score the table, and lead to its board: the word does not stay in the address."""
    table = digits(request.form.get("table", ""), 9) or 0
    tap = tap_id()
    try:
        game = tables.start_table(
            night=night_id, table=table, device=known_device(), client_id=tap, word=word, key=_key()
        )
    except NotAllowedError:
        return _dead(night_id)
    return to_board(game)


def _dead(night_id: str) -> AnyResponse:
    """Lead on to the night, which is everybody's: who scans a card the morning after wants to know how it ended."""
    return error_page(DEAD, 404, on=Way(_("The night"), url_for("leagues.night", night_id=night_id)))


def _key() -> str:
    return str(current_app.secret_key)
