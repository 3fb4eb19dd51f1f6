"""Save the note and the photo of a hand, and record a coke hand."""

from __future__ import annotations

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.forms.base import number_in
from scorekeeper.games.forms.hand_note import CokeHandForm, HandNoteForm, HandPhotoForm
from scorekeeper.games.presenters.hand_note import hand_note_page
from scorekeeper.games.services import hand_notes
from scorekeeper.games.views.blueprint import bp
from scorekeeper.games.views.requests import entry_at, game_request, own_game
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.rules.game import Adjustment
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.images import KIND, PhotoRefusedError, photo_from, read_photo
from scorekeeper.web.rate_limit import PHOTOS, limited

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
        hand_notes.write_note(public_id=game_id, seq=seq, text=text, request=game_request(form))
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
        hand_notes.add_photo(public_id=game_id, seq=seq, photo=photo.data, request=sent)
    except PhotoRefusedError as refusal:
        return _note_page(game_id, seq, _(str(refusal)))
    except RuleViolation as violation:
        return _note_page(game_id, seq, spoken(violation.message))
    return redirect(url_for("games.hand_note", game_id=game_id, seq=seq), 303)


@bp.post("/games/<game_id>/hands/<int:seq>/photo/removal")
def remove_hand_photo(game_id: str, seq: int) -> AnyResponse:
    hand_notes.remove_photo(public_id=game_id, seq=seq, request=game_request())
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
    hand_notes.note_coke_hand(public_id=game_id, seat=number_in(form.seat), request=sent)
    return redirect(url_for("games.log", game_id=game_id), 303)


def _note_page(game_id: str, seq: int, error: str = "", text: str | None = None) -> Response:
    snapshot = own_game(game_id)
    entry = entry_at(snapshot, seq)
    if isinstance(entry.what, Adjustment):
        abort(404, description=_("There is no such hand in this game."))
    page = hand_note_page(snapshot, entry, error=error, text=text)
    return make_response(render_template("games/hand_note.html", page=page), 422 if error else 200)
