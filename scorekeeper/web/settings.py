"""Read and save a phone's settings: theme, language, screen, sound and vibration, keyboard, currency.

They are one small cookie, without a secret or an account. Pages that are the same for everyone (`/watch/…` and a league
night, which proxies may cache) never read it; there the address says it: `?look=dark`.
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
SHARED = re.compile(r"/watch/|/nights/[^/]+(/tv|/results(\.csv|\.png)?)?\Z|/clubs/|/embed/|/api/")
"""Paths of public pages, which ignore cookies."""

ALLOWED: Mapping[str, tuple[str, ...]] = {
    "look": ("", "light", "dark"),
    "language": ("", "en", "es", "fr"),
    "awake": ("on", "off"),
    "quiet": ("off", "on"),
    "sound": ("off", "on"),
    "buzz": ("on", "off"),
    "keys": ("on", "off"),
    "currency": ("", "USD", "CAD", "EUR", "GBP", "MXN", "JPY", "none"),
}
"""Each setting and its values, the default first; "" leaves it to the phone or the browser."""
SIGNS: Mapping[str, str] = {
    "USD": "US $",
    "CAD": "CA $",
    "MXN": "MX $",
    "EUR": "€",
    "GBP": "£",
    "JPY": "¥",
}
"""The currencies among them, as buttons show them."""
READ = "scorekeeper.settings"
"""Key under which a request caches its settings."""


@dataclass(frozen=True, slots=True)
class PhoneSettings:
    """A phone's settings, each one of `ALLOWED`."""

    look: str = ""
    language: str = ""
    awake: str = "on"
    """Whether the screen stays on while this phone keeps score."""
    quiet: str = "off"
    """Whether nothing moves, sounds or vibrates, whatever `sound` and `buzz` say."""
    sound: str = "off"
    """Whether a set and a win can be heard."""
    buzz: str = "on"
    """Whether the phone vibrates when a hand was saved, and for a set and a win."""
    keys: str = "on"
    """Whether letters and digits on a keyboard enter a hand."""
    currency: str = ""
    """Currency for settling up; "" for that of the browser's country, "none" for numbers without one."""

    @property
    def sounds(self) -> bool:
        """Return whether the phone makes a sound for a set and a win."""
        return self.sound == "on" and self.quiet == "off"

    @property
    def vibrates(self) -> bool:
        """Return whether the phone vibrates when a hand was saved, and for a set and a win."""
        return self.buzz == "on" and self.quiet == "off"


def connect(app: Flask) -> None:
    """Give the templates of `app` the functions `phone()` and `is_shared()`."""
    app.add_template_global(current_settings, "phone")
    app.add_template_global(is_shared)


def is_shared() -> bool:
    """Return whether the current page is the same for everyone."""
    return SHARED.match(request.path) is not None


def settings_from(chosen: Iterable[tuple[str, str]]) -> PhoneSettings:
    """Return the settings in `chosen`; unknown or missing values get the default."""
    given = dict(chosen)
    known = {field.name for field in fields(PhoneSettings) if given.get(field.name) in ALLOWED[field.name]}
    return PhoneSettings(**{name: given[name] for name in known})


def current_settings() -> PhoneSettings:
    """Return the settings for the current page; a shared page takes them from its address."""
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
    """Return "en", "es" or "fr"; "" if the browser decides."""
    return current_settings().language


def keep_settings(response: Response, settings: PhoneSettings) -> None:
    """Save `settings` on the phone that gets `response`, for a year."""
    set_cookie(response, COOKIE, urlencode(asdict(settings)), LASTS)
