"""The server responds only under its own host names, and sends HSTS headers only for host names on the internet."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

from scorekeeper import create_app
from scorekeeper.web import headers
from tests.conftest import settings_in
from tests.support.page import Page
from tests.support.phone import Phone

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from werkzeug.test import TestResponse

STAY = "Strict-Transport-Security"


@pytest.fixture
def named(tmp_path: Path) -> Phone:
    """Return a phone that opens pages of a server with the host name cards.example.org.

    The server has no database, because the pages in these tests don't need one.
    """
    app = create_app(structs.replace(settings_in(tmp_path), proxies=1, hosts=frozenset({"cards.example.org"})))
    app.testing = True
    app.test_client_class = Phone
    phone = app.test_client()
    assert isinstance(phone, Phone)
    return phone


def ask(phone: Phone, host: str, path: str = "/settings", scheme: str = "http") -> TestResponse:
    """Return the response to a request for the host name `host`, sent through a proxy.

    `scheme` says how the phone reached the proxy: "http" or "https".
    """
    return phone.get(path, headers={"Host": host, "X-Forwarded-Proto": scheme})


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8000", "127.0.0.1:8000", "192.168.1.5:8000", "[fd00::2]:8000", "[::1]", "10.0.0.7"),
        *("hall-pc:8000", "Hall-PC.local:8000", "hall.local.", "hall.lan", "hall.home.arpa", "cards.hall.internal"),
        *("cards.example.org", "CARDS.example.org:8443", socket.gethostname()),
    ],
)
def test_it_answers_in_the_house_and_by_its_own_names(named: Phone, host: str) -> None:
    assert ask(named, host).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *(
            "evil.example.com",
            "evil.example.com:8000",
            "a.cards.example.org",
            "cards.example.org.evil.com",
            "notlocal.com",
            "evil.notlocal",
            "evilhome.arpa",
        ),
        *("192.168.1.5.evil.com", "local.evil.com", "example.org", "", ".", "..", "a b", "evil.com/@localhost"),
        *("localhost@evil.com", "evil.com#.local", "evil_.local.com"),
    ],
)
def test_under_another_name_it_does_not_answer(named: Phone, host: str) -> None:
    page = Page(ask(named, host))
    assert page.status == 400
    assert page.h1 == "Unknown address"
    assert "evil" not in page.text, "who links to us does not write on our page"


def test_a_form_under_another_name_changes_nothing_whatever_it_says_of_its_origin(named: Phone) -> None:
    headers = {"Host": "evil.example.com", "Origin": "http://evil.example.com", "Sec-Fetch-Site": "same-origin"}
    assert named.post("/settings", data={"look": "dark"}, headers=headers).status_code == 400


def test_a_proxy_that_names_another_host_is_held_to_the_same(named: Phone) -> None:
    assert named.get("/settings", headers={"X-Forwarded-Host": "evil.example.com"}).status_code == 400
    assert named.get("/settings", headers={"X-Forwarded-Host": "cards.example.org"}).status_code == 200


@pytest.mark.parametrize(
    ("scheme", "host", "told"),
    [
        ("https", "cards.example.org", True),
        ("http", "cards.example.org", False),
        ("https", "hall.local", False),
        ("https", "192.168.1.5", False),
        ("https", "localhost", False),
    ],
)
def test_browsers_stay_with_https_under_a_name_on_the_internet(
    named: Phone, scheme: str, host: str, *, told: bool
) -> None:
    for path in ("/settings", "/nowhere/at/all"):
        said = ask(named, host, path, scheme).headers.get(STAY)
        assert said == ("max-age=31536000" if told else None)


def test_a_name_of_the_house_may_be_set_and_is_still_one_of_the_house(tmp_path: Path) -> None:
    """A server called `hall.local` never sends an HSTS header, not even if it is behind a proxy with HTTPS.

    Such a header tells browsers to use only HTTPS, and would lock phones out once the proxy is gone.
    """
    app = create_app(structs.replace(settings_in(tmp_path), proxies=1, hosts=frozenset({"hall.local"})))
    answer = app.test_client().get("/settings", headers={"Host": "hall.local", "X-Forwarded-Proto": "https"})
    assert (answer.status_code, answer.headers.get(STAY)) == (200, None)


@pytest.mark.parametrize(
    ("host", "name"), [("A.b:80", "a.b"), ("[fd00::2]:80", "fd00::2"), ("[::1]", "::1"), ("hall.", "hall"), ("", "")]
)
def test_the_name_of_a_host(host: str, name: str) -> None:
    assert headers.name_of(host) == name


@pytest.fixture(scope="module")
def any_book(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """Return an app without a configured host name."""
    app = create_app(settings_in(tmp_path_factory.mktemp("any")))
    app.testing = True
    return app


@given(host=st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0"), max_size=40))
def test_whatever_a_host_is_called_it_is_answered_or_refused(any_book: Flask, host: str) -> None:
    answer = any_book.test_client().get("/healthz", headers={"Host": host})
    assert answer.status_code in {200, 400}
    if answer.status_code == 200:
        assert headers.is_of_a_house(headers.name_of(host)) or headers.name_of(host) == socket.gethostname().lower()


def test_http_1_1_says_for_whom_a_request_is(any_book: Flask) -> None:
    """A request by HTTP/1.1 is refused if it has no Host header. A request by HTTP/1.0 doesn't need this header."""
    phone = any_book.test_client()
    for protocol, status in (("HTTP/1.1", 400), ("HTTP/1.0", 200)):
        asked = EnvironBuilder(path="/healthz").get_environ() | {"SERVER_PROTOCOL": protocol}
        del asked["HTTP_HOST"]
        assert phone.open(Request(asked)).status_code == status


@pytest.mark.parametrize("name", ["RAW_URI", "REQUEST_URI", "PATH_INFO"])
@pytest.mark.parametrize(
    "address", ["http://evil.example.com/healthz", "HTTP://hall.local:80/healthz", "ftp:///healthz"]
)
def test_an_address_for_another_host_is_refused(any_book: Flask, name: str, address: str) -> None:
    """A request is refused if its request line names a different host or port than its Host header.

    The server couldn't tell which of the two hosts is meant. Usually, a request line names no host.
    """
    asked = EnvironBuilder(path="/healthz", base_url="http://hall.local").get_environ()
    assert any_book.test_client().open(Request(asked | {name: address})).status_code == 400


@pytest.mark.parametrize("name", ["RAW_URI", "REQUEST_URI"])
def test_an_address_with_our_own_host_is_answered(any_book: Flask, name: str) -> None:
    asked = EnvironBuilder(path="/healthz", base_url="http://hall.local").get_environ()
    assert any_book.test_client().open(Request(asked | {name: "http://Hall.local/healthz"})).status_code == 200
