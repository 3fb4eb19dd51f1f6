"""Links for phones have the server's address on its network, even if the desk was opened at 127.0.0.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from flask import url_for

from scorekeeper.server.listen import network_origin
from scorekeeper.web.links import NO_NETWORK, ONLY_HERE, only_here
from scorekeeper.web.trust import Trust

if TYPE_CHECKING:
    from flask import Flask

HALL = "http://192.0.2.2:8000"


@pytest.mark.parametrize("host", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
def test_whole_address_is_that_of_the_network(app: Flask, host: str) -> None:
    app.config["NETWORK"] = lambda: HALL
    with app.test_request_context("/leagues", base_url=f"{host}/"):
        assert url_for("help", _external=True) == f"{HALL}/help"
        assert url_for("help") == "/help"
        assert only_here() == ""


@pytest.mark.parametrize("host", ["http://192.0.2.2:8000", "https://cards.example"])
def test_address_that_phones_can_open_stays(app: Flask, host: str) -> None:
    app.config["NETWORK"] = lambda: HALL
    with app.test_request_context("/leagues", base_url=f"{host}/"):
        assert url_for("help", _external=True) == f"{host}/help"


@pytest.mark.parametrize(("lan", "why"), [(False, ONLY_HERE), (True, NO_NETWORK)])
def test_server_without_a_network_says_so(app: Flask, *, lan: bool, why: str) -> None:
    app.config["NETWORK"] = lambda: ""
    app.config["LAN"] = lan
    with app.test_request_context("/leagues", base_url="http://127.0.0.1:8000/"):
        assert url_for("help", _external=True) == "http://127.0.0.1:8000/help"
        assert only_here() == why


def test_origin_is_where_phones_reach_the_server() -> None:
    trust = Trust(b"", "AB", 8443)
    assert network_origin("127.0.0.1", 8000) == ""
    assert network_origin("192.0.2.2", 8000) == HALL
    assert network_origin("2001:db8::2", 8000) == "http://[2001:db8::2]:8000"
    assert network_origin("192.0.2.2", 8000, trust) == "https://192.0.2.2:8443"
