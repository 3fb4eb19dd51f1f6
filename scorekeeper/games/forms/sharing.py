"""Forms for other phones: join by a link, take over by a backup code, compare offline hands."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from wtforms import HiddenField, StringField

from scorekeeper.games.forms.base import GameForm
from scorekeeper.web.forms import AppForm, at_most

MOST_BYTES = 100_000
"""Of an unpacked code: about 700 hands, and no zip bomb."""


class JoinForm(AppForm):
    """Let this phone score, with or without its owner's seat."""

    secret = HiddenField(default="")
    seat = StringField(default="")


class RecoveryForm(AppForm):
    """Enter the backup code of a lost phone."""

    code = StringField(default="", filters=[at_most(80)])


class TailForm(GameForm):
    """Compare, count or discard the hands that a phone saved offline.

    `sent` has these hands and the version of the game that the phone saw (`views.offline.read_tail`): JSON, plain or
    packed as in a QR code. `carried` is "1" if another phone sends them.
    """

    sent = HiddenField(default="")
    carried = HiddenField()

    def hands(self) -> Any:
        """Return the decoded hands; None if they are not JSON."""
        try:
            return json.loads(_unpacked(self.sent.data or ""))
        except (ValueError, RecursionError, zlib.error):
            return None


def _unpacked(text: str) -> str | bytes:
    """Unpack a code of `static/js/games/outbox-code.js`: "z" deflated or "j" plain, in base64; else return the text."""
    kind, packed = text[:1], text[1:]
    if kind not in ("z", "j"):
        return text
    data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
    return data if kind == "j" else zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, MOST_BYTES)
