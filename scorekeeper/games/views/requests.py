"""Read the phone, the game, the request key and the version of a request."""

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
"""Events from which a game counts as long, since its pages take a while: an evening has a hundred."""


def start_request(content: bytes = b"") -> ClientRequest:
    """Return the request that starts a game, and make the phone known; abort with 422 if the form is incomplete."""
    form = StartForm()
    _check_complete(form)
    # The id says nothing about a file.
    return ClientRequest(known_device(), form.key(content), game_id="" if content else form.game_id)


def game_request(form: GameForm | None = None) -> ClientRequest:
    """Return the request in a form of a game; abort with 422 if the form is incomplete."""
    sent = form or GameForm()
    _check_complete(sent)
    return ClientRequest(this_device() or "", sent.key(), int(str(sent.version.data)), sent.game_id)


def _check_complete(form: StartForm) -> None:
    if not form.validate():
        abort(422, description=_("That form was incomplete, so nothing was changed. Reload the page and try again."))


def whole_game(game_id: str) -> Snapshot:
    """Return a game to show all of it; a long one counts toward the limit of costly requests."""
    snapshot = queries.snapshot_of(game_id, this_device())
    if snapshot.game.version > LONG:
        spend(COSTLY, asker())
    return snapshot


def own_game(game_id: str) -> Snapshot:
    """Return the game for a phone that may score it. Raises `NotYourGameError` for any other."""
    return queries.snapshot_of(game_id, this_device(), needs=AccessLevel.SCORES)


def entry_at(snapshot: Snapshot, seq: int, sent: ClientRequest | None = None) -> Entry:
    """Return the hand saved at `seq` of the log; abort with 404 if there is none."""
    try:
        entry = snapshot.game.entry(seq)
    except RuleViolation:
        abort(404, description=_("There is no such hand in this game."))
    # A request at an older version may be a repetition of the one that deleted the hand.
    if not entry.live and (sent is None or snapshot.game.stands_at(sent.version)):
        raise RuleViolation("hand_voided", "That hand was already undone.")
    return entry


def carry_out(game_id: str, command: Command, sent: ClientRequest | None = None) -> Response:
    """Carry out `command` and answer with the board."""
    scoring.act(public_id=game_id, command=command, request=sent or game_request())
    return to_board(game_id)


def effect_before(
    snapshot: Snapshot, form: SeenForm, sent: ClientRequest, command: Command, data: Mapping[str, Any]
) -> Effect | None:
    """Carry out `command` if the form says that its effect was reviewed, and return None; else return its effect.

    `data` is the choice made in the form. A request at an older version goes to the service, which knows whether it was
    done before.
    """
    game = snapshot.game
    seen = choice_digest(data, game.changed)
    if form.seen.data != seen and game.stands_at(sent.version):
        return effect_of(snapshot, command, seen)
    scoring.act(public_id=snapshot.public_id, command=command, request=sent)
    return None
