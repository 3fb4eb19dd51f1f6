"""Simplify requests for pages of open clubs (leagues with public pages), so that the cache needs fewer entries.

Everything on which these pages don't depend is removed. Anyone may request them, as often as they like, so `?x=1`,
`?x=2` … or a made-up language must not each lead to a new page, since that would bypass the cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from scorekeeper.web.locale import LANGUAGES
from scorekeeper.web.settings import ALLOWED
from scorekeeper.web.text import whole_number

if TYPE_CHECKING:
    from scorekeeper.server.request_body import Scope

OPEN = ("/clubs/", "/embed/", "/api/")
"""Beginnings of the paths of pages of open clubs."""
SETTINGS = ("look", "language")
"""Names of the query arguments on which any page of an open club may depend."""
PAGE = "page"
"""Name of the query argument for the page number of a list, in the API only."""
LONGEST_PAGE = 4
"""Maximum number of digits of a page number."""
WRONG_PAGE = "0"
"""Stands for all page numbers that the API refuses."""
REPLACED = frozenset((b"host", b"accept-language", b"accept-encoding", b"x-forwarded-host", b"x-forwarded-proto"))
"""Request headers that are removed; some of them are then set to a simpler value."""
SCHEMES = ("http", "https")


def is_open_page(scope: Scope) -> bool:
    """Return whether the request is for a page of an open club."""
    return scope["method"] in {"GET", "HEAD"} and scope["path"].startswith(OPEN)


def reduced(scope: Scope, *, proxies: int) -> Scope:
    """Return the request with only the details on which the page depends.

    The path gets its standard spelling. Unknown arguments are removed. The language is one that we offer. A HEAD
    request becomes a GET request, and the server leaves out the body of the response later.

    Host and scheme are taken from the headers that the outermost of our proxies added, and these headers are removed.
    `proxies` is the number of our proxies.
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
    """Return the value that the outermost of our `proxies` added to a header, or "" if the header has no such value."""
    told = [part.strip() for part in _said(scope, header).split(",")]
    return told[-proxies] if 0 < proxies <= len(told) else ""


def _arguments(scope: Scope) -> dict[str, str]:
    asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    told = dict(reversed(asked))  # the first of a name counts
    known = {name: told[name] for name in SETTINGS if told.get(name) in ALLOWED[name]}
    page = told.get(PAGE)
    if scope["path"].startswith("/api/") and page is not None:
        known[PAGE] = str(whole_number(page, LONGEST_PAGE) or WRONG_PAGE)
    return known


def _accepted(scope: Scope) -> list[tuple[bytes, bytes]]:
    languages = parse_accept_header(_said(scope, b"accept-language"), LanguageAccept)
    asked = (tag.partition("-")[0].lower() for tag, quality in languages if quality > 0)
    language = next((each for each in asked if each in LANGUAGES), next(iter(LANGUAGES)))
    packed = parse_accept_header(_said(scope, b"accept-encoding"))["gzip"]
    return [(b"accept-language", language.encode()), *([(b"accept-encoding", b"gzip")] if packed else [])]


def _said(scope: Scope, wanted: bytes) -> str:
    return ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == wanted)
