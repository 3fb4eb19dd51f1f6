"""Set and read cookies that only this host gets, that scripts can't read, and that HTTPS pages send over HTTPS only.

Read and save a phone's settings: theme, language, screen, sound and vibration, keyboard, currency.

The settings are in one small cookie, without a secret or an account. Pages that are the same for everyone (`/watch/…`
and a league night, which proxies may cache) never read the cookie. The address of such a page can set the theme and
language, as in `?look=dark`.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlencode

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from msgspec import Struct, structs
from werkzeug.wrappers import Response


def name_here(name: str) -> str:
    """Return the name of the cookie `name` for this request. On HTTPS, the name has the prefix `__Host-`.

    Browsers let only this host set a cookie with that prefix.
    """
    return f"__Host-{name}" if request.is_secure else name


def sent_cookie(name: str) -> str:
    """Return the value of the cookie `name` in this request, or "" if the phone sent no such cookie."""
    return request.cookies.get(name_here(name), "")


def set_cookie(response: Response, name: str, value: str, lasts: timedelta) -> None:
    """Set a cookie in `response` that expires after the time `lasts`. If set over HTTPS, it is sent over HTTPS only."""
    response.set_cookie(
        name_here(name), value, max_age=lasts, path="/", secure=request.is_secure, httponly=True, samesite="Lax"
    )


class DeviceSessions(SecureCookieSessionInterface):
    """Stores Flask's session in a cookie that isn't deleted when the browser is closed.

    On HTTPS, the cookie is sent over HTTPS only. Flask sends the cookie of a `permanent` session with each response,
    but this class sends the cookie only after a change. The cookie is signed with HMAC-SHA-256, while Flask's default
    is SHA-1.
    """

    digest_method = staticmethod(hashlib.sha256)

    def get_cookie_name(self, app: Flask) -> str:
        """Return the name of the session cookie for this request, which is different on HTTPS (see `name_here`)."""
        return name_here(super().get_cookie_name(app))

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime:
        """Return when the session cookie expires.

        The cookie lasts long, so that a phone can still keep score after its browser was closed.
        """
        return datetime.now(UTC) + app.permanent_session_lifetime

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return whether the browser is told to send the session cookie only over HTTPS.

        The result is False for a plain-http request, because many halls use the app without HTTPS.
        """
        return request.is_secure


COOKIE = "scorekeeper_settings"
LASTS = timedelta(days=365)
SHARED = re.compile(r"/watch/|/nights/[^/]+(/tv|/results(\.csv|\.png)?)?\Z|/clubs/|/embed/|/api/")
"""Pattern of the paths of public pages, which are the same for everyone and ignore cookies."""

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
"""Maps each setting to its possible values, the default first. "" means that the phone or the browser decides."""
SIGNS: Mapping[str, str] = {
    "USD": "US $",
    "CAD": "CA $",
    "MXN": "MX $",
    "EUR": "€",
    "GBP": "£",
    "JPY": "¥",
}
"""Maps the code of each currency in `ALLOWED` to its symbol on buttons."""
READ = "scorekeeper.settings"
"""Key in the request's environment under which the settings are cached."""


class PhoneSettings(Struct, frozen=True):
    """A phone's settings. `ALLOWED` lists the possible values of each setting."""

    look: str = ""
    language: str = ""
    awake: str = "on"
    """"on" if the screen stays on while this phone keeps score."""
    quiet: str = "off"
    """"on" if nothing moves, sounds or vibrates, whatever `sound` and `buzz` are."""
    sound: str = "off"
    """"on" if the phone plays a sound for a set (failed bid) and for a win."""
    buzz: str = "on"
    """"on" if the phone vibrates when a hand was saved, and for a set and a win."""
    keys: str = "on"
    """"on" if a hand can be entered with the letters and digits of a keyboard."""
    currency: str = ""
    """Code of the currency for settling up; "" for that of the browser's country, "none" to show no currency."""

    @property
    def sounds(self) -> bool:
        """Return whether the phone plays a sound when a side is set and when a side wins."""
        return self.sound == "on" and self.quiet == "off"

    @property
    def vibrates(self) -> bool:
        """Return whether the phone vibrates when a hand is saved, when a side is set and when a side wins."""
        return self.buzz == "on" and self.quiet == "off"


def connect(app: Flask) -> None:
    """Give the templates of `app` the functions `phone()`, which returns the current settings, and `is_shared()`."""
    app.add_template_global(current_settings, "phone")
    app.add_template_global(is_shared)


def is_shared() -> bool:
    """Return whether the requested page is the same for everyone."""
    return SHARED.match(request.path) is not None


def settings_from(chosen: Iterable[tuple[str, str]]) -> PhoneSettings:
    """Return the settings in `chosen`, pairs of name and value. A missing or unknown value becomes the default."""
    given = dict(chosen)
    return PhoneSettings(**{name: value for name, value in given.items() if value in ALLOWED.get(name, ())})


def current_settings() -> PhoneSettings:
    """Return the settings for the requested page.

    A page that the server caches for everyone (`web.shared`) has the settings in its address. For any other page, they
    are in the phone's cookie.
    """
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
    """Return the language that is set on the phone: "en", "es" or "fr". "" means that the browser decides."""
    return current_settings().language


def keep_settings(response: Response, settings: PhoneSettings) -> None:
    """Save `settings` in a cookie of `response`. The cookie lasts for a year."""
    set_cookie(response, COOKIE, urlencode(structs.asdict(settings)), LASTS)
