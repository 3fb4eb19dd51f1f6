"""What came from a page that was behind: held against what another phone wrote meanwhile, and never written over it."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms.bid import BidForm
from scorekeeper.games.logic.hand_comparison import done_alike, taker
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.disputes import compared_text
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.vocabulary import bid_in_suit, hand_text
from scorekeeper.games.services.hand_reports import changed_since, game_seen, report_hand
from scorekeeper.games.services.scoring import StaleError, Tap
from scorekeeper.games.store.device_names import phone_name
from scorekeeper.games.views.requests import own_game
from scorekeeper.games.views.responses import shown, to_board
from scorekeeper.i18n.catalog import _
from scorekeeper.rules.commands import Command, EnterHand, TakeBid
from scorekeeper.rules.events import HandVoided
from scorekeeper.rules.game import Game
from scorekeeper.rules.violation import RuleViolation


def late_hand(game_id: str, command: Callable[[Game], Command], number: int | None, tap: Tap) -> AnyResponse:
    """Return the answer to a hand whose number another one may have by now; raises `StaleError` where none has.

    `number` is the one that its page showed. The same from another phone is as good as saved; anything else is 409,
    with both shown.
    """
    try:
        kept = report_hand(public_id=game_id, command=command, number=number, tap=tap)
    except RuleViolation:
        raise StaleError from None
    if kept.agrees and not kept.own:
        return to_board(game_id)
    snapshot = queries.snapshot_of(game_id, this_device())
    shown_already = any(report.hand == kept.hand for report in snapshot.game.entry(kept.entry.seq).disputes)
    return shown(board_page(snapshot, notice="" if shown_already else compared_text(snapshot, kept)), 409)


def late_bid(game_id: str, form: BidForm, tap: Tap) -> AnyResponse:
    """Return the answer to a bid that another phone may have taken: the same is shown, of another it is said.

    Raises `StaleError` where the game has moved on in any other way.
    """
    command = form.bid()
    if isinstance(command, EnterHand):
        return late_hand(game_id, lambda _then: command, form.number_told, tap)
    snapshot = own_game(game_id)
    then = game_seen(game_id, tap.version)
    if then is None or not isinstance(command, TakeBid):
        raise StaleError
    try:
        if done_alike(then, snapshot.game, command):
            return to_board(game_id)
    except RuleViolation:
        raise StaleError from None
    return _other_bid(snapshot, then, command)


def _other_bid(snapshot: Snapshot, then: Game, command: TakeBid) -> Response:
    game, names = snapshot.game, snapshot.said_names
    number = len(then.hands) + 1
    said = _("%(bidder)s bid %(bid)s.", bidder=names[command.bidder], bid=bid_in_suit(command.bid, command.trump))
    entry, standing = taker(then, game), game.open_bid
    if entry is not None:
        was = hand_text(game.table, names, snapshot.sides, entry.hand)
    elif standing is not None and len(game.hands) + 1 == number:
        was = _(
            "%(bidder)s bid %(bid)s.",
            bidder=names[standing.bidder],
            bid=bid_in_suit(standing.bid, standing.trump),
        )
    else:
        raise StaleError
    notice = _(
        "Another phone was first. Hand %(number)s: %(was)s This one said: %(said)s", number=number, was=was, said=said
    )
    return shown(board_page(snapshot, notice=notice), 409)


def late_correction(game_id: str, seq: int, tap: Tap) -> Response:
    """Return the answer to a correction of a hand that was changed meanwhile: whose change stands, and what it says.

    Raises `StaleError` where the game has moved on in any other way.
    """
    came = changed_since(game_id, tap.device, seq, tap.version)
    if came is None:
        raise StaleError
    snapshot = own_game(game_id)
    phone = _("This phone") if came.own else phone_name(snapshot.names, came.by)
    number = 1 + sum(line.entry.seq < seq for line in snapshot.game.hands)
    if isinstance(came.event, HandVoided):
        notice = _(
            "%(phone)s struck hand %(number)s out meanwhile. This correction was not saved.",
            phone=phone,
            number=number,
        )
    else:
        notice = _(
            "%(phone)s corrected hand %(number)s meanwhile: %(hand)s This correction was not saved.",
            phone=phone,
            number=number,
            hand=hand_text(snapshot.game.table, snapshot.said_names, snapshot.sides, came.event.hand),
        )
    return shown(board_page(snapshot, notice=notice), 409)
