"""Read the phone, the game, the request key and the version from the current request."""

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
"""A game with more events than this is long, and its pages take a while to make. A whole evening has about 100."""


def start_request(content: bytes = b"") -> ClientRequest:
    """Return the `ClientRequest` that starts a game, and give a new phone its cookie.

    `content` is the content of an uploaded file, or empty if no file was uploaded. Abort with 422 if the form is
    incomplete.
    """
    form = StartForm()
    _check_complete(form)
    # The id says nothing about a file.
    return ClientRequest(known_device(), form.key(content), game_id="" if content else form.game_id)


def game_request(form: GameForm | None = None) -> ClientRequest:
    """Return the `ClientRequest` that changes a game, read from `form`. Abort with 422 if the form is incomplete.

    By default, the form of the current request is read.
    """
    sent = form or GameForm()
    _check_complete(sent)
    return ClientRequest(this_device() or "", sent.key(), int(str(sent.version.data)), sent.game_id)


def _check_complete(form: StartForm) -> None:
    if not form.validate():
        abort(422, description=_("That form was incomplete, so nothing was changed. Reload the page and try again."))


def whole_game(game_id: str) -> Snapshot:
    """Return a game for a page that shows all of its hands. Long games count toward the limit of costly requests."""
    snapshot = queries.snapshot_of(game_id, this_device())
    if snapshot.game.version > LONG:
        spend(COSTLY, asker())
    return snapshot


def own_game(game_id: str) -> Snapshot:
    """Return a game for a phone that may score it. Raises the errors of `access.admit` for any other phone."""
    return queries.snapshot_of(game_id, this_device(), needs=AccessLevel.SCORES)


def entry_at(snapshot: Snapshot, seq: int, sent: ClientRequest | None = None) -> Entry:
    """Return the hand or adjustment at log position `seq`. Abort with 404 if there is none.

    Raises `RuleViolation` if the entry was undone. If the request `sent` was made from an older version of the game,
    the undone entry is returned instead.
    """
    try:
        entry = snapshot.game.entry(seq)
    except RuleViolation:
        abort(404, description=_("There is no such hand in this game."))
    # A request at an older version may be a repetition of the one that deleted the hand.
    if not entry.live and (sent is None or snapshot.game.stands_at(sent.version)):
        raise RuleViolation("hand_voided", "That hand was already undone.")
    return entry


def carry_out(game_id: str, command: Command, sent: ClientRequest | None = None) -> Response:
    """Carry out `command` on a game, and return the board.

    `sent` is the request to use. If it is None, the request is read from the current form.
    """
    scoring.act(public_id=game_id, command=command, request=sent or game_request())
    return to_board(game_id)


def effect_before(
    snapshot: Snapshot, form: SeenForm, sent: ClientRequest, command: Command, data: Mapping[str, Any]
) -> Effect | None:
    """Carry out `command` and return None, or return the effect of `command` for review.

    `command` is carried out only if the player has reviewed its effect. `data` has the choices in the form. A
    command from an outdated page is not reviewed. If its request was carried out before, the scoring service ignores
    the repetition. Otherwise, the service refuses the request.
    """
    game = snapshot.game
    seen = choice_digest(data, game.changed)
    if form.seen.data != seen and game.stands_at(sent.version):
        return effect_of(snapshot, command, seen)
    scoring.act(public_id=snapshot.public_id, command=command, request=sent)
    return None
