"""Check the responses of every route, for each role, by the rules of a passive security scanner."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from flask import Response
from werkzeug.test import EnvironBuilder, TestResponse, run_wsgi_app

from scorekeeper.web.headers import ALONE, HEADERS, STAY_ENCRYPTED
from tests.security.everywhere import open_book
from tests.security.passive import PROBE, RULES
from tests.support.directors import COOKIE, sign_up
from tests.support.game import FOUR
from tests.support.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

    from tests.security.everywhere import Address, Book
    from tests.support.phone import Phone

HOST = "cards.example.org"
BASES = ("http://localhost", f"https://{HOST}")
ELSEWHERE = "https://evil.example/x"
NOWHERE = ("/nowhere", "/.git/config", "/static/", "/static/x/../../pyproject.toml", f"/{PROBE}", "/games/%00")


class Heard(NamedTuple):
    """A response, with the name of the person who sent the request and the requested address."""

    asker: str
    address: str
    answer: TestResponse


@pytest.mark.slow
def test_a_scanner_that_listens_hears_nothing(app: Flask, client: Phone, new_phone: Callable[[], Phone]) -> None:
    """No response breaks a rule of the scanner, over HTTP or HTTPS, not even a response that is an error.

    The requests are sent by a stranger, and by a signed-in director whose phone scores the game.
    """
    app.config |= {"HOSTS": frozenset({HOST}), "SIGN_UP": True}
    book = open_book(app, client, FOUR)
    sign_up(client)
    count = 0
    found: dict[str, str] = {}
    for heard in everything(book, {"stranger": new_phone(), "director": at_both(client)}):
        for name, rule in RULES.items():
            try:
                rule(heard.answer)
            except AssertionError as error:
                found.setdefault(name, f"{heard.asker} {heard.address} {heard.answer.status}: {error}")
        count += 1
    print(f"{count} answers, {len(RULES)} rules")
    assert found == {}
    assert count > 900, count


def at_both(phone: Phone) -> Phone:
    """Copy the phone's cookies to the cookie names that are used over HTTPS, and return the phone.

    Otherwise the server would know the phone only over HTTP.
    """
    for name in ("scorekeeper_device", COOKIE):
        cookie = phone.get_cookie(name)
        assert cookie is not None, name
        phone.set_cookie(f"__Host-{name}", cookie.value, domain=HOST)
    return phone


def everything(book: Book, askers: dict[str, Phone]) -> Iterator[Heard]:
    """Yield the responses that the rules check; `askers` has the phone of each person who sends the requests.

    Everyone requests each address with GET and POST. A stranger also uses HEAD, and a query that contains markup.
    Addresses that don't exist are requested too.
    """
    told = {"back": ELSEWHERE, "find": PROBE, "done": PROBE, "look": PROBE, "season": PROBE, "preset": PROBE}
    for who, phone in askers.items():
        for base in BASES:
            for address in book.addresses("GET"):
                yield heard(who, address, phone.get(address.path, base_url=base))
                if who == "stranger":
                    yield heard(who, address, phone.get(address.path, base_url=base, query_string=told))
                    yield heard(who, address, phone.head(address.path, base_url=base))
            for address in book.addresses("POST"):
                if who == "stranger" or base != BASES[0]:
                    yield heard(who, address, phone.post(address.path, base_url=base, data=told))
            for path in NOWHERE:
                yield Heard(who, path, phone.get(path, base_url=base))
            page = Page(phone.get("/settings", base_url=base, headers={"Referer": ELSEWHERE}))
            values = {**page.form("/settings").values, "back": ELSEWHERE}
            sent = phone.post("/settings", base_url=base, data=values, headers={"Origin": base, "Referer": base})
            assert sent.status_code == 303
            yield Heard(who, "/settings", sent)


def heard(who: str, address: Address, answer: TestResponse) -> Heard:
    """Return the response `answer` as a `Heard`; `who` sent the request to `address`."""
    return Heard(who, f"{address.method} {answer.request.scheme} {address.path}", answer)


PAGE = "<!doctype html><html lang=en><head><meta charset=utf-8><title>x</title></head><body>{}</body></html>"
BAD: dict[str, list[tuple[dict[str, str], str]]] = {
    "2 private IP": [({}, "at 192.168.1.7")],
    "3, 10024 session or secret in an address": [({}, '<a href="/x?sessionid=1">x</a>')],
    "10010 cookie without HttpOnly": [({"Set-Cookie": "__Host-a=1; Path=/; Secure; SameSite=Lax"}, "")],
    "10011 cookie without Secure": [({"Set-Cookie": "a=1; Path=/; HttpOnly; SameSite=Lax"}, "")],
    "10054 cookie without SameSite": [({"Set-Cookie": "__Host-a=1; Path=/; HttpOnly; Secure"}, "")],
    "90033 cookie of a domain": [({"Set-Cookie": "a=1; Path=/; Domain=example.org"}, "")],
    "10029 cookie made of what was asked": [({"Set-Cookie": "a=probe; Path=/"}, "")],
    "10015, 10049, 10050 caches": [({"Cache-Control": "public, max-age=9"}, ""), ({"Cache-Control": ""}, "")],
    "10017, 90003 script of another site": [({}, '<script src="https://cdn.example/x.js"></script>')],
    "10019, 10030, 90011 type and charset": [
        ({"Content-Type": "text/html"}, ""),
        ({"Content-Type": "text/plain; charset=utf-8"}, ""),
    ],
    "10020 framing": [({"Content-Security-Policy": "default-src 'self'; frame-ancestors 'self'"}, "")],
    "10021 type sniffing": [({"X-Content-Type-Options": ""}, "")],
    "10023, 10052, 10056, 90022 traces and debugging": [({}, "Traceback (most recent call last)")],
    "10024 secret sent by GET": [({}, '<form><input name="a" type="password"></form>')],
    "10025 secret in Referer": [({"Referrer-Policy": "unsafe-url"}, "")],
    "10027 suspicious comments": [({}, "<!-- TODO: the password -->")],
    "10028, 10044 open or big redirect": [({"Location": ELSEWHERE}, ""), ({"Location": "//evil.example"}, "")],
    "10031, 10043 what was sent comes back": [({}, "x'\"><i>probe</i>")],
    "10033 directory browsing": [({}, "Index of /static")],
    "10035 HSTS": [({"Strict-Transport-Security": ""}, ""), ({"Strict-Transport-Security": "max-age=60"}, "")],
    "10036, 10037, 10039, 10061 banners": [({"X-Powered-By": "x"}, "")],
    "10038, 10055 CSP": [({"Content-Security-Policy": HEADERS["Content-Security-Policy"] + "; img-src *"}, "")],
    "10055 inline script or style": [({}, "<p onclick='x()'>x</p>"), ({}, "<a href='javascript:x()'>x</a>")],
    "10040, 10041, 10042 mixed content": [({}, '<img alt="" src="http://cards.example.org/x.png">')],
    "10041 form to another site": [({}, '<form method="post" action="https://evil.example/"></form>')],
    "10202 form without its token": [({}, '<form method="post" action="/x"></form>')],
    "10012 password fields": [({}, '<input type="password" autocomplete="off">')],
    "10063 Permissions-Policy": [({"Permissions-Policy": "camera=()"}, "")],
    "10098, 90004 CORS and isolation": [
        ({"Access-Control-Allow-Origin": "*"}, ""),
        ({"Cross-Origin-Opener-Policy": ""}, ""),
    ],
    "10096 timestamps": [({}, "since 1772395327")],
    "10097 hashes": [({}, "a" * 64), ({}, "$argon2id$v=19")],
    "10062 mail addresses and card numbers": [({}, "rita@example.org")],
    "10108 reverse tabnabbing": [({}, '<a href="/x" target="_blank">x</a>')],
    "10110 dangerous JavaScript": [({"Content-Type": "text/javascript; charset=utf-8"}, "eval('1')")],
}
"""Maps the name of each rule to pages that break the rule, as (headers that differ from the app's, page content)."""


@pytest.mark.parametrize("name", RULES)
def test_a_rule_finds_what_it_is_for(name: str) -> None:
    """Each rule raises `AssertionError` for the bad pages in `BAD`, and accepts a page without a fault."""
    RULES[name](answered({}, "<p>All is well.</p>"))
    assert BAD[name]
    for headers, body in BAD[name]:
        with pytest.raises(AssertionError):
            RULES[name](answered(headers, body))


def answered(headers: dict[str, str], body: str) -> TestResponse:
    """Return a response over HTTPS with the page `body`; `headers` replace some of the app's usual headers."""
    usual = {**HEADERS, **ALONE, **STAY_ENCRYPTED, "Cache-Control": "private, no-cache"}
    response = Response(PAGE.format(body), headers={**usual, **headers})
    environ = EnvironBuilder("/x", base_url=f"https://{HOST}")
    made = run_wsgi_app(response, environ.get_environ(), buffered=True)
    return TestResponse(*made, environ.get_request())
