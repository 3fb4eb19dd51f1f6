"""Headers of a proxy such as Caddy are trusted only if the operator has configured the number of proxies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from scorekeeper import create_app
from scorekeeper.web.extensions import db
from tests.conftest import settings_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

SAID = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "cards.example.org"}
"""Headers that the proxy Caddy adds to a request. Caddy passes on the Host header unchanged."""
HOSTS = frozenset({"cards.example.org"})
FORM = {"Origin": "https://cards.example.org"}


@pytest.fixture
def behind(app: Flask, tmp_path: Path) -> Iterator[Callable[[int], FlaskClient]]:
    """Yield a function that returns a test client of the app behind the given number of proxies."""
    apps: list[Flask] = []

    def client_of(proxies: int) -> FlaskClient:
        apps.append(create_app(structs.replace(settings_in(tmp_path), proxies=proxies, hosts=HOSTS)))
        apps[-1].testing = app.testing
        return apps[-1].test_client()

    yield client_of
    for one in apps:
        with one.app_context():
            db.engine.dispose()


@pytest.mark.parametrize(("proxies", "believed"), [(0, False), (1, True)])
def test_https_is_the_proxys_word_only_if_it_is_believed(
    behind: Callable[[int], FlaskClient], proxies: int, believed: bool
) -> None:
    client = behind(proxies)
    assert ("Secure" in client.get("/games/new", headers=SAID).headers["Set-Cookie"]) == believed
    refused = client.post("/", headers=SAID | FORM).status_code == 403
    assert refused != believed


def test_a_phone_cannot_add_to_what_the_proxy_says(behind: Callable[[int], FlaskClient]) -> None:
    """Values that a phone puts into a proxy's headers aren't trusted.

    A proxy adds values after those that the phone sent, so only the last values are trusted.
    """
    client = behind(1)
    forged = {"X-Forwarded-Proto": "https, http", "X-Forwarded-Host": "cards.example.org, localhost"}
    assert "Secure" not in client.get("/games/new", headers=forged).headers["Set-Cookie"]
    assert client.post("/", headers=forged | FORM).status_code == 403
