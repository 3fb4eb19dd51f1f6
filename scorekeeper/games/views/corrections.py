"""Correct and delete older hands, settle disputes, and show the game log.

Save the note and the photo of a hand, and record a coke hand.

Settle offline hands that conflict with hands on the server, and save hands scanned from another phone.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms.base import (
    CokeHandForm,
    HandNoteForm,
    HandPhotoForm,
    SeenForm,
    SettleReportForm,
    TailForm,
    number_in,
)
from scorekeeper.games.forms.hand import HandForm, hand_data
from scorekeeper.games.logic.reconcile import Behind, WaitingHand
from scorekeeper.games.presenters.correction import correction_page
from scorekeeper.games.presenters.disputes import tail_page
from scorekeeper.games.presenters.history import CorrectionPage
from scorekeeper.games.presenters.share_links import hand_note_page
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.services import hands
from scorekeeper.games.services.offline_sync import accept_tail, discard_tail, save_waiting, unsaved
from scorekeeper.games.services.scoring import ReusedError, StaleError
from scorekeeper.games.views.blueprint import (
    bp,
    effect_before,
    entry_at,
    game_request,
    own_game,
    status_of,
    to_board,
    whole_game,
)
from scorekeeper.games.views.offline import read_tail
from scorekeeper.games.views.play import late_correction
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.rules import commands
from scorekeeper.rules.game import Adjustment
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.csv_cells import LogRow, log_csv, log_file, log_json
from scorekeeper.web.rate_limit import PHOTOS, limited
from scorekeeper.web.text import whole_number
from scorekeeper.web.uploads import KIND, PhotoRefusedError, photo_from, read_photo

LOG_LINES = 100
"""Maximum number of entries of a game log on one page."""


@bp.route("/games/<game_id>/hands/<int:seq>/correction", methods=["GET", "POST"])
def correction(game_id: str, seq: int) -> AnyResponse:
    snapshot = own_game(game_id)
    if request.method == "GET":
        return _shown(correction_page(snapshot, entry_at(snapshot, seq)))
    form = HandForm()
    sent = game_request(form)
    entry = entry_at(snapshot, seq, sent)
    data = hand_data(form.entries.data, snapshot.game.table)
    # If another side bid, the page asks for its points: what follows from the others is filled in.
    chosen = form.entries.data | {f"taken-{side}": str(points) for side, points in enumerate(data.get("taken", ()))}
    try:
        effect = effect_before(snapshot, form, sent, commands.CorrectHand(seq, data), data)
    except StaleError:
        return late_correction(game_id, seq, sent)
    except RuleViolation as violation:
        page = correction_page(snapshot, entry, chosen=chosen, error=spoken(violation.message))
        return _shown(page, status_of(violation))
    return _shown(correction_page(snapshot, entry, chosen=chosen, effect=effect)) if effect else to_board(game_id)


@bp.post("/games/<game_id>/hands/<int:seq>/void")
def void_hand(game_id: str, seq: int) -> AnyResponse:
    snapshot = own_game(game_id)
    form = SeenForm()
    sent = game_request(form)
    entry = entry_at(snapshot, seq, sent)
    effect = effect_before(snapshot, form, sent, commands.VoidHand(seq), {"void": seq})
    return _shown(correction_page(snapshot, entry, effect=effect, striking=True)) if effect else to_board(game_id)


def _shown(page: CorrectionPage, status: int = 200) -> Response:
    return make_response(render_template("games/correction.html", page=page), status)


@bp.post("/games/<game_id>/hands/<int:seq>/reports/<int:report>")
def settle_report(game_id: str, seq: int, report: int) -> AnyResponse:
    """Settle a dispute about the hand at log position `seq`. `report` is the log position of the disputed report."""
    form = SettleReportForm()
    how, reason = form.how.data or "", form.reason.data or ""
    sent = game_request(form)
    hands.settle_report(public_id=game_id, seq=seq, report=report, how=how, reason=reason, request=sent)
    return to_board(game_id)


@bp.post("/games/<game_id>/settled/seen")
def see_settled(game_id: str) -> AnyResponse:
    """Remember that this phone's user has seen how the disputes about hands were settled."""
    hands.note_seen(public_id=game_id, request=game_request(), now=datetime.now(UTC))
    return to_board(game_id)


@bp.get("/games/<game_id>/log.csv")
def log_as_csv(game_id: str) -> Response:
    return log_file(log_csv(_rows(game_id)), f"log-{game_id}.csv")


@bp.get("/games/<game_id>/log.json")
def log_as_json(game_id: str) -> Response:
    return log_file(log_json(_rows(game_id)), f"log-{game_id}.json")


