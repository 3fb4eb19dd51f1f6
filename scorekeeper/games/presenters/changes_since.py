"""What another phone did to a game while a page of this one stood open."""

from __future__ import annotations

from scorekeeper.games.presenters.disputes import phone_name
from scorekeeper.games.queries import read_game
from scorekeeper.games.services.hand_reports import seat_of
from scorekeeper.games.store.access import Standing, admit
from scorekeeper.games.store.event_store import find, writer_of
from scorekeeper.i18n.catalog import _
from scorekeeper.rules.events import HandScored, HandThrownIn
from scorekeeper.web.extensions import db


def news_since(public_id: str, device: str | None, version: int) -> str:
    """Return what happened last to a game, in a sentence; empty where it still stands at `version`.

    Raises as `access.admit` does: it is for phones that score. An unchanged game is not read for it.
    """
    session = db.session()
    found = find(session, public_id)
    standing = admit(session, found, device, Standing.SCORES)
    assert found is not None
    if found.version == version:
        return ""
    snapshot = read_game(public_id, found, standing)
    writer = writer_of(session, found, found.version)
    own = writer == device
    seat, first = seat_of(session, found, writer), writer == found.device
    phone = _("Another page of this phone") if own else phone_name(snapshot.names, seat, first=first)
    if isinstance(snapshot.latest, HandScored | HandThrownIn):
        return _("%(phone)s saved hand %(number)s.", phone=phone, number=len(snapshot.game.hands))
    return _("%(phone)s went on with the game.", phone=phone)
