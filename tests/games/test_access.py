"""Access of each phone to each address, and that requests change nothing unless they should."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.support.game import bid, buttons, contents, play
from tests.support.game_steps import let_in, send_away
from tests.support.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.support.phone import Phone

WATCHED = {
    "games.board",
    "games.log",
    "games.log_as_csv",
    "games.log_as_json",
    "games.export",
    "games.preview",
    "games.race",
    "games.rules",
    "games.settle",
    "games.sheet",
    "games.watch",
    "games.tv",
    "games.picture",
    "games.watch_code",
}
"""Pages of a game that every phone may open."""
STARTER_ONLY = {
    "games.delete",
    "games.undelete",
    "games.make_link",
    "games.new_code",
    "games.take_link_back",
    "games.send_away",
    "games.let_watch",
    "games.stop_watching",
}
"""What only the phone does that started the game."""
ENDS = {"games.delete", "games.undelete", "games.stop_watching"}
"""What takes the game away from those who would be asked next."""
SEQ = 3
"""Where the first hand stands in the log: after the start and the bid."""


class Address(NamedTuple):
    """One request that can be made about a game."""

    endpoint: str
    method: str
    path: str


def addresses_of(app: Flask, game: str = "") -> list[Address]:
    """Return all requests about `game` and its first hand; without a game, all that need none."""
    found = []
    for rule in app.url_map.iter_rules():
        # The address of a photo holds its key: see test_hand_notes.py.
        if ("game_id" in rule.arguments) == bool(game) and rule.endpoint not in ("static", "games.hand_photo"):
            given = {"game_id": game, "preset": "setback-21"}
            built = rule.build({name: given.get(name, SEQ) for name in rule.arguments})
            assert built is not None
            found += [Address(rule.endpoint, method, built[1]) for method in (rule.methods or set()) & {"GET", "POST"}]
    return sorted(found)


@pytest.fixture
def played(client: Phone, board: Page) -> Page:
    """Return the board with one hand and a bid in play."""
    return bid(client, play(client, board, 0, 3, "AAAB"), 1, 2)


@pytest.fixture
def addresses(app: Flask, played: Page) -> list[Address]:
    """Return all requests about the game and its hand."""
    found = addresses_of(app, played.path.split("/")[2])
    assert len(found) > 20
    return found


def ask(phone: Phone, address: Address, tap: str) -> TestResponse:
    """Send the request with a complete form."""
    if address.method == "GET":
        return phone.get(address.path)
    token = phone.see("/").form("/games/import").values["csrf_token"]
    fields = {"csrf_token": str(token), "client_id": f"ask-{tap}-{abs(hash(address))}", "version": "4"}
    return phone.post(address.path, data=fields)


def test_the_main_phone_may_do_everything(client: Phone, addresses: list[Address]) -> None:
    """Each answer is a page, a redirect or an error about the choice: never 403, 404 or 500."""
    for address in (each for each in addresses if each.endpoint not in ENDS):
        status = ask(client, address, "own").status_code
        assert status in ({200, 303} if address.method == "GET" else {200, 303, 409, 422}), f"{address}: {status}"


def test_another_phone_may_only_watch(app: Flask, client: Phone, other: Phone, addresses: list[Address]) -> None:
    """200 for the pages to watch, 403 for all else, and nothing is stored."""
    before = contents(app)
    for address in addresses:
        response = ask(other, address, "other")
        watched = address.method == "GET" and address.endpoint in WATCHED
        assert response.status_code == (200 if watched else 403), str(address)
    assert contents(app) == before


def test_a_scorer_may_do_all_but_share_and_delete(
    client: Phone, other: Phone, played: Page, addresses: list[Address]
) -> None:
    """It is answered like the phone that started the game, except for sharing and deletion."""
    let_in(client, other, played)
    for address in addresses:
        status = ask(other, address, "second").status_code
        if address.endpoint in STARTER_ONLY:
            assert status == 403, f"{address}: {status}"
        else:
            assert status in ({200, 303} if address.method == "GET" else {200, 303, 409, 422}), f"{address}: {status}"


def test_a_removed_phone_is_a_watcher_again(
    app: Flask, client: Phone, other: Phone, played: Page, addresses: list[Address]
) -> None:
    """From its next request on, also with a form that was open."""
    board = let_in(client, other, played)
    send_away(client, played)
    before = contents(app)
    other.submit(board, f"{board.path}/bid/void", 403)
    for address in addresses:
        watched = address.method == "GET" and address.endpoint in WATCHED
        assert ask(other, address, "gone").status_code == (200 if watched else 403), str(address)
    assert contents(app) == before


def test_an_unwatched_game_is_hidden_from_others(
    app: Flask, client: Phone, other: Phone, new_phone: Callable[[], Phone], played: Page, addresses: list[Address]
) -> None:
    """For all others it is not found, even with its page; nobody can open the watch page."""
    stranger = new_phone()
    let_in(client, other, played)
    tag = stranger.get(played.path.replace("/games/", "/watch/")).headers["ETag"]
    client.submit(client.see(f"{played.path}/table"), f"{played.path}/watching/void")
    before = contents(app)
    for address in addresses:
        assert ask(stranger, address, "stranger").status_code == 404, str(address)
    assert stranger.get(played.path.replace("/games/", "/watch/"), headers={"If-None-Match": tag}).status_code == 404
    assert contents(app) == before
    for phone in (client, other):
        for address in (each for each in addresses if each.method == "GET"):
            expected = {404} if address.path.startswith("/watch/") else {200, 303}
            assert ask(phone, address, "own").status_code in expected, str(address)
    client.submit(client.see(f"{played.path}/table"), f"{played.path}/watching")
    assert stranger.get(played.path.replace("/games/", "/watch/")).status_code == 200


def test_an_unknown_game_is_not_found(app: Flask, client: Phone, addresses: list[Address]) -> None:
    """404 at each address, also for impossible ids."""
    before = contents(app)
    for game in ("zzzzzzzzzz", "x" * 3000, "%00", "²", "..;", "' or 1=1"):
        for address in addresses_of(app, game)[: None if game == "zzzzzzzzzz" else 3]:
            assert ask(client, address, "none").status_code == 404, str(address)
    assert contents(app) == before


def test_every_form_needs_a_csrf_token(app: Flask, client: Phone, board: Page) -> None:
    """At every address with a form, of games and otherwise: 400, and nothing is changed.

    Mail programs unsubscribe with one request and have no token (RFC 8058); the secret in the address is enough.
    """
    before = contents(app)
    asked = [*addresses_of(app, board.path.split("/")[2]), *addresses_of(app)]
    posts = [address.path for address in asked if address.method == "POST" and "/unsubscribe/" not in address.path]
    assert len(posts) > 20
    form = board.form(f"{board.path}/bid").values
    for path in posts:
        for token in (None, "", "wrong"):
            sent = {key: value for key, value in {**form, "csrf_token": token}.items() if value is not None}
            response = client.post(path, data=sent)
            assert response.status_code == 400, f"{path}: {response.status}"
            assert "Nothing was saved." in response.text
    assert contents(app) == before


def test_no_form_works_from_another_site(app: Flask, client: Phone, board: Page) -> None:
    """Even with a valid token."""
    before = contents(app)
    form = board.form(f"{board.path}/bid").values
    for address in [*addresses_of(app, board.path.split("/")[2]), *addresses_of(app)]:
        if address.method == "POST":
            response = client.post(address.path, data=form, headers={"Origin": "https://evil.example"})
            assert response.status_code == 403, str(address)
    assert contents(app) == before


def test_get_requests_write_nothing(app: Flask, client: Phone, other: Phone, addresses: list[Address]) -> None:
    """From any phone, with anything in the address."""
    before = contents(app)
    paths = [address.path for address in [*addresses, *addresses_of(app)] if address.method == "GET"]
    for path in paths:
        for phone in (client, other):
            phone.get(path, query_string={"mode": "passed", "version": "4", "high": "0", "call": "0:2", "seen": "1"})
    assert contents(app) == before


def test_a_watcher_sees_the_game_without_its_forms(client: Phone, other: Phone, played: Page) -> None:
    """The score and the bid in play, no buttons, and no links to pages that this phone may not open."""
    page = other.see(played.path)
    assert page.h1 == played.h1
    assert "Bob bid 2" in page.text
    assert "You're watching." in page.text
    assert buttons(page) == []
    for link in {str(link.get("href")) for link in page.all("a")} - {"#main"}:
        assert other.get(link).status_code == 200, link


def test_a_watcher_gets_no_cookie(client: Phone, other: Phone, played: Page) -> None:
    for name in ("", "/log", "/record.json", "/preview", "/rules", "/settlement"):
        assert "Set-Cookie" not in other.get(f"{played.path}{name}").headers


def test_looking_sends_no_new_cookie(client: Phone, played: Page) -> None:
    """Pages may come from a cache, so the cookie stays as it is."""
    assert "Set-Cookie" not in client.get(f"{played.path}/log").headers


def test_other_methods_are_refused(client: Phone, played: Page) -> None:
    """DELETE on a board deletes nothing."""
    for method in ("PUT", "DELETE", "PATCH"):
        assert client.open(played.path, method=method).status_code in (400, 405)
    assert client.get(f"{played.path}/undos").status_code == 405
