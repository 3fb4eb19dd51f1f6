"""Reduce requests for pages of open clubs to what these pages depend on, so that nobody can ask around the cache.

Anyone may ask for them, as often as they like: `?x=1`, `?x=2` … or a made-up language must not be another page each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from scorekeeper.web.locale import LANGUAGES
from scorekeeper.web.settings import ALLOWED

if TYPE_CHECKING:
    from scorekeeper.server.request_body import Scope

OPEN = ("/clubs/", "/embed/", "/api/")
"""Paths of the pages of open clubs."""
SETTINGS = ("look", "language")
"""Arguments of any open page."""
PAGE = "page"
"""An argument of the API's lists."""
LONGEST_PAGE = 4
"""Digits of a page number."""
REPLACED = frozenset((b"host", b"accept-language", b"accept-encoding", b"x-forwarded-host", b"x-forwarded-proto"))
"""Headers that are written anew, or dropped."""
SCHEMES = ("http", "https")


def is_open_page(scope: Scope) -> bool:
    """Return whether the request is for a public page of a club."""
    return scope["method"] in {"GET", "HEAD"} and scope["path"].startswith(OPEN)


def reduced(scope: Scope, *, proxies: int) -> Scope:
    """Return the request with one spelling of its address, and only the arguments and languages that we know.

    A HEAD becomes a GET; the server leaves out the body. Host and scheme are those that the outermost of our `proxies`
    forwarded, in place of the headers that say so.
    """
    host = _forwarded(scope, b"x-forwarded-host", proxies) or _said(scope, b"host")
    scheme = _forwarded(scope, b"x-forwarded-proto", proxies)
    return {
        **scope,
        "method": "GET",
        "scheme": scheme if scheme in SCHEMES else scope["scheme"],
        "raw_path": quote(scope["path"]).encode(),
        "query_string": urlencode(_arguments(scope)).encode(),
        "headers": [
            *([(b"host", host.encode("latin-1"))] if host else []),
            *(each for each in scope["headers"] if each[0] not in REPLACED),
            *_accepted(scope),
        ],
    }


def _forwarded(scope: Scope, header: bytes, proxies: int) -> str:
    """Return what the outermost of our proxies said in a header, empty if it said nothing."""
    told = [part.strip() for part in _said(scope, header).split(",")]
    return told[-proxies] if 0 < proxies <= len(told) else ""


def _arguments(scope: Scope) -> dict[str, str]:
    told = dict(reversed(parse_qsl(scope["query_string"].decode("latin-1"))))  # the first of a name counts
    known = {name: told[name] for name in SETTINGS if told.get(name) in ALLOWED[name]}
    page = told.get(PAGE, "")
    if scope["path"].startswith("/api/") and len(page) <= LONGEST_PAGE and page.isascii() and page.isdigit():
        known[PAGE] = str(int(page))
    return known


def _accepted(scope: Scope) -> list[tuple[bytes, bytes]]:
    languages = parse_accept_header(_said(scope, b"accept-language"), LanguageAccept)
    asked = (tag.partition("-")[0].lower() for tag, quality in languages if quality > 0)
    language = next((each for each in asked if each in LANGUAGES), next(iter(LANGUAGES)))
    packed = parse_accept_header(_said(scope, b"accept-encoding"))["gzip"]
    return [(b"accept-language", language.encode()), *([(b"accept-encoding", b"gzip")] if packed else [])]


def _said(scope: Scope, wanted: bytes) -> str:
    return ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == wanted)
