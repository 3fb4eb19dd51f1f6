"""Settle offline hands that conflict with hands on the server, and save hands scanned from another phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import abort, make_response, render_template
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms.sharing import TailForm
from scorekeeper.games.logic.reconcile import Behind, WaitingHand
from scorekeeper.games.presenters.divergence_page import tail_page
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.services.offline_sync import accept_tail, discard_tail, save_waiting, unsaved
from scorekeeper.games.services.scoring import ReusedError
from scorekeeper.games.views.blueprint import bp, status_of
from scorekeeper.games.views.offline import read_tail
from scorekeeper.games.views.requests import game_request, own_game
from scorekeeper.games.views.responses import to_board
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.rules.violation import RuleViolation

INCOMPLETE = N_("That form was incomplete, so nothing was changed. Reload the page and try again.")
MOVED_ON = N_("Someone else changed the game first, so your change wasn't saved. Here are both versions now.")
BROKEN_CODE = N_("That code was incomplete. Scan it again.")


@bp.post("/games/<game_id>/tail")
def tail(game_id: str) -> AnyResponse:
    """Show this phone's offline hands next to the hands on the server."""
    snapshot = own_game(game_id)
    form = TailForm()
    return _shown(snapshot, form, _sent(form)[1])


@bp.post("/games/<game_id>/tail/acceptance")
def accept(game_id: str) -> AnyResponse:
    return _settle(game_id, accept_tail)


@bp.post("/games/<game_id>/tail/void")
def discard(game_id: str) -> AnyResponse:
    return _settle(game_id, discard_tail)


@bp.post("/games/<game_id>/carried")
def save_carried(game_id: str) -> AnyResponse:
    """Save the offline hands of another phone, which this phone received by QR code.

    This phone must be allowed to score the game.
    """
    snapshot = own_game(game_id)
    form = TailForm()
    version, hands = _sent(form)
    outcome = save_waiting(public_id=game_id, device=this_device() or "", version=version, hands=hands, carried=True)
    if isinstance(outcome, Behind):
        return _shown(snapshot, form, hands, 409, carried=True)
    return to_board(game_id)


@bp.get("/carry")
def carry() -> str:
    """Show the page that opens when a phone scans a QR code with another phone's offline hands.

    The hands are in the fragment of the address (after the #), so they never reach a server log.
    """
    return render_template("games/carried_hands.html")


@bp.post("/carry")
def carried() -> AnyResponse:
    """Show another phone's hands, which this phone received by QR code, and the choices for saving them."""
    form = TailForm()
    sent = form.hands()
    game_id = sent.get("game") if isinstance(sent, dict) else None
    tail = read_tail(sent)
    if not isinstance(game_id, str) or tail is None:
        abort(422, description=_(BROKEN_CODE))
    snapshot = queries.snapshot_of(game_id, this_device())
    try:
        return _shown(snapshot, form, tail[1], carried=True)
    except RuleViolation as violation:
        abort(status_of(violation), description=spoken(violation.message))
    except ReusedError:
        abort(422, description=_(BROKEN_CODE))


def _settle(game_id: str, settle: Callable[..., Any]) -> AnyResponse:
    snapshot = own_game(game_id)
    form = TailForm()
    sent = game_request(form)
    _version, hands = _sent(form)
    carried = form.carried.data == "1"
    try:
        outcome = settle(public_id=game_id, device=sent.device, version=sent.version or 0, hands=hands, carried=carried)
    except RuleViolation as violation:
        return _shown(snapshot, form, hands, status_of(violation), notice=spoken(violation.message))
    if isinstance(outcome, Behind):
        return _shown(own_game(game_id), form, hands, 409, notice=_(MOVED_ON))
    return to_board(game_id)


def _shown(
    snapshot: Snapshot,
    form: TailForm,
    hands: tuple[WaitingHand, ...],
    status: int = 200,
    *,
    carried: bool = False,
    notice: str = "",
) -> AnyResponse:
    new = unsaved(snapshot.public_id, hands)
    page = tail_page(snapshot, new, form.sent.data or "", carried=carried or form.carried.data == "1", notice=notice)
    if not page.rows and page.may_score and not page.carried:
        return to_board(snapshot.public_id)
    response = make_response(render_template("games/divergence.html", page=page), status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _sent(form: TailForm) -> tuple[int, tuple[WaitingHand, ...]]:
    """Return (version, hands) from the form. Abort with 422 if the form is incomplete.

    `version` is the version of the game that the phone with the hands last saw.
    """
    tail = read_tail(form.hands())
    if tail is None:
        abort(422, description=_(INCOMPLETE))
    return tail
