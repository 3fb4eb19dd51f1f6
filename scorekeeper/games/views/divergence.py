"""The hands of a phone that was without signal while the game went on, and hands that another phone carries over."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from typing import Any

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.logic.divergence import WaitingHand
from scorekeeper.games.presenters.divergence_page import tail_page
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.services.offline_sync import (
    OtherHandError,
    ReusedIdError,
    accept_tail,
    discard_tail,
    save_waiting,
    unsaved,
)
from scorekeeper.games.services.scoring import ReusedError, StaleError
from scorekeeper.games.views.blueprint import bp, status_of
from scorekeeper.games.views.offline import read_tail
from scorekeeper.games.views.requests import own_game, tap_at_game
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.rules.violation import RuleViolation

MOST_BYTES = 100_000
"""Of a code that is unpacked: some 700 hands, and no bomb."""
NOT_WHOLE = N_("That form was not whole. Nothing was changed.")
MOVED_ON = N_("The game had moved on when that arrived, so nothing was changed. This is how both stand now.")
BROKEN_CODE = N_("That code was not whole. Scan it again.")


@bp.post("/games/<game_id>/tail")
def tail(game_id: str) -> AnyResponse:
    """Show the hands that wait on this phone beside what the score book has."""
    snapshot = own_game(game_id)
    return _shown(snapshot, _sent()[1])


@bp.post("/games/<game_id>/tail/acceptance")
def accept(game_id: str) -> AnyResponse:
    return _settle(game_id, accept_tail)


@bp.post("/games/<game_id>/tail/void")
def discard(game_id: str) -> AnyResponse:
    return _settle(game_id, discard_tail)


@bp.post("/games/<game_id>/carried")
def save_carried(game_id: str) -> AnyResponse:
    """Save what another phone wrote, on a phone that may score."""
    snapshot = own_game(game_id)
    version, hands = _sent()
    try:
        save_waiting(public_id=game_id, device=this_device() or "", version=version, hands=hands, carried=True)
    except OtherHandError:
        return _shown(snapshot, hands, 409)
    except ReusedIdError:
        raise ReusedError from None
    return _to_board(game_id)


@bp.get("/carry")
def carry() -> str:
    """The page that a code leads to: what it carries stands behind the # and reaches no log on the way."""
    return render_template("games/carry.html")


@bp.post("/carry")
def carried() -> AnyResponse:
    """Show what a code carries, in words."""
    sent = _json()
    game_id = sent.get("game") if isinstance(sent, dict) else None
    told = read_tail(sent)
    if not isinstance(game_id, str) or told is None:
        abort(422, description=_(BROKEN_CODE))
    snapshot = queries.snapshot_of(game_id, this_device())
    try:
        return _shown(snapshot, told[1], carried=True)
    except RuleViolation as violation:
        abort(status_of(violation), description=spoken(violation.message))
    except ReusedError:
        abort(422, description=_(BROKEN_CODE))


def _settle(game_id: str, settle: Callable[..., Any]) -> AnyResponse:
    snapshot = own_game(game_id)
    tap = tap_at_game()
    _version, hands = _sent()
    try:
        settle(public_id=game_id, device=tap.device, version=tap.version or 0, hands=hands, carried=_from_other())
    except StaleError:
        return _shown(own_game(game_id), hands, 409, notice=_(MOVED_ON))
    except ReusedIdError:
        raise ReusedError from None
    except RuleViolation as violation:
        return _shown(snapshot, hands, status_of(violation), notice=spoken(violation.message))
    return _to_board(game_id)


def _shown(
    snapshot: Snapshot, hands: tuple[WaitingHand, ...], status: int = 200, *, carried: bool = False, notice: str = ""
) -> Response:
    try:
        new = unsaved(snapshot.public_id, hands)
    except ReusedIdError:
        raise ReusedError from None
    sent = request.form["sent"]
    page = tail_page(snapshot, new, sent, carried=carried or _from_other(), notice=notice)
    if not page.rows and page.may_score and not page.carried:
        return make_response(redirect(url_for("games.board", game_id=snapshot.public_id), 303))
    response = make_response(render_template("games/tail.html", page=page), status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _from_other() -> bool:
    return request.form.get("carried") == "1" or request.endpoint == "games.save_carried"


def _json() -> Any:
    """What was sent; None where it is no JSON."""
    try:
        return json.loads(_unpacked(request.form.get("sent", "")))
    except (ValueError, RecursionError, zlib.error):
        return None


def _unpacked(text: str) -> str | bytes:
    """A code as `static/js/games/outbox-code.js` packs it: "z" deflated or "j", then base64; else the text."""
    kind, packed = text[:1], text[1:]
    if kind not in ("z", "j"):
        return text
    data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
    return data if kind == "j" else zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, MOST_BYTES)


def _sent() -> tuple[int, tuple[WaitingHand, ...]]:
    """The version that the phone saw, and its hands; 422 where they are not whole."""
    told = read_tail(_json())
    if told is None:
        abort(422, description=_(NOT_WHOLE))
    return told


def _to_board(game_id: str) -> Response:
    return make_response(redirect(url_for("games.board", game_id=game_id), 303))
