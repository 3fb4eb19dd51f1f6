"""Handle forms from outdated pages of a game, without overwriting anything that another phone saved.

Show the live page of a game, and save bids and hands.

Make and undo calls of the auction, and count the cards of a hand.

Both are optional: players can also just enter the winning bid and the winner of each point.
"""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from flask import Response, jsonify, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms.base import plain, read_points
from scorekeeper.games.forms.hand import BidForm, CallForm, CountForm, HandForm, hand_data
from scorekeeper.games.logic.reconcile import Behind, choice_digest, same_bidding, saved_since
from scorekeeper.games.pages.board import MARK
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.card_count import count_page, points_fields
from scorekeeper.games.presenters.disputes import compared_text
from scorekeeper.games.presenters.snapshot import Snapshot, bid_in_suit, hand_text
from scorekeeper.games.presenters.summaries import hand_entered, preview_text, questions_about
from scorekeeper.games.queries import news_since
from scorekeeper.games.services import scoring
from scorekeeper.games.services.hands import changed_since, game_seen, report_hand
from scorekeeper.games.services.scoring import ClientRequest, StaleError
from scorekeeper.games.store.access import NoSuchGameError, NotYourGameError
from scorekeeper.games.store.audit import phone_name
from scorekeeper.games.views.blueprint import (
    bp,
    carry_out,
    game_request,
    moved_on,
    own_game,
    prepare_odds,
    refused,
    shown,
    to_board,
    whole_game,
)
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.rules import commands
from scorekeeper.rules.commands import Command, EnterHand, TakeBid
from scorekeeper.rules.events import HandVoided
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import RuleViolation


def late_hand(game_id: str, command: Callable[[Game], Command], number: int | None, sent: ClientRequest) -> AnyResponse:
    """Handle a form with hand `number` that was sent from an outdated page. Another phone may have saved this hand.

    `command` is a function that takes a game and returns the command that enters the hand. If another phone saved the
    same hand, the response is the board. Otherwise the status is 409. If the two phones entered different hands, the
    board shows both versions.
    """
    try:
        pair = report_hand(public_id=game_id, command=command, number=number, request=sent)
    except RuleViolation:
        return moved_on()
    if isinstance(pair, Behind):
        return moved_on()
    if pair.agrees and not pair.phones.same:
        return to_board(game_id)
    snapshot = queries.snapshot_of(game_id, this_device())
    shown_already = any(report.hand == pair.hand for report in snapshot.game.entry(pair.saved.seq).disputes)
    return shown(board_page(snapshot, notice="" if shown_already else compared_text(snapshot, pair)), 409)


def late_bid(game_id: str, form: BidForm, sent: ClientRequest) -> AnyResponse:
    """Handle a bid from an outdated page. Another phone may have saved a bid for this hand already.

    If both phones entered the same bid, the response is the board. Otherwise the status is 409.
    """
    command = form.bid()
    if isinstance(command, EnterHand):
        return late_hand(game_id, lambda _then: command, form.number_shown, sent)
    snapshot = own_game(game_id)
    then = game_seen(game_id, sent.version)
    if then is None or not isinstance(command, TakeBid):
        return moved_on()
    try:
        if same_bidding(then, snapshot.game, command):
            return to_board(game_id)
    except RuleViolation:
        return moved_on()
    return _other_bid(snapshot, then, command)


def _other_bid(snapshot: Snapshot, then: Game, command: TakeBid) -> Response:
    game, names = snapshot.game, snapshot.said_names
    number = len(then.hands) + 1
    said = _("%(bidder)s bid %(bid)s.", bidder=names[command.bidder], bid=bid_in_suit(command.bid, command.trump))
    entry, standing = saved_since(then, game), game.open_bid
    if entry is not None:
        was = hand_text(game.table, names, snapshot.sides, entry.hand)
    elif standing is not None and len(game.hands) + 1 == number:
        was = _(
            "%(bidder)s bid %(bid)s.",
            bidder=names[standing.bidder],
            bid=bid_in_suit(standing.bid, standing.trump),
        )
    else:
        return moved_on()
    notice = _(
        "Another phone was first. Hand %(number)s: %(was)s Not saved from this phone: %(said)s",
        number=number,
        was=was,
        said=said,
    )
    return shown(board_page(snapshot, notice=notice), 409)


def late_correction(game_id: str, seq: int, sent: ClientRequest) -> Response:
    """Return a 409 response to a correction that was made on an outdated page.

    `seq` is the log position of the hand. If the hand was corrected or deleted since the page was shown, the response
    says by which phone.
    """
    changed = changed_since(game_id, sent.device, seq, sent.version)
    if changed is None:
        return moved_on()
    event, phones = changed
    snapshot = own_game(game_id)
    phone = _("This phone") if phones.same else phone_name(snapshot.names, phones.writer, main=phones.main)
    number = 1 + sum(line.entry.seq < seq for line in snapshot.game.hands)
    if isinstance(event, HandVoided):
        notice = _(
            "%(phone)s deleted hand %(number)s first, so this correction wasn't saved.",
            phone=phone,
            number=number,
        )
    else:
        notice = _(
            "%(phone)s corrected hand %(number)s first: %(hand)s This correction wasn't saved.",
            phone=phone,
            number=number,
            hand=hand_text(snapshot.game.table, snapshot.said_names, snapshot.sides, event.hand),
        )
    return shown(board_page(snapshot, notice=notice), 409)


@bp.get("/games/<game_id>")
def board(game_id: str) -> Response:
    fields = plain(request.args)
    step = fields.pop("entry", "")
    snapshot = whole_game(game_id)
    prepare_odds(snapshot)
    page = board_page(snapshot, step=step, chosen=fields | {"seen": ""})
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

    The first request returns the board with the effect of the hand, unless the page already showed just that effect
    (`_has_seen`). If the hand is unusual, the board also asks for confirmation before the hand is saved.
    """
    form = HandForm()
    sent = game_request(form)
    try:
        # Done before the write begins, on the game in memory.
        game = queries.game_ahead(game_id, sent.version or 0) or own_game(game_id).game
        data = hand_data(form.entries.data, game.table)
        digest = choice_digest(data, game.changed)
        if game.stands_at(sent.version):
            reviewed = form.again.data is None and _has_seen(game_id, form, data, digest)
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


def _has_seen(game_id: str, form: HandForm, data: Mapping[str, Any], digest: str) -> bool:
    """Return whether the page showed the effect of the hand in `data`.

    The form has the digest of its choices from a review or a preview, or the sentences that the phone worked out. If
    these differ from the server's, the phone has other rules or names.
    """
    seen = form.seen.data or ""
    return seen == digest or (" " in seen and seen == preview_text(own_game(game_id), data))


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
