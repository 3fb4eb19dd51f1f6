"""Make and undo calls of the auction, and count the cards of a hand.

Both are optional: players can also just enter the winning bid and the winner of each point.
"""

from __future__ import annotations

from urllib.parse import urlencode

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.games.forms.bid import CallForm
from scorekeeper.games.forms.hand import CountForm
from scorekeeper.games.presenters.card_count import count_page, points_fields
from scorekeeper.games.views.blueprint import bp
from scorekeeper.games.views.requests import carry_out, game_request, own_game
from scorekeeper.games.views.responses import to_board
from scorekeeper.i18n.catalog import spoken
from scorekeeper.rules import commands
from scorekeeper.rules.violation import RuleViolation


@bp.post("/games/<game_id>/calls")
def call(game_id: str) -> AnyResponse:
    form = CallForm()
    return carry_out(game_id, commands.MakeCall(form.bid), game_request(form))


@bp.post("/games/<game_id>/calls/void")
def take_back_call(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.TakeBackCall())


@bp.route("/games/<game_id>/count", methods=["GET", "POST"])
def count(game_id: str) -> AnyResponse:
    snapshot = own_game(game_id)
    # In a game with one total per hand there are no cards to count.
    rules = snapshot.game.table.rules
    asks = snapshot.game.open_bid is not None or not (rules.has_bids or snapshot.game.over)
    if not asks or not rules.categories:
        return to_board(game_id)
    form = CountForm() if request.method == "POST" else CountForm(request.args)
    fields = form.entries.data
    quick = (form.quick.data or request.args.get("quick", "")) == "1" and snapshot.game.table.rules.compares("game")
    asked = request.method == "POST" and form.show.data is None
    status = 200
    error = ""
    if form.use.data:
        try:
            chosen = points_fields(snapshot, fields, quick=quick)
            # In the address, so that the count survives a reload.
            return redirect(f"{url_for('games.board', game_id=game_id)}?{urlencode(chosen)}", 303)
        except RuleViolation as violation:
            error, status = spoken(violation.message), 422
    page = count_page(snapshot, fields, quick=quick, asked=asked, error=error)
    if page.error:
        status = 422
    return make_response(render_template("games/count.html", page=page), status)
