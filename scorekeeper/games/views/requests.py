"""What a request carries: which phone, which game, which tap."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from flask import abort, request
from werkzeug.wrappers import Response

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.games import queries
from scorekeeper.games.forms import StartForm, TapForm
from scorekeeper.games.presenters.snapshot import Snapshot, choice_digest
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import Tap
from scorekeeper.games.store.access import AccessLevel
from scorekeeper.games.views.responses import to_board
from scorekeeper.i18n.catalog import _
from scorekeeper.rules.commands import Command
from scorekeeper.rules.game import Entry
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.rate_limit import COSTLY, asker, spend
from scorekeeper.web.text import whole_number

LONG = 200
"""Events of a game whose pages take a while to make: an evening has a hundred."""
UNTOLD = ("csrf_token", "seen", "sure", "again")
"""Fields that say nothing about the game: the same tap with others is the same tap."""


def start_tap(content: bytes = b"") -> Tap:
    """Return the tap that starts a game, on a phone that is known from now on; 422 where the form is not whole."""
    form = StartForm(request.form)
    if not form.validate():
        abort(422, description=_("That form was not whole. Nothing was changed."))
    return Tap(known_device(), _tap_id(str(form.client_id.data), content))


def tap_at_game() -> Tap:
    """Return the tap at a game; 422 where the form is not whole."""
    form = TapForm(request.form)
    if not form.validate():
        abort(422, description=_("That form was not whole. Nothing was changed."))
    return Tap(this_device() or "", _tap_id(str(form.client_id.data)), int(str(form.version.data)))


def _tap_id(client_id: str, content: bytes = b"") -> str:
    """Return the id of a tap: the same form sent again is the same tap, another or a changed one is not.

    A page that the back button brings up carries its old id; what is changed there must not pass for a repetition.
    """
    fields = [(key, value) for key, value in request.form.items(multi=True) if key not in UNTOLD]
    told = json.dumps([request.path, fields]).encode() + content
    return f"{client_id[:43]}.{hashlib.sha256(told).hexdigest()[:20]}"


def number_in(field: str) -> int:
    """Return the number in a field; raises `RuleViolation` where nothing was chosen."""
    number = whole_number(request.form.get(field, ""))
    if number is None:
        raise RuleViolation("choice_missing", "Choose one first. Nothing was changed.", field=field)
    return number


def whole_game(game_id: str) -> Snapshot:
    """Return a game as it stands, all of which is to be shown: that counts as costly where it is a long one."""
    snapshot = queries.snapshot_of(game_id, this_device())
    if snapshot.game.version > LONG:
        spend(COSTLY, asker())
    return snapshot


def own_game(game_id: str) -> Snapshot:
    """Return the game as it stands; raises `NotYourGameError` on a phone that may only watch."""
    return queries.snapshot_of(game_id, this_device(), needs=AccessLevel.SCORES)


def entry_at(snapshot: Snapshot, seq: int, tap: Tap | None = None) -> Entry:
    """Return the hand that was first written at `seq`; 404 where there is none."""
    try:
        entry = snapshot.game.entry(seq)
    except RuleViolation:
        abort(404, description=_("There is no such hand in this game."))
    # A tap at an older version may be the one that struck the hand out, sent again.
    if not entry.live and (tap is None or snapshot.game.stands_at(tap.version)):
        raise RuleViolation("hand_voided", "That hand was struck out already.")
    return entry


def carry_out(game_id: str, command: Command) -> Response:
    """Carry `command` out and answer with the way to the board."""
    scoring.act(public_id=game_id, command=command, tap=tap_at_game())
    return to_board(game_id)


def saved(snapshot: Snapshot, data: Mapping[str, Any], command: Command, tap: Tap) -> bool:
    """Carry `command` out where its effect was seen before, and return whether it was.

    `data` is what was chosen; the field "seen" carries the word for the choice whose effect
    the page showed. A tap at an older version goes to the service, which knows if it was done.
    """
    game = snapshot.game
    if request.form.get("seen") != choice_digest(data, game.changed) and game.stands_at(tap.version):
        return False
    scoring.act(public_id=snapshot.public_id, command=command, tap=tap)
    return True
