"""What a request carries: which phone, which game, which tap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import abort
from werkzeug.wrappers import Response

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games import queries
from scorekeeper.games.forms.base import GameForm, SeenForm, StartForm
from scorekeeper.games.logic.request_key import choice_digest
from scorekeeper.games.pages import Effect
from scorekeeper.games.presenters.correction import effect_of
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.access import AccessLevel
from scorekeeper.games.views.responses import to_board
from scorekeeper.i18n.catalog import _
from scorekeeper.rules.commands import Command
from scorekeeper.rules.game import Entry
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.rate_limit import COSTLY, asker, spend

LONG = 200
"""Events of a game whose pages take a while to make: an evening has a hundred."""


def start_request(content: bytes = b"") -> ClientRequest:
    """Return the tap that starts a game, on a phone that is known from now on; 422 where the form is not whole."""
    form = StartForm()
    _check_whole(form)
    return ClientRequest(known_device(), form.key(content))


def game_request(form: GameForm | None = None) -> ClientRequest:
    """Return the tap at a game that a form sends; 422 where the form is not whole."""
    sent = form or GameForm()
    _check_whole(sent)
    return ClientRequest(this_device() or "", sent.key(), int(str(sent.version.data)))


def _check_whole(form: StartForm) -> None:
    if not form.validate():
        abort(422, description=_("That form was not whole. Nothing was changed."))


def whole_game(game_id: str) -> Snapshot:
    """Return a game as it stands, all of which is to be shown: that counts as costly where it is a long one."""
    snapshot = queries.snapshot_of(game_id, this_device())
    if snapshot.game.version > LONG:
        spend(COSTLY, asker())
    return snapshot


def own_game(game_id: str) -> Snapshot:
    """Return the game as it stands; raises `NotYourGameError` on a phone that may only watch."""
    return queries.snapshot_of(game_id, this_device(), needs=AccessLevel.SCORES)


def entry_at(snapshot: Snapshot, seq: int, sent: ClientRequest | None = None) -> Entry:
    """Return the hand that was first written at `seq`; 404 where there is none."""
    try:
        entry = snapshot.game.entry(seq)
    except RuleViolation:
        abort(404, description=_("There is no such hand in this game."))
    # A tap at an older version may be the one that struck the hand out, sent again.
    if not entry.live and (sent is None or snapshot.game.stands_at(sent.version)):
        raise RuleViolation("hand_voided", "That hand was struck out already.")
    return entry


def carry_out(game_id: str, command: Command, sent: ClientRequest | None = None) -> Response:
    """Carry `command` out and answer with the way to the board."""
    scoring.act(public_id=game_id, command=command, request=sent or game_request())
    return to_board(game_id)


def effect_before(
    snapshot: Snapshot, form: SeenForm, sent: ClientRequest, command: Command, data: Mapping[str, Any]
) -> Effect | None:
    """Carry `command` out where its effect was seen before and return None; else return its effect, to be looked at.

    `data` is what was chosen. A tap at an older version goes to the service, which knows if it was done.
    """
    game = snapshot.game
    seen = choice_digest(data, game.changed)
    if form.seen.data != seen and game.stands_at(sent.version):
        return effect_of(snapshot, command, seen)
    scoring.act(public_id=snapshot.public_id, command=command, request=sent)
    return None
