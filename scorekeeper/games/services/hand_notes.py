"""Save a note on a hand, or a photo of its cards. Each public function is one use case and one transaction.

Notes and photos don't change a score, so they aren't events of the game. The history only shows that a phone added or
removed a note or a photo.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.services.scoring import ClientRequest, game_for
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.event_store import GameHeader
from scorekeeper.games.store.hand_notes import notes_on_hands, photos_in, put_note, put_photo
from scorekeeper.games.store.models import NOTE_LENGTH
from scorekeeper.games.store.redaction import hold
from scorekeeper.i18n.catalog import N_
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing

MOST_PHOTOS = 20
"""Maximum number of photos in one game; each has up to some hundred kilobytes."""


@use_case
def write_note(*, public_id: str, seq: int, text: str, request: ClientRequest, now: datetime | None = None) -> None:
    """Save `text` as the note on the hand at log position `seq`. An empty text removes the note.

    Raises `RuleViolation` if the text is too long or there is no such hand, and the errors of `access.admit`.
    """
    told = " ".join(text.split())
    if len(told) > NOTE_LENGTH:
        message = Phrase("A note can have at most %(most)s characters.", most=NOTE_LENGTH)
        raise RuleViolation("note_long", message, field="note")
    with writing() as session:
        found, _game = _hand(session, public_id, seq, request)
        if put_note(session, found.id, seq, told):
            _noted(session, found, "note_written" if told else "note_removed", request, now)


@use_case
def add_photo(*, public_id: str, seq: int, photo: bytes, request: ClientRequest, now: datetime | None = None) -> None:
    """Save `photo` as the photo of the hand at log position `seq`, replacing any other photo of the hand.

    `photo` is a JPEG that was encoded by `web.images`. Raises `RuleViolation` if the game has too many photos or there
    is no such hand, and the errors of `access.admit`.
    """
    with writing() as session:
        found, _game = _hand(session, public_id, seq, request)
        known = notes_on_hands(session, found.id).get(seq)
        if not (known and known.photo) and photos_in(session, found.id) >= MOST_PHOTOS:
            message = Phrase("A game can have at most %(most)s photos. Remove one first.", most=MOST_PHOTOS)
            raise RuleViolation("photos_full", message, field="photo")
        if put_photo(session, found.id, seq, photo):
            _noted(session, found, "photo_added", request, now)


@use_case
def remove_photo(*, public_id: str, seq: int, request: ClientRequest, now: datetime | None = None) -> None:
    """Delete the photo of the hand at log position `seq` for good.

    Raises `RuleViolation` if there is no such hand, and the errors of `access.admit`.
    """
    with writing() as session:
        found, _game = _hand(session, public_id, seq, request)
        if put_photo(session, found.id, seq, None):
            _noted(session, found, "photo_removed", request, now)


@use_case
def note_coke_hand(*, public_id: str, seat: int, request: ClientRequest, now: datetime | None = None) -> None:
    """Record in the history that the player at `seat` asked for new cards. The score doesn't change.

    A player may ask for new cards if they were dealt a worthless hand (coke hand) and the rules allow it. Raises
    `RuleViolation` if the rules have no coke hands, the game is over, or there is no such seat. Also raises the errors
    of `access.admit`.
    """
    with writing() as session:
        found, game = game_for(session, public_id, request)
        if game.table.rules.redeal == "none":
            raise RuleViolation(
                "no_coke_hands", "This game doesn't use coke hands. You can turn them on in the house rules."
            )
        if game.over:
            raise RuleViolation("game_over", "The game is over.")
        if not 0 <= seat < game.table.players:
            raise RuleViolation("seat", "There is no such seat at this table.", field="seat")
        note(session, found.id, "coke_hand", device=request.device, now=now or datetime.now(UTC), seat=seat)


def _hand(session: Session, public_id: str, seq: int, request: ClientRequest) -> tuple[GameHeader, Game]:
    """Lock a game and return its header and the game.

    Raises `RuleViolation` if the hand at log position `seq` was undone, or if there is no such hand.
    """
    found, game = game_for(session, public_id, request)
    entry = game.entry(seq)
    if not entry.live:
        raise RuleViolation("hand_voided", N_("That hand was already undone."))
    return found, game


def _noted(session: Session, found: GameHeader, kind: str, request: ClientRequest, now: datetime | None) -> None:
    """Add an entry of the kind `kind` to the history of a game, and make open pages of the game update."""
    note(session, found.id, kind, device=request.device, now=now or datetime.now(UTC))
    hold(session, [found.id])
