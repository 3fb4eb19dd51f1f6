"""Remember in a cookie of the phone for which stakes its last few games were settled.

The server stores none of it. The cookie is signed, so that only stakes that this server found valid are offered again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, URLSafeSerializer

from scorekeeper.web.cookies import sent_cookie, set_cookie
from scorekeeper.web.extensions import installation_key

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

COOKIE = "scorekeeper_stakes"
LASTS = timedelta(days=400)
MOST = 6
"""How many games and nights are remembered with their stakes."""

Stakes = Mapping[str, str]
"""The fields of the form for settling up, with the names and texts of its inputs."""


def remembered_stakes(place: str) -> tuple[Stakes, bool]:
    """Return the stakes for `place`, and whether `place` was settled for them on this phone.

    `place` names a game or a night, as in `keep_stakes`. If it wasn't settled yet, these are the last stakes that were
    used on this phone, or empty if there are none.
    """
    kept = _kept()
    if place in kept:
        return kept[place], True
    return next(iter(kept.values()), {}), False


def keep_stakes(response: Response, place: str, stakes: Stakes) -> None:
    """Save the stakes for which `place`, a game or a night, was settled in the cookie of the phone."""
    kept = {place: {**remembered_stakes(place)[0], **stakes}} | {
        each: others for each, others in _kept().items() if each != place
    }
    set_cookie(response, COOKIE, _signed().dumps(list(kept.items())[:MOST]), LASTS)


def _kept() -> dict[str, Stakes]:
    """Return the stakes in the phone's cookie by place, newest first."""
    try:
        return dict(_signed().loads(sent_cookie(COOKIE)))
    except BadSignature:
        return {}


def _signed() -> URLSafeSerializer:
    return URLSafeSerializer(installation_key(), salt=COOKIE, signer_kwargs={"digest_method": hashlib.sha256})
