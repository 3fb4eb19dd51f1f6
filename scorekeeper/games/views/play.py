"""The live page and the hands on it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from flask import Response, jsonify, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms import hand_data, plain, read_bid, read_points
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.disputes import compared_text
from scorekeeper.games.presenters.sanity_checks import hand_entered, questions_about
from scorekeeper.games.presenters.snapshot import Snapshot, choice_digest
from scorekeeper.games.presenters.summaries import preview_text
from scorekeeper.games.queries import news_since
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import StaleError, Tap
from scorekeeper.games.store.access import NoSuchGameError, NotYourGameError
from scorekeeper.games.views.blueprint import bp, refused
from scorekeeper.games.views.recovery import first_code
from scorekeeper.games.views.requests import carry_out, own_game, tap_at_game, whole_game
from scorekeeper.games.views.responses import shown, to_board
from scorekeeper.games.views.stale_submissions import late_bid, late_hand
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.rules import commands
from scorekeeper.rules.game import Game
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.text import whole_number


@bp.get("/games/<game_id>")
def board(game_id: str) -> Response:
    asked = plain(request.args)
    step = asked.pop("entry", "")
    snapshot = whole_game(game_id)
    page = board_page(snapshot, step=step, chosen=asked | {"seen": ""}, first=first_code(snapshot))
    return shown(page)


@bp.get("/games/<game_id>/news")
def news(game_id: str) -> AnyResponse:
    """What another phone did since the board of that version was drawn; 204 where nothing happened.

    A phone that was sent away is told so in JSON too, so that it knows a foreign page in the place of that answer.
    """
    try:
        says = news_since(game_id, this_device(), read_points(request.args.get("version", "")))
    except (NotYourGameError, NoSuchGameError) as refusal:
        told = jsonify(says=_("This phone may no longer score this game."), show=_("Show it"))
        return make_response(told, 403 if isinstance(refusal, NotYourGameError) else 404)
    return jsonify(says=says, show=_("Show it")) if says else Response(status=204)


@bp.post("/games/<game_id>/bid")
def bid(game_id: str) -> AnyResponse:
    tap = tap_at_game()
    fields = plain(request.form)
    try:
        scoring.act(public_id=game_id, command=_bid_command(fields), tap=tap)
    except StaleError:
        return late_bid(game_id, _bid_command(fields), fields, tap)
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
    bidder = whole_number(seat, 2)
    return commands.TakeBid(-1 if bidder is None else bidder, read_bid(value), fields.get("trump") or None)


@bp.post("/games/<game_id>/bid/void")
def withdraw_bid(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.WithdrawBid())


@bp.post("/games/<game_id>/hands")
def score(game_id: str) -> AnyResponse:
    tap = tap_at_game()
    fields = plain(request.form)
    try:
        scoring.act(public_id=game_id, command=partial(_seen_hand, fields), tap=tap)
    except StaleError:
        return late_hand(game_id, partial(_told_hand, fields), fields, tap)
    except UnseenError:
        return _look_first(own_game(game_id), fields)
    except OddError:
        return _ask_first(own_game(game_id), fields, tap)
    except RuleViolation as violation:
        return _board_again(own_game(game_id), violation)
    return to_board(game_id)


class UnseenError(Exception):
    """What that hand would do was not looked at yet."""


class OddError(Exception):
    """That hand may be a slip, and nobody said that it is not."""


def _seen_hand(fields: Mapping[str, str], game: Game) -> commands.Command:
    """What the form tells, where its effect was looked at and nothing about it is odd, or it was meant so."""
    data = hand_data(fields, game.table)
    digest = choice_digest(data, game.changed)
    if fields.get("seen") != digest or "again" in fields:
        raise UnseenError
    if fields.get("sure") != digest and questions_about(hand_entered(game, data)):
        raise OddError
    return commands.EnterHand(data)


def _told_hand(fields: Mapping[str, str], then: Game) -> commands.Command:
    """What the form of a page that is behind tells; it changes no score, so nothing of it is questioned."""
    return commands.EnterHand(hand_data(fields, then.table))


def _look_first(snapshot: Snapshot, fields: Mapping[str, str]) -> Response:
    """The board with what the hand would do, ready to be saved."""
    data = hand_data(fields, snapshot.game.table)
    try:
        preview = preview_text(snapshot, data)
    except RuleViolation as violation:
        return _board_again(snapshot, violation)
    chosen = {**fields, "seen": choice_digest(data, snapshot.game.changed)}
    return shown(board_page(snapshot, chosen=chosen, preview=preview))


def _ask_first(snapshot: Snapshot, fields: Mapping[str, str], tap: Tap) -> AnyResponse:
    """The board with what is odd about the hand; saved where nothing is, now that it is known when the last one was."""
    data = hand_data(fields, snapshot.game.table)
    entered = hand_entered(snapshot.game, data, seconds_since_last=queries.seconds_since_last_hand(snapshot))
    asked = tuple(question.asks(entered, snapshot) for question in questions_about(entered))
    if not asked:
        scoring.act(public_id=snapshot.public_id, command=commands.EnterHand(data), tap=tap)
        return to_board(snapshot.public_id)
    page = board_page(snapshot, chosen=fields, preview=preview_text(snapshot, data), questions=asked)
    return shown(page)


@bp.get("/games/<game_id>/preview")
def preview(game_id: str) -> Response:
    snapshot = queries.snapshot_of(game_id, this_device())
    fields = plain(request.args)
    data = hand_data(fields, snapshot.game.table)
    version = read_points(fields.get("version", ""))
    try:
        if not snapshot.game.stands_at(version):
            kept = queries.compared_since(snapshot, version, partial(_told_hand, fields))
            if kept is None:
                return jsonify(ok=False, text=_("The game has moved on. Reload the page to see it."), seen="")
            return jsonify(ok=True, text=compared_text(snapshot, kept), seen=choice_digest(data, version))
        return jsonify(ok=True, text=preview_text(snapshot, data), seen=choice_digest(data, snapshot.game.changed))
    except RuleViolation as violation:
        return jsonify(ok=False, text=spoken(violation.message), seen="")


def _board_again(snapshot: Snapshot, violation: RuleViolation) -> Response:
    """The board as it stands, with what was entered and what is wrong with it."""
    fields = {**plain(request.form), "seen": ""}
    if violation.code == "game_over":
        return refused(violation)
    return shown(board_page(snapshot, chosen=fields, error=spoken(violation.message)), 422)


@bp.post("/games/<game_id>/undos")
def undo(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.Undo())


@bp.post("/games/<game_id>/redos")
def redo(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.Redo())
