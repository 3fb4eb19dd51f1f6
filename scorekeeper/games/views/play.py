"""Show the live page of a game, and save bids and hands."""

from __future__ import annotations

from flask import Response, jsonify, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms import plain, read_points
from scorekeeper.games.forms.bid import BidForm
from scorekeeper.games.forms.hand import HandForm, hand_data
from scorekeeper.games.logic.request_key import choice_digest
from scorekeeper.games.pages.board import MARK
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.disputes import compared_text
from scorekeeper.games.presenters.sanity_checks import hand_entered, questions_about
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.summaries import preview_text
from scorekeeper.games.queries import news_since
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest, StaleError
from scorekeeper.games.store.access import NoSuchGameError, NotYourGameError
from scorekeeper.games.views.blueprint import bp, refused
from scorekeeper.games.views.odds_ahead import prepare_odds
from scorekeeper.games.views.recovery import first_code
from scorekeeper.games.views.requests import carry_out, game_request, own_game, whole_game
from scorekeeper.games.views.responses import shown, to_board
from scorekeeper.games.views.stale_submissions import late_bid, late_hand
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.rules import commands
from scorekeeper.rules.violation import RuleViolation


@bp.get("/games/<game_id>")
def board(game_id: str) -> Response:
    fields = plain(request.args)
    step = fields.pop("entry", "")
    snapshot = whole_game(game_id)
    prepare_odds(snapshot)
    page = board_page(snapshot, step=step, chosen=fields | {"seen": ""}, first=first_code(snapshot))
    return shown(page)


@bp.get("/games/<game_id>/news")
def news(game_id: str) -> AnyResponse:
    """Return JSON with a sentence about what other phones changed since the game version in the query.

    If nothing changed, the response is 204. A phone that was removed gets JSON too, so that it can tell the response
    from a Wi-Fi login page.
    """
    try:
        version, _dot, mark = request.args.get("version", "").partition(MARK)
        news_text = news_since(game_id, this_device(), read_points(version), mark)
    except (NotYourGameError, NoSuchGameError) as refusal:
        gone = jsonify(says=_("This phone can no longer score this game."), show=_("Show it"))
        return make_response(gone, 403 if isinstance(refusal, NotYourGameError) else 404)
    return jsonify(says=news_text, show=_("Show it")) if news_text else Response(status=204)


@bp.post("/games/<game_id>/bid")
def bid(game_id: str) -> AnyResponse:
    form = BidForm()
    sent = game_request(form)
    try:
        scoring.act(public_id=game_id, command=form.bid(), request=sent)
    except StaleError:
        return late_bid(game_id, form, sent)
    except RuleViolation as violation:
        return _board_again(own_game(game_id), form, violation)
    return to_board(game_id)


@bp.post("/games/<game_id>/bid/void")
def withdraw_bid(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.WithdrawBid())


@bp.post("/games/<game_id>/hands")
def score(game_id: str) -> AnyResponse:
    """Save a hand, after the player has reviewed its effect.

    The first request returns the board with the effect of the hand. If the hand is unusual, the board also asks for
    confirmation before the hand is saved.
    """
    form = HandForm()
    sent = game_request(form)
    try:
        # Done before the write begins, on the game in memory.
        game = queries.game_ahead(game_id, sent.version or 0) or own_game(game_id).game
        data = hand_data(form.entries.data, game.table)
        digest = choice_digest(data, game.changed)
        if game.stands_at(sent.version):
            reviewed = form.seen.data == digest and form.again.data is None
            if not reviewed or (form.sure.data != digest and questions_about(hand_entered(game, data))):
                question = _ask_first(own_game(game_id), form, sent, reviewed=reviewed)
                if question is not None:
                    return question
        scoring.act(public_id=game_id, command=commands.EnterHand(data), request=sent)
    except StaleError:
        return late_hand(game_id, form.command, form.number_shown, sent)
    except RuleViolation as violation:
        return _board_again(own_game(game_id), form, violation)
    return to_board(game_id)


def _ask_first(snapshot: Snapshot, form: HandForm, sent: ClientRequest, *, reviewed: bool) -> Response | None:
    """Return the board with the effect of a hand or with questions about it, or None if there is nothing to ask.

    If the player hasn't `reviewed` the hand, the board shows its effect. After that, the board asks questions if the
    hand is unusual. If the game has changed since the page was shown, the result is None, too.
    """
    game = snapshot.game
    if not game.stands_at(sent.version):
        return None
    data = hand_data(form.entries.data, game.table)
    chosen = form.entries.data | {"seen": choice_digest(data, game.changed)}
    preview = preview_text(snapshot, data)
    if not reviewed:
        return shown(board_page(snapshot, chosen=chosen, preview=preview))
    entered = hand_entered(game, data, seconds_since_last=queries.seconds_since_last_hand(snapshot))
    questions = tuple(question.asks(entered, snapshot) for question in questions_about(entered))
    return shown(board_page(snapshot, chosen=chosen, preview=preview, questions=questions)) if questions else None


@bp.get("/games/<game_id>/preview")
def preview(game_id: str) -> Response:
    snapshot = queries.snapshot_of(game_id, this_device())
    form = HandForm(request.args)
    data = hand_data(form.entries.data, snapshot.game.table)
    version = read_points(form.version.data or "")
    try:
        if not snapshot.game.stands_at(version):
            pair = queries.late_pair_since(snapshot, this_device(), version, form.command)
            if pair is None:
                return jsonify(ok=False, text=_("The game has changed. Reload the page to see it."), seen="")
            return jsonify(ok=True, text=compared_text(snapshot, pair), seen=choice_digest(data, version))
        return jsonify(ok=True, text=preview_text(snapshot, data), seen=choice_digest(data, snapshot.game.changed))
    except RuleViolation as violation:
        return jsonify(ok=False, text=spoken(violation.message), seen="")


def _board_again(snapshot: Snapshot, form: HandForm, violation: RuleViolation) -> Response:
    """Return the board with the entered values and an error message."""
    if violation.code == "game_over":
        return refused(violation)
    return shown(board_page(snapshot, chosen=form.entries.data, error=spoken(violation.message)), 422)


@bp.post("/games/<game_id>/undos")
def undo(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.Undo())


@bp.post("/games/<game_id>/redos")
def redo(game_id: str) -> AnyResponse:
    return carry_out(game_id, commands.Redo())
