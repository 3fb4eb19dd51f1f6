"""Forms for several phones: join with a link, take over with a backup code, and settle hands saved offline."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from wtforms import HiddenField, StringField

from scorekeeper.games.forms.base import GameForm
from scorekeeper.web.forms import AppForm, at_most

MOST_BYTES = 100_000
"""Maximum size in bytes of the unpacked hands from a QR code: about 700 hands. The limit stops zip bombs."""


class JoinForm(AppForm):
    """Let this phone keep score. The form may also say at which seat the phone's owner sits."""

    secret = HiddenField(default="")
    seat = StringField(default="")


class RecoveryForm(AppForm):
    """Enter the backup code of a lost phone."""

    code = StringField(default="", filters=[at_most(80)])


class TailForm(GameForm):
    """Compare, accept or discard the hands that a phone saved offline.

    `sent` holds these hands and the version of the game that the phone saw, in the format that
    `views.offline.read_tail` reads. The format is JSON, plain or packed as in a QR code. `carried` is "1" if another
    phone sends the hands for the phone that saved them.
    """

    sent = HiddenField(default="")
    carried = HiddenField()

    def hands(self) -> Any:
        """Return the content of `sent`, decoded from JSON, or None if it is not JSON."""
        try:
            return json.loads(_unpacked(self.sent.data or ""))
        except (ValueError, RecursionError, zlib.error):
            return None


def _unpacked(text: str) -> str | bytes:
    """Return the JSON in a code that was made by `static/js/games/outbox-code.js`.

    Such a code begins with "z" for deflated or "j" for plain JSON, followed by base64. Any other text is returned
    unchanged.
    """
    kind, packed = text[:1], text[1:]
    if kind not in ("z", "j"):
        return text
    data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
    return data if kind == "j" else zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, MOST_BYTES)
