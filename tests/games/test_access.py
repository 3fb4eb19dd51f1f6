"""Each phone may send only the requests that its role allows, and no other request changes anything."""

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
    "games.odds",
    "games.race",
    "games.rules",
    "games.settle",
    "games.sheet",
    "games.watch",
    "games.tv",
    "games.picture",
    "games.watch_code",
    "games.what_if",
}
"""Endpoints of a game's pages that every phone may open."""
STARTER_ONLY = {
    "games.delete",
    "games.undelete",
    "games.make_link",
    "games.new_code",
    "games.note_code",
    "games.take_link_back",
    "games.send_away",
    "games.let_watch",
    "games.stop_watching",
}
"""Endpoints that only the phone that started the game may use."""
ENDS = {"games.delete", "games.undelete", "games.stop_watching"}
"""Endpoints that hide, restore or delete the game, so that the requests after them would be answered differently."""
SEQ = 3
"""Number of the event that scores the first hand. Event 1 starts the game, and event 2 is the bid."""


class Address(NamedTuple):
    """A request that can be made: its endpoint, method and path."""

    endpoint: str
    method: str
    path: str


def addresses_of(app: Flask, game: str = "") -> list[Address]:
    """Return all requests about `game` and its first hand.

    If `game` is "", return all requests that aren't about a game.
    """
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
    """Return the board of a game with one hand and a bid for the second hand."""
    return bid(client, play(client, board, 0, 3, "AAAB"), 1, 2)


@pytest.fixture
def addresses(app: Flask, played: Page) -> list[Address]:
    """Return all requests about the game of `played` and its first hand."""
    found = addresses_of(app, played.path.split("/")[2])
    assert len(found) > 20
    return found


def ask(phone: Phone, address: Address, tap: str) -> TestResponse:
    """Send a request and return the response. A POST has the fields that every form has.

    `tap` becomes part of the request key, so that each step of a test sends new requests.
    """
    if address.method == "GET":
        return phone.get(address.path)
    token = phone.see("/").form("/games/import").values["csrf_token"]
    fields = {"csrf_token": str(token), "client_id": f"ask-{tap}-{abs(hash(address))}", "version": "4"}
    return phone.post(address.path, data=fields)


def for_watchers(address: Address) -> int:
    """Return the status of the response to a request of a phone that isn't a scorer.

    Such a phone may settle up, which changes nothing for others; the form that `ask` sends says no method for it.
    """
    if address.method == "POST" and address.endpoint == "games.settle":
        return 422
    return 200 if address.method == "GET" and address.endpoint in WATCHED else 403


def test_the_main_phone_may_do_everything(client: Phone, addresses: list[Address]) -> None:
    """The phone that started a game never gets status 403, 404 or 500 for a request about the game.

    Each response is a page, a redirect, or an error about a choice in the form (409 or 422).
    """
    for address in (each for each in addresses if each.endpoint not in ENDS):
        status = ask(client, address, "own").status_code
        assert status in ({200, 303} if address.method == "GET" else {200, 303, 409, 422}), f"{address}: {status}"


def test_another_phone_may_only_watch(app: Flask, client: Phone, other: Phone, addresses: list[Address]) -> None:
    """A phone that isn't a scorer can open only the pages of `WATCHED` and settle up. Else it gets status 403.

    The requests of such a phone store nothing.
    """
    before = contents(app)
    for address in addresses:
        assert ask(other, address, "other").status_code == for_watchers(address), str(address)
    assert contents(app) == before


def test_a_scorer_may_do_all_but_share_and_delete(
    client: Phone, other: Phone, played: Page, addresses: list[Address]
) -> None:
    """A scorer's phone may do everything except share and delete the game. Requests to do that get status 403."""
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
    """A phone that was removed from the scorers may only watch, even with a form that was open before."""
    board = let_in(client, other, played)
    send_away(client, played)
    before = contents(app)
    other.submit(board, f"{board.path}/bid/void", 403)
    for address in addresses:
        assert ask(other, address, "gone").status_code == for_watchers(address), str(address)
    assert contents(app) == before


def test_an_unwatched_game_is_hidden_from_others(
    app: Flask, client: Phone, other: Phone, new_phone: Callable[[], Phone], played: Page, addresses: list[Address]
) -> None:
    """With watching turned off, phones that aren't scorers get status 404 for every request about the game.

    A phone that has cached the watch page gets 404, too. Scorers get 404 only for the watch page.
    """
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
    """If a game doesn't exist, every request about it gets status 404, even if its id is impossible."""
    before = contents(app)
    for game in ("zzzzzzzzzz", "x" * 3000, "%00", "²", "..;", "' or 1=1"):
        for address in addresses_of(app, game)[: None if game == "zzzzzzzzzz" else 3]:
            assert ask(client, address, "none").status_code == 404, str(address)
    assert contents(app) == before


def test_every_form_needs_a_csrf_token(app: Flask, client: Phone, board: Page) -> None:
    """Without a valid token, every form of the app is refused with 400, and nothing is changed."""
    before = contents(app)
    asked = [*addresses_of(app, board.path.split("/")[2]), *addresses_of(app)]
    posts = [address.path for address in asked if address.method == "POST"]
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
    """A POST with the origin of another site is refused with 403, even with a valid token."""
    before = contents(app)
    form = board.form(f"{board.path}/bid").values
    for address in [*addresses_of(app, board.path.split("/")[2]), *addresses_of(app)]:
        if address.method == "POST":
            response = client.post(address.path, data=form, headers={"Origin": "https://evil.example"})
            assert response.status_code == 403, str(address)
    assert contents(app) == before


def test_get_requests_write_nothing(app: Flask, client: Phone, other: Phone, addresses: list[Address]) -> None:
    """A GET request never changes the database, whatever phone sends it and whatever its query is."""
    before = contents(app)
    paths = [address.path for address in [*addresses, *addresses_of(app)] if address.method == "GET"]
    for path in paths:
        for phone in (client, other):
            phone.get(path, query_string={"mode": "passed", "version": "4", "high": "0", "call": "0:2", "seen": "1"})
    assert contents(app) == before


def test_a_watcher_sees_the_game_without_its_forms(client: Phone, other: Phone, played: Page) -> None:
    """A watching phone sees the score and the bid in play, but no buttons.

    Every link on the page leads to a page that this phone may open.
    """
    page = other.see(played.path)
    assert page.h1 == played.h1
    assert "Bob bid 2" in page.text
    assert "You're watching." in page.text
    assert buttons(page) == []
    for link in {str(link.get("href")) for link in page.all("a")} - {"#main"}:
        assert other.get(link).status_code == 200, link


def test_a_watcher_gets_no_cookie(client: Phone, other: Phone, played: Page) -> None:
    """No page sets a cookie for a watcher, except for settling up, whose form needs one."""
    for name in ("", "/log", "/record.json", "/preview", "/rules"):
        assert "Set-Cookie" not in other.get(f"{played.path}{name}").headers


def test_looking_sends_no_new_cookie(client: Phone, played: Page) -> None:
    """If a phone already has a cookie, pages don't set it again, because caches may store the pages."""
    assert "Set-Cookie" not in client.get(f"{played.path}/log").headers


def test_other_methods_are_refused(client: Phone, played: Page) -> None:
    """PUT, DELETE and PATCH requests for a board are refused."""
    for method in ("PUT", "DELETE", "PATCH"):
        assert client.open(played.path, method=method).status_code in (400, 405)
    assert client.get(f"{played.path}/undos").status_code == 405
