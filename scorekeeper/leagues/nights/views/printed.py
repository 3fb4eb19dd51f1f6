"""What a night prints: cards for the tables, the rotation for the wall, sheets for who wants paper."""

from __future__ import annotations

from flask import current_app, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import digits, kept_nowhere
from scorekeeper.leagues.nights.queries.printed import cards_page, rotation_page, sheets_page
from scorekeeper.web.links import only_here


@bp.get("/nights/<night_id>/cards")
def cards(night_id: str) -> AnyResponse:
    page = cards_page(
        night_id,
        this_device(),
        key=str(current_app.secret_key),
        address=lambda number, word: url_for(
            "leagues.card", night_id=night_id, number=number, word=word, _external=True
        ),
        asked=digits(request.args.get("tables", ""), 2),
        note=only_here(),
    )
    return kept_nowhere(render_template("leagues/cards.html", page=page))  # who has these words may score


@bp.get("/nights/<night_id>/rotation")
def rotation(night_id: str) -> str:
    return render_template("leagues/rotation.html", page=rotation_page(night_id))


@bp.get("/nights/<night_id>/sheets")
def sheets(night_id: str) -> str:
    page = sheets_page(night_id, digits(request.args.get("round", ""), 2))
    return render_template("leagues/sheets.html", page=page)
