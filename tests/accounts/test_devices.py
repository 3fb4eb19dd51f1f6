"""The phone that started a game may score it: a cookie, of which only a hash is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.accounts.devices import COOKIE, HOST_COOKIE
from tests.games.play import contents, start
from tests.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.phone import Phone

SEATS = {f"name-{seat}": name for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee"))}


def secret_of(phone: Phone) -> str | None:
    """Return the word by which a phone is known, None where it has none."""
    cookie = phone.get_cookie(COOKIE)
    return None if cookie is None else cookie.value


def test_looking_around_gives_no_cookie(client: Phone) -> None:
    """A phone is known from the first game that it starts."""
    client.see("/")
    client.see("/games/new")
    assert secret_of(client) is None


def test_a_started_game_belongs_to_the_phone(client: Phone) -> None:
    """The cookie is out of reach of scripts and other sites, and stays for more than a year."""
    form = client.see("/games/new").form("/games/new").values
    response = client.post("/games", data={**form, **SEATS})
    (cookie,) = [line for line in response.headers.getlist("Set-Cookie") if line.startswith(COOKIE)]
    words = {word.strip() for word in cookie.split(";")}
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=34560000"} <= words
    assert "Secure" not in words, "in a hall without https the phone must be known too"
    client.see(response.location).form(f"{response.location}/bid")


HTTPS = {"base_url": "https://localhost", "headers": {"Origin": "https://localhost"}}


def test_on_https_the_cookie_is_this_hosts_alone(client: Phone) -> None:
    """Browsers take one with that name from nobody else, and send it nowhere else."""
    page = Page(client.get("/games/new", base_url="https://localhost"))
    form = {**page.form("/games/new").values, **SEATS}
    response = client.post("/games", data=form, **HTTPS)
    (cookie,) = [line for line in response.headers.getlist("Set-Cookie") if COOKIE in line]
    assert cookie.startswith("__Host-")
    words = {word.strip() for word in cookie.split(";")}
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= words
    assert not [word for word in words if word.startswith("Domain")]
    assert client.get(f"{response.location}/table", base_url="https://localhost").status_code == 200


def test_a_phone_with_the_other_name_stays_the_same_phone(client: Phone) -> None:
    """It started its game by plain http, or before the name was changed; the page that all share goes without."""
    board = start(client)
    known = secret_of(client)
    watch = client.get(board.path.replace("/games/", "/watch/"), base_url="https://localhost")
    assert COOKIE not in str(watch.headers.getlist("Set-Cookie"))
    first = client.get(f"{board.path}/table", base_url="https://localhost")
    assert first.status_code == 200
    (cookie,) = [line for line in first.headers.getlist("Set-Cookie") if COOKIE in line]
    assert cookie.startswith(f"{HOST_COOKIE}={known};")
    second = client.get(f"{board.path}/table", base_url="https://localhost")
    assert COOKIE not in str(second.headers.getlist("Set-Cookie"))
    client.see(f"{board.path}/table")


def test_the_name_of_https_counts_for_nothing_on_http(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """There anybody on the way can make it up; and on HTTPS it goes before the other."""
    board = start(client)
    known = secret_of(client)
    assert known is not None
    thief = new_phone()
    thief.set_cookie(HOST_COOKIE, known)
    thief.see(f"{board.path}/table", 403)
    client.set_cookie(HOST_COOKIE, "somebody else")
    client.see(f"{board.path}/table")
    assert client.get(f"{board.path}/table", base_url="https://localhost").status_code == 403


def test_the_score_book_keeps_only_a_hash(client: Phone, app: Flask) -> None:
    """Who reads the file cannot keep score with it."""
    start(client)
    secret = secret_of(client)
    assert secret is not None
    assert len(secret) >= 40
    assert secret not in str(contents(app))


def test_a_phone_keeps_its_word_from_game_to_game(client: Phone) -> None:
    """Both games are its own."""
    first = start(client)
    known = secret_of(client)
    start(client)
    assert secret_of(client) == known
    client.see(first.path).form(f"{first.path}/bid")


@pytest.mark.parametrize("word", ["", "x", "é", "a" * 3000, "' or 1=1 --", "%00"])
def test_a_made_up_word_is_nobodys(client: Phone, new_phone: Callable[[], Phone], word: str) -> None:
    """It may watch, like any other phone."""
    board = start(client)
    stranger = new_phone()
    stranger.set_cookie(COOKIE, word)
    assert "You are watching." in stranger.see(board.path).text
    assert "Ann" not in stranger.see("/").text
    stranger.see(f"{board.path}/table", 403)


def test_a_hash_from_the_score_book_opens_nothing(client: Phone, app: Flask, new_phone: Callable[[], Phone]) -> None:
    """It is not the word that it was made of."""
    board = start(client)
    hashes = [word for row in contents(app)["game"] for word in row.split("'") if len(word) == 64]
    assert len(hashes) == 1
    thief = new_phone()
    thief.set_cookie(COOKIE, hashes[0])
    thief.see(f"{board.path}/table", 403)