def _rows(game_id: str) -> list[LogRow]:
    entries = reversed(queries.log_of(whole_game(game_id)).entries)
    return [LogRow(one.when, one.who, one.what, one.before, one.after) for one in entries]


@bp.get("/games/<game_id>/log")
def log(game_id: str) -> str:
    before = whole_number(request.args.get("before", ""), 9)
    snapshot = queries.snapshot_of(game_id, this_device())
    return render_template("games/log.html", page=queries.log_of(snapshot, before=before, most=LOG_LINES))


SIDE = 1280
"""Longest side of a photo in pixels; at that size, the ranks of a hand of cards can be read."""
FOR_A_YEAR = "private, max-age=31536000, immutable"
"""Value of the Cache-Control header for a photo. A changed photo gets a new address.

Only the phone may cache the photo, not a proxy, because watching can be turned off later.
"""


@bp.route("/games/<game_id>/hands/<int:seq>/note", methods=["GET", "POST"])
def hand_note(game_id: str, seq: int) -> AnyResponse:
    if request.method == "GET":
        return _note_page(game_id, seq)
    form = HandNoteForm()
    text = form.note.data or ""
    try:
        hands.write_note(public_id=game_id, seq=seq, text=text, request=game_request(form))
    except RuleViolation as violation:
        return _note_page(game_id, seq, spoken(violation.message), text)
    return redirect(url_for("games.board", game_id=game_id), 303)


@bp.post("/games/<game_id>/hands/<int:seq>/photo")
@limited(PHOTOS)
def add_hand_photo(game_id: str, seq: int) -> AnyResponse:
    own_game(game_id)  # before a stranger's file is read
    form = HandPhotoForm()
    sent = game_request(form)
    try:
        data = read_photo(form.photo.data or None)
        if not data:
            return _note_page(game_id, seq, _("Choose a photo first."))
        photo = photo_from(data, side=SIDE)
        hands.add_photo(public_id=game_id, seq=seq, photo=photo.data, request=sent)
    except PhotoRefusedError as refusal:
        return _note_page(game_id, seq, _(str(refusal)))
    except RuleViolation as violation:
        return _note_page(game_id, seq, spoken(violation.message))
    return redirect(url_for("games.hand_note", game_id=game_id, seq=seq), 303)


@bp.post("/games/<game_id>/hands/<int:seq>/photo/removal")
def remove_hand_photo(game_id: str, seq: int) -> AnyResponse:
    hands.remove_photo(public_id=game_id, seq=seq, request=game_request())
    return redirect(url_for("games.hand_note", game_id=game_id, seq=seq), 303)


@bp.get("/games/<game_id>/hands/<int:seq>/photos/<photo>")
def hand_photo(game_id: str, seq: int, photo: str) -> Response:
    found = queries.hand_photo(game_id, this_device(), seq, photo)
    if found is None:
        abort(404, description=_("That photo was removed."))
    return Response(found, mimetype=KIND, headers={"Cache-Control": FOR_A_YEAR})


@bp.post("/games/<game_id>/coke-hand")
def coke_hand(game_id: str) -> AnyResponse:
    own_game(game_id)
    form = CokeHandForm()
    sent = game_request(form)
    hands.note_coke_hand(public_id=game_id, seat=number_in(form.seat), request=sent)
    return redirect(url_for("games.log", game_id=game_id), 303)


def _note_page(game_id: str, seq: int, error: str = "", text: str | None = None) -> Response:
    snapshot = own_game(game_id)
    entry = entry_at(snapshot, seq)
    if isinstance(entry.what, Adjustment):
        abort(404, description=_("There is no such hand in this game."))
    page = hand_note_page(snapshot, entry, error=error, text=text)
    return make_response(render_template("games/hand_note.html", page=page), 422 if error else 200)


INCOMPLETE = N_("That form was incomplete, so nothing was changed. Reload the page and try again.")
MOVED_ON = N_("Someone else changed the game first, so your change wasn't saved. Here are both versions now.")
BROKEN_CODE = N_("That code was incomplete. Scan it again.")


@bp.post("/games/<game_id>/tail")
def tail(game_id: str) -> AnyResponse:
    """Show this phone's offline hands next to the hands on the server."""
    snapshot = own_game(game_id)
    form = TailForm()
    return _both_shown(snapshot, form, _sent(form)[1])


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
        return _both_shown(snapshot, form, hands, 409, carried=True)
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
        return _both_shown(snapshot, form, tail[1], carried=True)
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
        return _both_shown(snapshot, form, hands, status_of(violation), notice=spoken(violation.message))
    if isinstance(outcome, Behind):
        return _both_shown(own_game(game_id), form, hands, 409, notice=_(MOVED_ON))
    return to_board(game_id)


def _both_shown(
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
