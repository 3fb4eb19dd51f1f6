"""The hands of a phone that was without signal while the game went on, and hands that another phone carries over."""

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

NOT_WHOLE = N_("That form was not whole. Nothing was changed.")
MOVED_ON = N_("The game had moved on when that arrived, so nothing was changed. This is how both stand now.")
BROKEN_CODE = N_("That code was not whole. Scan it again.")


@bp.post("/games/<game_id>/tail")
def tail(game_id: str) -> AnyResponse:
    """Show the hands that wait on this phone beside what the score book has."""
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
    """Save what another phone wrote, on a phone that may score."""
    snapshot = own_game(game_id)
    form = TailForm()
    version, hands = _sent(form)
    outcome = save_waiting(public_id=game_id, device=this_device() or "", version=version, hands=hands, carried=True)
    if isinstance(outcome, Behind):
        return _shown(snapshot, form, hands, 409, carried=True)
    return to_board(game_id)


@bp.get("/carry")
def carry() -> str:
    """The page that a code leads to: what it carries stands behind the # and reaches no log on the way."""
    return render_template("games/carried_hands.html")


@bp.post("/carry")
def carried() -> AnyResponse:
    """Show what a code carries, in words."""
    form = TailForm()
    sent = form.hands()
    game_id = sent.get("game") if isinstance(sent, dict) else None
    told = read_tail(sent)
    if not isinstance(game_id, str) or told is None:
        abort(422, description=_(BROKEN_CODE))
    snapshot = queries.snapshot_of(game_id, this_device())
    try:
        return _shown(snapshot, form, told[1], carried=True)
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
    """The version that the phone saw, and its hands; 422 where they are not whole."""
    told = read_tail(form.hands())
    if told is None:
        abort(422, description=_(NOT_WHOLE))
    return told
