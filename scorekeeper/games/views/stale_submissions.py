"""Handle forms from outdated pages of a game, without overwriting anything that another phone saved."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms.bid import BidForm
from scorekeeper.games.logic.reconcile import Behind, same_bidding, saved_since
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.disputes import compared_text
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.vocabulary import bid_in_suit, hand_text
from scorekeeper.games.services.hand_reports import changed_since, game_seen, report_hand
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.device_names import phone_name
from scorekeeper.games.views.blueprint import moved_on
from scorekeeper.games.views.requests import own_game
from scorekeeper.games.views.responses import shown, to_board
from scorekeeper.i18n.catalog import _
from scorekeeper.rules.commands import Command, EnterHand, TakeBid
from scorekeeper.rules.events import HandVoided
from scorekeeper.rules.game import Game
from scorekeeper.rules.violation import RuleViolation


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
