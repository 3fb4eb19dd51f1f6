"""HTTP headers of each kind of response. `tests.support.phone` checks the security headers of every page."""

from __future__ import annotations

import gzip
import hashlib
from typing import TYPE_CHECKING

import pytest
from flask import Response, make_response, request
from itsdangerous.encoding import base64_decode

from scorekeeper.web.headers import HEADERS

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


def test_policy_allows_nothing_inline_and_no_other_site() -> None:
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 200), ("GET", "/nowhere", 404), ("POST", "/", 405), ("OPTIONS", "/", 200), ("HEAD", "/", 200)],
)
def test_every_response_is_protected(client: Phone, method: str, path: str, status: int) -> None:
    response = client.open(path, method=method)  # the phone itself compares the headers
    assert response.status_code == status
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_session_cookie_outlives_the_browser_and_is_out_of_reach_of_scripts(client: Phone) -> None:
    cookie = client.get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Expires=" in cookie
    assert "Secure" not in cookie, "over plain http it would never come back"


def test_session_cookie_is_signed_with_sha_256(app: Flask, client: Phone) -> None:
    """The session cookie is signed with SHA-256, and a cookie with a wrong signature is ignored."""
    with app.test_request_context():
        serializer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
        assert serializer.signer_kwargs == {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        signed = serializer.dumps({"csrf_token": "x"})
        assert serializer.loads(signed) == {"csrf_token": "x"}
        signer = serializer.make_signer(serializer.salt)
        assert signer.algorithm.digest_method is hashlib.sha256
    client.set_cookie("scorekeeper", signed[:-2] + ("AA" if signed[-2:] != "AA" else "BB"))
    assert "Set-Cookie" in client.get("/").headers, "a new one"


def test_forms_are_signed_with_sha_256(client: Phone) -> None:
    token = str(client.see("/settings").form("/settings").values["csrf_token"])
    assert len(base64_decode(token.rsplit(".", 1)[1])) == hashlib.sha256().digest_size


def test_session_cookie_is_sent_once_not_with_each_page(client: Phone) -> None:
    client.get("/")
    assert "Set-Cookie" not in client.get("/").headers


def test_session_cookie_stays_on_https_where_there_is_https(client: Phone) -> None:
    assert "Secure" in client.get("/", base_url="https://localhost").headers["Set-Cookie"]


def test_pages_travel_compressed(client: Phone) -> None:
    plain = client.get("/")
    small = client.get("/", headers={"Accept-Encoding": "gzip, br"})
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert len(small.data) < len(plain.data)
    assert gzip.decompress(small.data).startswith(b"<!doctype html>")
    for response in (plain, small):
        assert "Accept-Encoding" in response.headers["Vary"]


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0"])
def test_a_browser_without_gzip_gets_the_plain_page(client: Phone, accepted: str) -> None:
    assert "Content-Encoding" not in client.get("/", headers={"Accept-Encoding": accepted}).headers


@pytest.mark.new_app
def test_an_unchanged_page_is_answered_with_304_also_when_it_travels_compressed(app: Flask, client: Phone) -> None:
    @app.get("/tagged")
    def tagged() -> Response:
        response = make_response("x" * 2000, {"Content-Type": "text/plain"})
        response.set_etag("seven")
        response.make_conditional(request)
        return response

    first = client.get("/tagged", headers={"Accept-Encoding": "gzip"})
    assert first.headers["ETag"] == 'W/"seven"'
    again = client.get("/tagged", headers={"Accept-Encoding": "gzip", "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
