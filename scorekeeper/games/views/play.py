"""The live page and the hands on it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from flask import Response, jsonify, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries, service
from scorekeeper.games.asked import carry_out, own_game, tap_at_game, to_board
from scorekeeper.games.board import board_page
from scorekeeper.games.forms import hand_data, plain, read_bid
from scorekeeper.games.snapshot import Snapshot, choice_digest
from scorekeeper.games.telling import preview_text
from scorekeeper.games.views.blueprint import bp, refused
from scorekeeper.rules import commands
from scorekeeper.rules.game import Game
from scorekeeper.rules.violation import RuleViolation


@bp.get("/games/<game_id>")
def board(game_id: str) -> str:
    asked = plain(request.args)
    step = asked.pop("entry", "")
    page = board_page(queries.snapshot_of(game_id, this_device()), step=step, chosen=asked | {"seen": ""})
    return render_template("games/board.html", page=page)


@bp.post("/games/<game_id>/bid")
def bid(game_id: str) -> AnyResponse:
    tap = tap_at_game()
    try:
        service.act(public_id=game_id, command=_bid_command(plain(request.form)), tap=tap)
    except RuleViolation as violation:
        return _board_again(own_game(game_id), violation)
    return to_board(game_id)


def _bid_command(fields: Mapping[str, str]) -> commands.Command:
    """One button of the grid says all ("<seat>:<bid>"); on the pad the bidder stands beside the bid."""
    if fields.get("call") == "passed":
        return commands.EnterHand({"passed": True})
    seat, _, value = (fields.get("call") or f"{fields.get('bidder', '')}:{fields.get('bid', '')}").partition(":")
    if not seat:
        raise RuleViolation("bidder_missing", "Say who bid, then tap the bid.", field="bidder")
    known_seat = seat.isascii() and seat.isdigit() and len(seat) < 3
    return commands.TakeBid(int(seat) if known_seat else -1, read_bid(value), fields.get("trump") or None)


@bp.post("/games/<game_id>/bid/void")
def withdraw_bid(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.WithdrawBid())


@bp.post("/games/<game_id>/hands")
def score(game_id: str) -> AnyResponse:
    tap = tap_at_game()
    fields = plain(request.form)
    try:
        service.act(public_id=game_id, command=partial(_seen_hand, fields), tap=tap)
    except UnseenError:
        return _look_first(own_game(game_id), fields)
    except RuleViolation as violation:
        return _board_again(own_game(game_id), violation)
    return to_board(game_id)


class UnseenError(Exception):
    """What that hand would do was not looked at yet."""


def _seen_hand(fields: Mapping[str, str], game: Game) -> commands.Command:
    data = hand_data(fields, game.table)
    if fields.get("seen") != choice_digest(data, game.version):
        raise UnseenError
    return commands.EnterHand(data)


def _look_first(snapshot: Snapshot, fields: Mapping[str, str]) -> Response:
    """The board with what the hand would do, ready to be saved."""
    data = hand_data(fields, snapshot.game.table)
    try:
        preview = preview_text(snapshot, data)
    except RuleViolation as violation:
        return _board_again(snapshot, violation)
    chosen = {**fields, "seen": choice_digest(data, snapshot.game.version)}
    return make_response(render_template("games/board.html", page=board_page(snapshot, chosen=chosen, preview=preview)))


@bp.get("/games/<game_id>/preview")
def preview(game_id: str) -> Response:
    snapshot = queries.snapshot_of(game_id, this_device())
    fields = plain(request.args)
    data = hand_data(fields, snapshot.game.table)
    if fields.get("version") != str(snapshot.game.version):
        return jsonify(ok=False, text="The game has moved on. Reload the page to see it.", seen="")
    try:
        return jsonify(ok=True, text=preview_text(snapshot, data), seen=choice_digest(data, snapshot.game.version))
    except RuleViolation as violation:
        return jsonify(ok=False, text=violation.message, seen="")


def _board_again(snapshot: Snapshot, violation: RuleViolation) -> Response:
    """The board as it stands, with what was entered and what is wrong with it."""
    fields = {**plain(request.form), "seen": ""}
    if violation.code == "game_over":
        return refused(violation)
    page = board_page(snapshot, chosen=fields, error=violation.message)
    return make_response(render_template("games/board.html", page=page), 422)


@bp.post("/games/<game_id>/undos")
def undo(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.Undo())


@bp.post("/games/<game_id>/redos")
def redo(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.Redo())
