"""What somebody chose for this phone: how it looks, its language, whether the screen stays on, whether it buzzes.

No secret and no account: one small cookie. Pages that are the same for everybody (`/watch/…` and a league night, kept
by whoever stands between) never read it; there the address says it: `?look=dark`.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from flask import request

from scorekeeper.web.cookies import sent_cookie, set_cookie

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flask import Flask
    from werkzeug.wrappers import Response

COOKIE = "scorekeeper_settings"
LASTS = timedelta(days=365)
SHARED = re.compile(r"/watch/|/nights/[^/]+(/tv)?\Z")
"""Pages that begin so are public, and know no cookie."""

ALLOWED: Mapping[str, tuple[str, ...]] = {
    "look": ("", "light", "dark"),
    "language": ("", "en", "es", "fr"),
    "awake": ("on", "off"),
    "buzz": ("on", "off"),
    "currency": ("", "USD", "CAD", "EUR", "GBP", "MXN", "none"),
}
"""Every setting and its values, the usual one first; an empty one leaves it to the phone or the browser."""
READ = "scorekeeper.settings"
"""Where a request keeps its settings once they were read."""


@dataclass(frozen=True, slots=True)
class PhoneSettings:
    """One of `ALLOWED` each."""

    look: str = ""
    language: str = ""
    awake: str = "on"
    """Whether the screen stays on while this phone keeps the score of a game."""
    buzz: str = "on"
    """Whether the phone vibrates when a hand was saved."""
    currency: str = ""
    """In what the table settles up; empty for that of the browser's country, "none" for numbers alone."""


def connect(app: Flask) -> None:
    """Let every template of `app` ask `phone()` for the settings, and `is_shared()` where they are not those of one."""
    app.add_template_global(current_settings, "phone")
    app.add_template_global(is_shared)


def is_shared() -> bool:
    """Return whether the page that is asked for is the same for everybody."""
    return SHARED.match(request.path) is not None


def settings_from(chosen: Iterable[tuple[str, str]]) -> PhoneSettings:
    """Return the settings that `chosen` names; what is unknown or missing is as usual."""
    given = dict(chosen)
    known = {field.name for field in fields(PhoneSettings) if given.get(field.name) in ALLOWED[field.name]}
    return PhoneSettings(**{name: given[name] for name in known})


def current_settings() -> PhoneSettings:
    """Return the settings for the page that is asked for: those of its address where everybody gets the same page."""
    # A page asks several times.
    told: PhoneSettings | None = request.environ.get(READ)
    if told is None:
        told = request.environ[READ] = settings_from(_told())
    return told


def _told() -> Iterable[tuple[str, str]]:
    if is_shared():
        return request.args.items()
    return parse_qsl(sent_cookie(COOKIE))


def chosen_language() -> str:
    """Return "en", "es" or "fr"; empty where the browser says it."""
    return current_settings().language


def keep_settings(response: Response, settings: PhoneSettings) -> None:
    """Let the phone that gets `response` keep `settings` for a year."""
    set_cookie(response, COOKIE, urlencode(asdict(settings)), LASTS)
