"""Check every address as a security scanner does: headers, cookies, caching, banners, links to other sites, leaks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import html5lib
import pytest

from tests.security.everywhere import Address, open_book
from tests.support.game import FOUR
from tests.support.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.support.phone import Phone

HOST = "cards.example.org"
ADDRESS = re.compile(r"(?:https?:)?//[^\s\"'<>)\\]+", re.IGNORECASE)
NAMES_ONLY = ("http://www.w3.org/", "https://scripts.sil.org/", "http://scripts.sil.org/")
"""Beginnings of addresses that only name a format or a license, so that no browser loads them."""
FETCHED = {"src", "srcset", "poster", "data", "action", "formaction", "ping", "background", "manifest", "href"}
LEAKS = re.compile(
    r"Traceback \(most recent|File \"/|werkzeug|sqlalchemy|uvicorn|Python/3|/home/|/usr/lib|SELECT .* FROM",
    re.IGNORECASE,
)
PUBLIC = {
    "games.watch",
    "games.picture",
    "games.wall",
    "games.tv",
    "leagues.night",
    "leagues.tv",
    "leagues.table",
    "static",
}
"""Pages that are the same for everyone, so that proxies may cache them."""
OPEN = (
    "leagues.api_",
    "leagues.club",
    "leagues.poster",
    "leagues.embed_",
    "leagues.results",
    "leagues.calendar",
    "leagues.best_games",
)
"""Beginnings of the endpoints of leagues' public pages, which proxies may cache, too."""
READ_ANYWHERE = ("leagues.api_", "leagues.club_calendar_file", "leagues.club_feed")
FRAMED = {"style-src": "'self'", "frame-ancestors": "* file:"}
FOR_EVER = {"static"}


@pytest.mark.slow
def test_every_address_is_as_a_scanner_wants_it(app: Flask, client: Phone) -> None:
    """The responses of all routes pass each check of this module.

    Each route is requested by GET, and by POST without a form token, over HTTP and over HTTPS with a host name.
    """
    app.config["HOSTS"] = frozenset({HOST})
    book = open_book(app, client, FOUR)
    looked = 0
    for address, response in answers(client, book.addresses("GET", "POST")):
        for check in (policy, caches, cookies, banners, nothing_elsewhere, no_leaks, by_the_standard):
            try:
                check(address, response)
            except AssertionError as error:
                raise AssertionError(f"{check.__name__}: {address} {response.request.scheme}: {error}") from error
        looked += 1
    assert looked > 300, looked


def answers(client: Phone, addresses: list[Address]) -> Iterator[tuple[Address, TestResponse]]:
    """Yield each address with its response, once over HTTP and once over HTTPS."""
    for address in addresses:
        for base in ("http://localhost", f"https://{HOST}"):
            if address.method == "POST":
                yield address, client.post(address.path, data={}, base_url=base)
            else:
                yield address, client.get(address.path, base_url=base)


def policy(address: Address, response: TestResponse) -> None:
    """Raise `AssertionError` if the headers allow inline scripts, frames, type sniffing, or referrers for other sites.

    Scripts of other sites may read only responses that are meant for programs. `tests/leagues/publishing` checks the
    public pages of leagues.
    """
    anywhere = "Access-Control-Allow-Origin" in response.headers
    assert not anywhere or address.endpoint.startswith(READ_ANYWHERE), address.endpoint
    told = dict(part.strip().split(" ", 1) for part in response.headers["Content-Security-Policy"].split(";"))
    if address.endpoint.startswith("leagues.embed_") and response.status_code < 400:
        assert told == {**dict.fromkeys(("default-src", "base-uri", "form-action"), "'none'"), **FRAMED}
        return
    assert told["default-src"] == "'self'"
    assert told["frame-ancestors"] == "'none'"
    assert told["base-uri"] == "'none'"
    assert told["form-action"] == "'self'"
    assert told["object-src"] == "'none'"
    assert not [part for part in told.values() if "unsafe" in part or "*" in part or "data:" in part or "http" in part]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] in {"same-origin", "strict-origin"}
    assert response.headers["Cross-Origin-Resource-Policy"] == ("cross-origin" if anywhere else "same-origin")
    assert "camera=()" in response.headers["Permissions-Policy"]
    assert ("Strict-Transport-Security" in response.headers) == (response.request.scheme == "https")
    if response.data and response.status_code == 200:
        kind = response.headers["Content-Type"]
        assert not kind.startswith(("text/html", "text/csv", "text/plain")) or "charset=utf-8" in kind.lower(), kind


