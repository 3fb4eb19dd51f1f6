"""The forms that let another phone score: by a link, by the code of a lost phone, by hands that it carries over."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from wtforms import HiddenField, StringField

from scorekeeper.games.forms.base import GameForm
from scorekeeper.web.forms import AppForm, at_most

MOST_BYTES = 100_000
"""Of a code that is unpacked: some 700 hands, and no bomb."""


class JoinForm(AppForm):
    """Let this phone score, as that of a seat or of nobody in particular."""

    secret = HiddenField(default="")
    seat = StringField(default="")


class RecoveryForm(AppForm):
    """Enter the code of a lost phone."""

    code = StringField(default="", filters=[at_most(80)])


class TailForm(GameForm):
    """Decide about the hands that a phone wrote down without signal: JSON, or that packed as a code."""

    sent = HiddenField(default="")
    carried = HiddenField()

    def hands(self) -> Any:
        """Return what was sent; None where it is no JSON."""
        try:
            return json.loads(_unpacked(self.sent.data or ""))
        except (ValueError, RecursionError, zlib.error):
            return None


def _unpacked(text: str) -> str | bytes:
    """A code as `static/js/games/outbox-code.js` packs it: "z" deflated or "j", then base64; else the text."""
    kind, packed = text[:1], text[1:]
    if kind not in ("z", "j"):
        return text
    data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
    return data if kind == "j" else zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, MOST_BYTES)
