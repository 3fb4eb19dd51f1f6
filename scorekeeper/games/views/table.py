"""Show the game menu, and handle names, substitutes, dealer changes, early ends, rematches, deletion and export."""

import json
from typing import Any

from flask import Response, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games import list_queries, queries
from scorekeeper.games.forms.base import DealerForm, EndForm, NamesForm, ReseatForm, SeatForm, number_in
from scorekeeper.games.logic.final_scores import FIELD as TEAM_NAMES
from scorekeeper.games.presenters.agreements import ending_page
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.services import deletion, scoring
from scorekeeper.games.services.house_rules import name_kept
from scorekeeper.games.services.scoring import RULES_NAME, ClientRequest
from scorekeeper.games.store.game_export import game_record
from scorekeeper.games.store.hand_notes import IN_RECORD, noted_in
from scorekeeper.games.views.blueprint import bp, carry_out, game_request, own_game, status_of, to_board, whole_game
from scorekeeper.i18n.catalog import spoken
from scorekeeper.rules import commands
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.rate_limit import NEW_GAMES, NEW_GAMES_BY_HOUR, limited


@bp.get("/games/<game_id>/table")
def table(game_id: str) -> Response:
    response = make_response(render_template("games/table.html", page=_table_page(own_game(game_id))))
    response.headers["Cache-Control"] = "no-store"  # it shows the backup code
    return response


def _table_page(snapshot: Snapshot, error: str = "") -> Any:
    return queries.table_page(
        snapshot,
        list_queries.known_names(this_device()),
        error=error,
        watch_url=url_for("games.watch", game_id=snapshot.public_id, _external=True) if snapshot.watched else "",
        key=current_app.config["SECRET_KEY"],
    )


@bp.post("/games/<game_id>/names")
def rename(game_id: str) -> AnyResponse:
    snapshot = own_game(game_id)
    form = NamesForm()
    names = form.by_seat(snapshot.game.table.players)
    try:
        scoring.name_players(public_id=game_id, names=names, request=game_request(form))
    except RuleViolation as violation:
        return _table_again(snapshot, violation)
    return to_board(game_id)


@bp.post("/games/<game_id>/seats")
def replace(game_id: str) -> AnyResponse:
    snapshot = own_game(game_id)
    form = SeatForm()
    try:
        seat, name = number_in(form.seat), form.name.data or ""
        scoring.replace_player(public_id=game_id, seat=seat, name=name, request=game_request(form))
    except RuleViolation as violation:
        return _table_again(snapshot, violation)
    return to_board(game_id)


def _table_again(snapshot: Snapshot, violation: RuleViolation) -> Response:
    page = _table_page(snapshot, spoken(violation.message))
    return make_response(render_template("games/table.html", page=page), status_of(violation))


@bp.post("/games/<game_id>/dealer")
def set_dealer(game_id: str) -> AnyResponse:
    own_game(game_id)
    form = DealerForm()
    return carry_out(game_id, commands.SetDealer(number_in(form.dealer)), game_request(form))


@bp.post("/games/<game_id>/misdeal")
def misdeal(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.Misdeal())


@bp.post("/games/<game_id>/concession")
def concede(game_id: str) -> AnyResponse:
    form = EndForm()
    return _end(own_game(game_id), form, commands.Concede(number_in(form.winner)))


@bp.post("/games/<game_id>/abandonment")
def abandon(game_id: str) -> AnyResponse:
    return _end(own_game(game_id), EndForm(), commands.Abandon())


def _end(snapshot: Snapshot, form: EndForm, command: commands.Command) -> AnyResponse:
    """End the game early if the player has confirmed this. Otherwise show the final result and ask for confirmation."""
    sent = game_request(form)
    if form.sure.data is not None or not snapshot.game.stands_at(sent.version):
        scoring.act(public_id=snapshot.public_id, command=command, request=sent)
        return to_board(snapshot.public_id)
    page = ending_page(snapshot, command, request.path, form.winner.data or "")
    return make_response(render_template("games/early_end.html", page=page, league=snapshot.league))


@bp.post("/games/<game_id>/reopening")
def reopen(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.Reopen())


@bp.post("/games/<game_id>/rematch")
@limited(NEW_GAMES, NEW_GAMES_BY_HOUR)
def rematch(game_id: str) -> AnyResponse:
    return to_board(scoring.rematch(public_id=game_id, request=game_request()))


@bp.post("/games/<game_id>/rematch/seats")
@limited(NEW_GAMES, NEW_GAMES_BY_HOUR)
def rematch_reseated(game_id: str) -> AnyResponse:
    form = ReseatForm()
    return to_board(scoring.rematch(public_id=game_id, request=game_request(form), seats=str(form.seats.data)))


@bp.post("/games/<game_id>/deletion")
def delete(game_id: str) -> AnyResponse:
    try:
        deletion.delete_game(public_id=game_id, request=game_request())
    except RuleViolation as violation:
        return _table_again(own_game(game_id), violation)
    return redirect(url_for("games.home"), 303)


@bp.post("/games/<game_id>/deletion/void")
def undelete(game_id: str) -> AnyResponse:
    deletion.undelete_game(public_id=game_id, request=ClientRequest(known_device(), ""))
    return to_board(game_id)


@bp.get("/games/<game_id>/record.json")
def export(game_id: str) -> Response:
    snapshot = whole_game(game_id)
    name = name_kept(this_device(), snapshot.game.table.rules)
    own = {RULES_NAME: name, TEAM_NAMES: list(snapshot.teams)}
    record = game_record(snapshot.game, snapshot.names, queries.times_of(game_id))
    record |= {key: value for key, value in own.items() if value}
    if noted := noted_in(snapshot.game, snapshot.hand_notes):
        record[IN_RECORD] = noted
    response = make_response(json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    response.headers["Content-Type"] = "application/json; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="game-{game_id}.json"'
    return response