def by_the_standard(address: Address, response: TestResponse) -> None:
    """Raise `AssertionError` if a page has a fault by the HTML standard (`strict_html` knows the usual ones only)."""
    if response.mimetype == "text/html" and response.text.lstrip()[:9].lower() == "<!doctype":
        try:
            html5lib.HTMLParser(strict=True).parse(response.text)
        except html5lib.html5parser.ParseError as error:
            raise AssertionError(f"{address.path}: {error}") from error


def caches(address: Address, response: TestResponse) -> None:
    """Raise `AssertionError` if shared caches may store a private response.

    Caches must ask the server each time, except for files with their version in the address.
    """
    told = response.cache_control
    if response.headers.get("X-Robots-Tag") == "noindex":
        assert told.no_store, "a secret address"
    elif address.endpoint in FOR_EVER and response.status_code == 200:
        assert told.public
        assert told.immutable
    elif told.public:
        assert address.endpoint in PUBLIC or address.endpoint.startswith(OPEN) or response.status_code == 304, told
        assert told.no_cache, told
        assert "Set-Cookie" not in response.headers
    else:
        assert told.private or told.no_store or told.no_cache, told
    if told.public:
        assert "Cookie" not in response.headers.get("Vary", "")


def cookies(_address: Address, response: TestResponse) -> None:
    """Raise `AssertionError` if scripts or other sites can use a cookie that the response sets.

    Over HTTPS, a browser must also send the cookie only over HTTPS and only to this host.
    """
    for line in response.headers.getlist("Set-Cookie"):
        name, _, _ = line.partition("=")
        words = {word.strip().lower() for word in line.split(";")[1:]}
        assert {"httponly", "path=/"} <= words, line
        assert words & {"samesite=lax", "samesite=strict"}, line
        assert not [word for word in words if word.startswith("domain")], line
        assert ("secure" in words) == (response.request.scheme == "https"), line
        assert name.startswith("__Host-") == (response.request.scheme == "https"), line


def banners(_address: Address, response: TestResponse) -> None:
    """Raise `AssertionError` if a response names the server's software or its version."""
    assert not {"Server", "X-Powered-By", "X-AspNet-Version", "Via"} & set(response.headers.keys())
    if response.mimetype == "text/html" and response.data and not 300 <= response.status_code < 400:
        assert not [each for each in Page(response).all("meta") if each.get("name") == "generator"]


def nothing_elsewhere(_address: Address, response: TestResponse) -> None:
    """Raise `AssertionError` if a page, style or script loads something from another site."""
    own = urlsplit(response.request.url).netloc
    if response.mimetype == "text/html" and response.data and not 300 <= response.status_code < 400:
        for element in Page(response).tree.iter():
            for name, value in element.attrib.items():
                if name in FETCHED and ADDRESS.match(str(value)):
                    assert urlsplit(str(value)).netloc == own, f"<{element.tag} {name}={value}>"
    elif str(response.mimetype) in {"text/css", "text/javascript", "image/svg+xml"}:
        for found in ADDRESS.findall(response.text):
            assert found.startswith(NAMES_ONLY) or not found.lower().startswith("http"), found


def no_leaks(_address: Address, response: TestResponse) -> None:
    """Raise `AssertionError` if a response shows a traceback, an SQL statement, or a path of the server."""
    if str(response.mimetype) in {"text/html", "application/json"}:
        found = LEAKS.search(response.text)
        assert found is None, found
