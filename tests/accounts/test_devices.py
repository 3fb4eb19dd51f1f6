"""A phone may score the games that it started. Its cookie contains a token, of which the server stores only a hash."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from scorekeeper.accounts.devices import COOKIE, ISSUED
from tests.support.game import contents, start
from tests.support.page import Page
from tests.support.phone import device_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

HOST_COOKIE = f"__Host-{COOKIE}"
SEATS = {f"name-{seat}": name for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee"))}


def secret_of(phone: Phone) -> str | None:
    """Return the token in the phone's device cookie, or None if it has no cookie."""
    cookie = phone.get_cookie(COOKIE)
    return None if cookie is None else cookie.value


def test_looking_around_gives_no_cookie(client: Phone) -> None:
    """A phone gets no device cookie before it starts its first game."""
    client.see("/")
    client.see("/games/new")
    assert secret_of(client) is None


def test_a_started_game_belongs_to_the_phone(client: Phone) -> None:
    """A phone that starts a game may score it, and gets a device cookie that lasts for more than a year.

    Scripts and other sites can't read the cookie.
    """
    form = client.see("/games/new").form("/games/new").values
    response = client.post("/games", data={**form, **SEATS})
    (cookie,) = [line for line in response.headers.getlist("Set-Cookie") if line.startswith(COOKIE)]
    words = {word.strip() for word in cookie.split(";")}
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=34560000"} <= words
    assert "Secure" not in words, "in a hall without https the phone must be known too"
    client.see(response.location).form(f"{response.location}/bid")


HTTPS = {"base_url": "https://localhost", "headers": {"Origin": "https://localhost"}}


def test_on_https_the_cookie_is_this_hosts_alone(client: Phone) -> None:
    """On HTTPS, the name of the device cookie begins with `__Host-`.

    So browsers accept the cookie only from this host, and send it only to this host.
    """
    page = Page(client.get("/games/new", base_url="https://localhost"))
    form = {**page.form("/games/new").values, **SEATS}
    response = client.post("/games", data=form, **HTTPS)
    (cookie,) = [line for line in response.headers.getlist("Set-Cookie") if COOKIE in line]
    assert cookie.startswith("__Host-")
    words = {word.strip() for word in cookie.split(";")}
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= words
    assert not [word for word in words if word.startswith("Domain")]
    assert client.get(f"{response.location}/table", base_url="https://localhost").status_code == 200


def test_on_https_the_other_name_counts_for_nothing(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """On HTTPS, the server ignores a device cookie that has the name used on HTTP.

    Another program or an unencrypted request could have planted such a cookie.
    """
    board = start(client)
    planted = secret_of(client)
    assert planted is not None
    assert client.get(f"{board.path}/table", base_url="https://localhost").status_code == 403
    page = Page(client.get("/games/new", base_url="https://localhost"))
    response = client.post("/games", data={**page.form("/games/new").values, **SEATS}, **HTTPS)
    (cookie,) = [line for line in response.headers.getlist("Set-Cookie") if COOKIE in line]
    assert cookie.startswith(f"{HOST_COOKIE}=")
    assert planted not in cookie
    thief = new_phone()
    thief.set_cookie(HOST_COOKIE, planted)
    assert thief.get(f"{response.location}/table", base_url="https://localhost").status_code == 403


@pytest.mark.parametrize("word", ["evil", "", "é" * 43, "A" * 42, "A" * 44, "A" * 42 + "B", "A" * 42 + "\n"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_word_that_we_never_gave_is_replaced(client: Phone, scheme: str, word: str) -> None:
    base = f"{scheme}://localhost"
    name = HOST_COOKIE if scheme == "https" else COOKIE
    client.set_cookie(name, word, secure=scheme == "https")
    page = Page(client.get("/games/new", base_url=base))
    form = {**page.form("/games/new").values, **SEATS}
    response = client.post("/games", data=form, base_url=base, headers={"Origin": base})
    (cookie,) = [line for line in response.headers.getlist("Set-Cookie") if line.startswith(f"{name}=")]
    given = cookie.partition("=")[2].partition(";")[0]
    assert ISSUED.fullmatch(given)
    assert given != word
    assert client.get(f"{response.location}/table", base_url=base).status_code == 200


def test_the_name_of_https_counts_for_nothing_on_http(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """On HTTP, the server ignores a device cookie that has the name used on HTTPS. On HTTPS, only that name counts.

    On HTTP, anyone on the network path can set a cookie with any name.
    """
    board = start(client)
    known = secret_of(client)
    assert known is not None
    thief = new_phone()
    thief.set_cookie(HOST_COOKIE, known)
    thief.see(f"{board.path}/table", 403)
    client.set_cookie(HOST_COOKIE, device_word("somebody else"))
    client.see(f"{board.path}/table")
    assert client.get(f"{board.path}/table", base_url="https://localhost").status_code == 403


def test_the_score_book_keeps_only_a_hash(client: Phone, app: Flask) -> None:
    """The database doesn't contain a phone's token, so somebody who reads the database can't score its games."""
    start(client)
    secret = secret_of(client)
    assert secret is not None
    assert len(secret) >= 40
    assert secret not in str(contents(app))


def test_a_phone_keeps_its_word_from_game_to_game(client: Phone) -> None:
    """A phone keeps its token when it starts a second game, so it may score both games."""
    first = start(client)
    known = secret_of(client)
    start(client)
    assert secret_of(client) == known
    client.see(first.path).form(f"{first.path}/bid")


@pytest.mark.parametrize("word", ["", "x", "é", "a" * 3000, "' or 1=1 --", "%00"])
def test_a_made_up_word_is_nobodys(client: Phone, new_phone: Callable[[], Phone], word: str) -> None:
    """A phone with a made-up token can only watch."""
    board = start(client)
    stranger = new_phone()
    stranger.set_cookie(COOKIE, word)
    assert "You're watching." in stranger.see(board.path).text
    assert "Ann" not in stranger.see("/").text
    stranger.see(f"{board.path}/table", 403)


def test_a_hash_from_the_score_book_opens_nothing(client: Phone, app: Flask, new_phone: Callable[[], Phone]) -> None:
    """The hash that is stored for a phone's token doesn't work as a token."""
    board = start(client)
    hashes = [word for row in contents(app)["game"] for word in re.findall(r"\b[0-9a-f]{64}\b", row)]
    assert len(hashes) == 1
    thief = new_phone()
    thief.set_cookie(COOKIE, hashes[0])
    thief.see(f"{board.path}/table", 403)
