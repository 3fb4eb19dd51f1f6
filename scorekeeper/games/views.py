"""The pages of games: read what was sent, let the service do it, show the page."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from flask import Blueprint, Response, abort, jsonify, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import Forbidden, NotFound
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, send_device, this_device
from scorekeeper.games import queries, service
from scorekeeper.games.board import board_page
from scorekeeper.games.correcting import correction_page
from scorekeeper.games.forms import StartForm, TapForm, hand_data, plain, read_bid
from scorekeeper.games.importing import read_text
from scorekeeper.games.service import NoSuchGameError, NotYourGameError, StaleError, Tap
from scorekeeper.games.setup import Setup, read_setup, setup_page
from scorekeeper.games.snapshot import Snapshot, choice_digest
from scorekeeper.games.telling import preview_text
from scorekeeper.rules import game as commands
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import set_table, sides_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.errors import expected

bp = Blueprint("games", __name__)
bp.after_request(send_device)

GONE = "There is no game at this address. See if it was typed right; it may also have been deleted."
WATCHING = "Only the phone that started this game can change it. This phone may watch."
MOVED_ON = "The game had moved on when that arrived, so nothing was changed. This is how it stands now."


# Errors that any page of a game can meet.


@bp.errorhandler(NoSuchGameError)
def no_such_game(error: NoSuchGameError) -> Response:
    return expected(NotFound(description=GONE))


@bp.errorhandler(NotYourGameError)
def not_your_game(error: NotYourGameError) -> Response:
    return expected(Forbidden(description=WATCHING))


@bp.errorhandler(StaleError)
def stale(error: StaleError) -> Response:
    snapshot = queries.snapshot_of(_game_id(), this_device())
    return make_response(render_template("games/board.html", page=board_page(snapshot, notice=MOVED_ON)), 409)


@bp.errorhandler(RuleViolation)
def refused(violation: RuleViolation) -> Response:
    snapshot = queries.snapshot_of(_game_id(), this_device())
    page = board_page(snapshot, notice=violation.message)
    return make_response(render_template("games/board.html", page=page), _status(violation))


def _game_id() -> str:
    return str((request.view_args or {})["game_id"])


def _status(violation: RuleViolation) -> int:
    return (
        409
        if violation.code in ("game_over", "hand_voided", "hand_live", "nothing_to_undo", "nothing_to_redo")
        else 422
    )


# Starting a game.


@bp.get("/")
def home() -> str:
    return render_template("games/home.html", page=queries.home_page(this_device()))


@bp.route("/games/new", methods=["GET", "POST"])
def new() -> str:
    device = this_device()
    setup = queries.last_setup(device)
    if request.method == "POST":
        setup = read_setup(plain(request.form), setup)
    return render_template("games/new.html", page=setup_page(setup, queries.known_names(device)))


@bp.post("/games")
def create() -> AnyResponse:
    device = this_device()
    setup = read_setup(plain(request.form), queries.last_setup(device))
    tap = _start_tap()
    try:
        rules = with_options(setup.preset, setup.options)
        table = set_table(rules, setup.seating.players, sides_of(setup.seating))
        names = service.distinct_names(setup.names)
    except RuleViolation as violation:
        return _setup_again(setup, violation)
    public_id = service.start_game(rules=rules, names=names, sides=table.sides, first_dealer=setup.dealer, tap=tap)
    return _to_board(public_id)


def _setup_again(setup: Setup, violation: RuleViolation) -> Response:
    page = setup_page(setup, queries.known_names(this_device()), violation)
    return make_response(render_template("games/new.html", page=page), 422)


@bp.post("/games/again")
def again() -> AnyResponse:
    tap = _start_tap()
    last = queries.last_game(tap.device)
    if last is None:
        return redirect(url_for("games.new"), 303)
    return _to_board(service.rematch(public_id=last, tap=tap))


@bp.post("/games/import")
def import_record() -> AnyResponse:
    upload = request.files.get("record")
    text = upload.read() if upload else request.form.get("text", "").encode()
    tap = _start_tap(text)
    try:
        return _to_board(service.import_game(record=read_text(text), tap=tap))
    except RuleViolation as violation:
        where = "" if violation.hand is None else f"Hand {violation.hand + 1}: "
        page = queries.home_page(this_device(), error=f"{where}{violation.message} Nothing was brought in.")
        return make_response(render_template("games/home.html", page=page), 422)


# The board and its hands.


@bp.get("/games/<game_id>")
def board(game_id: str) -> str:
    return render_template("games/board.html", page=board_page(queries.snapshot_of(game_id, this_device())))


@bp.post("/games/<game_id>/bid")
def bid(game_id: str) -> AnyResponse:
    snapshot = _own(game_id)
    tap = _tap()
    call = request.form.get("call", "")
    try:
        if call == "passed":
            command: commands.Command = commands.EnterHand({"passed": True})
        else:
            seat, _, value = call.partition(":")
            command = commands.TakeBid(
                int(seat) if seat.isascii() and seat.isdigit() and len(seat) < 3 else -1,
                read_bid(value),
                request.form.get("trump") or None,
            )
        service.act(public_id=game_id, command=command, tap=tap)
    except RuleViolation as violation:
        return _board_again(snapshot, violation)
    return _to_board(game_id)


@bp.post("/games/<game_id>/bid/void")
def withdraw_bid(game_id: str) -> AnyResponse:
    return _carry_out(game_id, commands.WithdrawBid())


@bp.post("/games/<game_id>/hands")
def score(game_id: str) -> AnyResponse:
    snapshot = _own(game_id)
    tap = _tap()
    fields = plain(request.form)
    data = hand_data(fields, snapshot.game.table)
    digest = choice_digest(data, snapshot.game.version)
    try:
        if fields.get("seen") == digest or tap.version != snapshot.game.version:
            service.act(public_id=game_id, command=commands.EnterHand(data), tap=tap)
            return _to_board(game_id)
        page = board_page(snapshot, chosen={**fields, "seen": digest}, preview=preview_text(snapshot, data))
    except RuleViolation as violation:
        return _board_again(snapshot, violation)
    return make_response(render_template("games/board.html", page=page))


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
    return _carry_out(game_id, commands.Undo())


@bp.post("/games/<game_id>/redos")
def redo(game_id: str) -> AnyResponse:
    return _carry_out(game_id, commands.Redo())


@bp.route("/games/<game_id>/hands/<int:seq>/correction", methods=["GET", "POST"])
def correction(game_id: str, seq: int) -> AnyResponse:
    snapshot = _own(game_id)
    if request.method == "GET":
        page = correction_page(snapshot, _entry(snapshot, seq))
        return make_response(render_template("games/correction.html", page=page))
    tap = _tap()
    entry = _entry(snapshot, seq, tap)
    fields = plain(request.form)
    data = hand_data(fields, snapshot.game.table)
    command = commands.CorrectHand(seq, data)
    digest = choice_digest(data, snapshot.game.version)
    try:
        if fields.get("seen") == digest or tap.version != snapshot.game.version:
            service.act(public_id=game_id, command=command, tap=tap)
            return _to_board(game_id)
        events = commands.decide(snapshot.game, command)
        page = correction_page(snapshot, entry, chosen=fields, events=events, seen=digest)
    except RuleViolation as violation:
        page = correction_page(snapshot, entry, chosen=fields, error=violation.message)
        return make_response(render_template("games/correction.html", page=page), _status(violation))
    return make_response(render_template("games/correction.html", page=page))


@bp.post("/games/<game_id>/hands/<int:seq>/void")
def void_hand(game_id: str, seq: int) -> AnyResponse:
    snapshot = _own(game_id)
    tap = _tap()
    entry = _entry(snapshot, seq, tap)
    command = commands.VoidHand(seq)
    digest = choice_digest({"void": seq}, snapshot.game.version)
    if request.form.get("seen") == digest or tap.version != snapshot.game.version:
        return _carry_out(game_id, command)
    events = commands.decide(snapshot.game, command)
    page = correction_page(snapshot, entry, events=events, seen=digest, striking=True)
    return make_response(render_template("games/correction.html", page=page))


@bp.get("/games/<game_id>/log")
def log(game_id: str) -> str:
    return render_template("games/log.html", page=queries.log_of(game_id, this_device()))


# What happens at real tables.


@bp.get("/games/<game_id>/table")
def table(game_id: str) -> str:
    return render_template("games/table.html", page=_table_page(_own(game_id)))


def _table_page(snapshot: Snapshot, error: str = "") -> Any:
    return queries.table_page(snapshot, queries.known_names(this_device()), error=error)


@bp.post("/games/<game_id>/names")
def rename(game_id: str) -> AnyResponse:
    snapshot = _own(game_id)
    names = [request.form.get(f"name-{seat}", "") for seat in range(snapshot.game.table.players)]
    try:
        service.name_players(public_id=game_id, names=names, tap=_tap())
    except RuleViolation as violation:
        return _table_again(snapshot, violation)
    return _to_board(game_id)


@bp.post("/games/<game_id>/seats")
def replace(game_id: str) -> AnyResponse:
    snapshot = _own(game_id)
    name = request.form.get("name", "")
    try:
        service.replace_player(public_id=game_id, seat=_number("seat"), name=name, tap=_tap())
    except RuleViolation as violation:
        return _table_again(snapshot, violation)
    return _to_board(game_id)


def _table_again(snapshot: Snapshot, violation: RuleViolation) -> Response:
    page = _table_page(snapshot, violation.message)
    return make_response(render_template("games/table.html", page=page), _status(violation))


@bp.post("/games/<game_id>/dealer")
def set_dealer(game_id: str) -> AnyResponse:
    return _carry_out(game_id, commands.SetDealer(_number("dealer")))


@bp.post("/games/<game_id>/misdeal")
def misdeal(game_id: str) -> AnyResponse:
    return _carry_out(game_id, commands.Misdeal())


@bp.post("/games/<game_id>/concession")
def concede(game_id: str) -> AnyResponse:
    return _carry_out(game_id, commands.Concede(_number("winner")))


@bp.post("/games/<game_id>/abandonment")
def abandon(game_id: str) -> AnyResponse:
    return _carry_out(game_id, commands.Abandon())


@bp.post("/games/<game_id>/reopening")
def reopen(game_id: str) -> AnyResponse:
    return _carry_out(game_id, commands.Reopen())


@bp.post("/games/<game_id>/rematch")
def rematch(game_id: str) -> AnyResponse:
    return _to_board(service.rematch(public_id=game_id, tap=_tap()))


@bp.post("/games/<game_id>/deletion")
def delete(game_id: str) -> AnyResponse:
    service.delete_game(public_id=game_id, tap=_tap())
    return redirect(url_for("games.home"), 303)


@bp.post("/games/<game_id>/deletion/void")
def undelete(game_id: str) -> AnyResponse:
    service.undelete_game(public_id=game_id, tap=Tap(known_device(), ""))
    return _to_board(game_id)


@bp.get("/games/<game_id>/record.json")
def export(game_id: str) -> Response:
    record = queries.record_of(queries.snapshot_of(game_id, this_device()))
    response = make_response(json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    response.headers["Content-Type"] = "application/json; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="game-{game_id}.json"'
    return response


# What requests carry.


def _start_tap(content: bytes = b"") -> Tap:
    form = StartForm(request.form)
    if not form.validate():
        abort(422, description="That form was not whole. Nothing was changed.")
    return Tap(known_device(), _tap_id(str(form.client_id.data), content))


def _tap() -> Tap:
    form = TapForm(request.form)
    if not form.validate():
        abort(422, description="That form was not whole. Nothing was changed.")
    return Tap(this_device() or "", _tap_id(str(form.client_id.data)), form.version.data)


def _tap_id(client_id: str, content: bytes = b"") -> str:
    """Return the id of a tap: the same form sent again is the same tap, another or a changed one is not.

    A page that the back button brings up carries its old id; what is changed there must not pass for a repetition.
    """
    fields = [(key, value) for key, value in request.form.items(multi=True) if key not in ("csrf_token", "seen")]
    told = json.dumps([request.path, fields]).encode() + content
    return f"{client_id[:43]}.{hashlib.sha256(told).hexdigest()[:20]}"


def _number(field: str) -> int:
    text = request.form.get(field, "")
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise RuleViolation("choice_missing", "Choose one first. Nothing was changed.", field=field)
    return int(text)


def _own(game_id: str) -> Snapshot:
    snapshot = queries.snapshot_of(game_id, this_device())
    if not snapshot.mine:
        raise NotYourGameError
    return snapshot


def _entry(snapshot: Snapshot, seq: int, tap: Tap | None = None) -> Any:
    try:
        entry = snapshot.game.entry(seq)
    except RuleViolation:
        abort(404, description="There is no such hand in this game.")
    # A tap at an older version may be the one that struck the hand out, sent again.
    if not entry.live and (tap is None or tap.version == snapshot.game.version):
        raise RuleViolation("hand_voided", "That hand was struck out already.")
    return entry


def _carry_out(game_id: str, command: commands.Command) -> AnyResponse:
    service.act(public_id=game_id, command=command, tap=_tap())
    return _to_board(game_id)


def _to_board(public_id: str) -> AnyResponse:
    return redirect(url_for("games.board", game_id=public_id), 303)
