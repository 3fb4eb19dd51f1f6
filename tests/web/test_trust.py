"""A page explains how to trust the server's certificate at home, and the server has a port without encryption."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.web.trust import ASKED, AT_THE_DOOR, SENT, Trust
from tests.support.page import Page

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

FINGERPRINT = ":".join(f"{byte:02X}" for byte in range(32))


@pytest.fixture
def trusted(app: Flask) -> Trust:
    """Configure `app` as if it had been started with `--tls`, and return its `Trust`."""
    trust = Trust(b"a certificate", FINGERPRINT, 8443)
    app.config["TRUST"] = trust
    return trust


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize(
    ("asked", "secure"),
    [
        ("http://192.168.1.5:8000", "https://192.168.1.5:8443/"),
        ("https://hall.local:8443", "https://hall.local:8443/"),
        ("http://hall.local", "https://hall.local:8443/"),
        ("http://[fd00::2]:8000", "https://[fd00::2]:8443/"),
        ("http://[fd00::2]", "https://[fd00::2]:8443/"),
    ],
)
def test_the_page_names_the_same_host_by_https(client: Phone, asked: str, secure: str) -> None:
    page = Page(client.get("/trust", base_url=asked))
    assert page.h1 == "Trust this site"
    assert FINGERPRINT in page.text
    assert page.one("a", href="/trust/scorekeeper.crt") is not None
    assert page.one("a", href=secure) is not None
    assert "Nothing was saved" not in page.text


@pytest.mark.usefixtures("trusted")
def test_a_single_word_leads_to_an_address_that_the_certificate_can_be_for(
    app: Flask, client: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Hall-PC")
    app.config["NETWORK"] = lambda: "https://192.0.2.2:8443"
    asked = Page(client.get("/trust", base_url="http://hall-pc:8000"))
    assert asked.one("a", href="https://192.0.2.2:8443/") is not None
    other = Page(client.get("/trust", base_url="http://other-pc:8000"))
    assert other.one("a", href="https://other-pc:8443/") is not None


def test_the_certificate_is_offered_to_be_installed(client: Phone, trusted: Trust) -> None:
    answer = client.get("/trust/scorekeeper.crt")
    assert answer.data == trusted.certificate
    assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert "Content-Disposition" not in answer.headers


@pytest.mark.usefixtures("trusted")
def test_the_settings_of_a_phone_lead_there(client: Phone) -> None:
    assert client.see("/settings").one("a", href="/trust") is not None


def test_without_https_at_home_there_is_no_such_page(client: Phone) -> None:
    assert not client.see("/settings").all("a", href="/trust")
    assert client.get("/trust").status_code == 404
    assert client.get("/trust/scorekeeper.crt").status_code == 404


@pytest.mark.usefixtures("trusted")
def test_at_the_door_nothing_of_the_score_book_is_shown(client: Phone) -> None:
    at_the_door = {AT_THE_DOOR: ASKED}
    assert client.get("/", environ_overrides=at_the_door).headers["Location"] == "/trust"
    sent_on = client.get(
        "/games/new?preset=pitch-11", environ_overrides=at_the_door, headers={"Accept": "text/html,*/*;q=0.8"}
    )
    assert (sent_on.status_code, sent_on.headers["Location"]) == (
        307,
        "https://localhost:8443/games/new?preset=pitch-11",
    )


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("accept", [{}, {"Accept": "*/*"}, {"Accept": "application/json"}])
def test_at_the_door_no_program_is_sent_on(client: Phone, accept: dict[str, str]) -> None:
    """On the unencrypted port, a program gets an error, while a browser is redirected to HTTPS.

    A redirected program would keep sending unencrypted requests, and nobody would notice.
    """
    answer = client.get("/games/new", environ_overrides={AT_THE_DOOR: ASKED}, headers=accept)
    assert answer.status_code == 403
    assert "Use the https:// address." in answer.text


@pytest.mark.usefixtures("trusted")
def test_at_the_door_it_is_said_whether_all_is_well(client: Phone) -> None:
    """The health check works on the unencrypted port too.

    Monitoring programs use this port, because they don't trust the server's own certificate.
    """
    assert client.get("/healthz", environ_overrides={AT_THE_DOOR: ASKED}).text == "ok\n"


@pytest.mark.usefixtures("trusted")
def test_a_form_at_the_door_is_refused_and_says_where_to_go(client: Phone) -> None:
    page = Page(client.get("/trust", environ_overrides={AT_THE_DOOR: SENT}))
    assert page.status == 403
    assert "That wasn't saved, because this site is encrypted now." in page.text
