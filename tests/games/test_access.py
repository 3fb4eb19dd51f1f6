"""Who gets what at every address, and that nothing changes unless it was meant."""

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
    """One way to ask for something of a game."""

    endpoint: str
    method: str
    path: str


def addresses_of(app: Flask, game: str = "") -> list[Address]:
    """Return everything that can be asked of `game` and its first hand; without a game, all that needs none."""
    found = []
    for rule in app.url_map.iter_rules():
        if ("game_id" in rule.arguments) == bool(game) and rule.endpoint != "static":
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
    """Return all addresses of the game and its hand."""
    found = addresses_of(app, played.path.split("/")[2])
    assert len(found) > 20
    return found


def ask(phone: Phone, address: Address, tap: str) -> TestResponse:
    """Ask with a form that is whole but for what was chosen."""
    if address.method == "GET":
        return phone.get(address.path)
    token = phone.see("/").form("/games/import").values["csrf_token"]
    fields = {"csrf_token": str(token), "client_id": f"ask-{tap}-{abs(hash(address))}", "version": "4"}
    return phone.post(address.path, data=fields)


def test_the_phone_that_started_the_game_is_answered_everywhere(client: Phone, addresses: list[Address]) -> None:
    """A page, the way to one, or what is wrong with the choice: never “not found”, “not yours” or a breakdown."""
    for address in (each for each in addresses if each.endpoint not in ENDS):
        status = ask(client, address, "own").status_code
        assert status in ({200, 303} if address.method == "GET" else {200, 303, 409, 422}), f"{address}: {status}"


def test_another_phone_may_watch_and_change_nothing(
    app: Flask, client: Phone, other: Phone, addresses: list[Address]
) -> None:
    """200 for what is watched, 403 for all else, and the score book is as before."""
    before = contents(app)
    for address in addresses:
        response = ask(other, address, "other")
        watched = address.method == "GET" and address.endpoint in WATCHED
        assert response.status_code == (200 if watched else 403), str(address)
    assert contents(app) == before


def test_a_phone_that_was_let_in_does_all_that_happens_at_the_table(
    client: Phone, other: Phone, played: Page, addresses: list[Address]
) -> None:
    """It is answered as the phone that started the game, but for who else may watch and score, and deleting."""
    let_in(client, other, played)
    for address in addresses:
        status = ask(other, address, "second").status_code
        if address.endpoint in STARTER_ONLY:
            assert status == 403, f"{address}: {status}"
        else:
            assert status in ({200, 303} if address.method == "GET" else {200, 303, 409, 422}), f"{address}: {status}"


def test_a_phone_that_was_sent_away_is_a_watcher_again(
    app: Flask, client: Phone, other: Phone, played: Page, addresses: list[Address]
) -> None:
    """From its next request on, also with the form that it had open."""
    board = let_in(client, other, played)
    send_away(client, played)
    before = contents(app)
    other.submit(board, f"{board.path}/bid/void", 403)
    for address in addresses:
        watched = address.method == "GET" and address.endpoint in WATCHED
        assert ask(other, address, "gone").status_code == (200 if watched else 403), str(address)
    assert contents(app) == before


def test_a_game_that_others_may_not_watch_is_there_for_its_phones_only(
    app: Flask, client: Phone, other: Phone, new_phone: Callable[[], Phone], played: Page, addresses: list[Address]
) -> None:
    """To everybody else, with or without its page, it is not there; the watch page is for nobody."""
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


def test_a_game_that_never_was_is_not_found(app: Flask, client: Phone, addresses: list[Address]) -> None:
    """404 at each of its addresses, also for names that no game can have."""
    before = contents(app)
    for game in ("zzzzzzzzzz", "x" * 3000, "%00", "²", "..;", "' or 1=1"):
        for address in addresses_of(app, game)[: None if game == "zzzzzzzzzz" else 3]:
            assert ask(client, address, "none").status_code == 404, str(address)
    assert contents(app) == before


def test_no_form_works_without_its_token(app: Flask, client: Phone, board: Page) -> None:
    """Every address that takes a form, of games and otherwise: 400, and nothing is changed."""
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
    """Even with a token that is right."""
    before = contents(app)
    form = board.form(f"{board.path}/bid").values
    for address in [*addresses_of(app, board.path.split("/")[2]), *addresses_of(app)]:
        if address.method == "POST":
            response = client.post(address.path, data=form, headers={"Origin": "https://evil.example"})
            assert response.status_code == 403, str(address)
    assert contents(app) == before


def test_looking_changes_nothing(app: Flask, client: Phone, other: Phone, addresses: list[Address]) -> None:
    """No GET writes, whoever looks and whatever stands in the address."""
    before = contents(app)
    paths = [address.path for address in [*addresses, *addresses_of(app)] if address.method == "GET"]
    for path in paths:
        for phone in (client, other):
            phone.get(path, query_string={"mode": "passed", "version": "4", "high": "0", "call": "0:2", "seen": "1"})
    assert contents(app) == before


def test_a_watcher_sees_the_game_without_its_forms(client: Phone, other: Phone, played: Page) -> None:
    """The score and the bid in play, nothing to tap, no way to pages that are not for this phone."""
    page = other.see(played.path)
    assert page.h1 == played.h1
    assert "Bob bid 2" in page.text
    assert "You're watching." in page.text
    assert buttons(page) == []
    for link in {str(link.get("href")) for link in page.all("a")} - {"#main"}:
        assert other.get(link).status_code == 200, link


def test_a_watcher_is_given_no_cookie(client: Phone, other: Phone, played: Page) -> None:
    """Who only looks is not known again."""
    for name in ("", "/log", "/record.json", "/preview", "/rules", "/settlement"):
        assert "Set-Cookie" not in other.get(f"{played.path}{name}").headers


def test_the_phone_that_keeps_score_is_given_no_new_cookie_by_looking(client: Phone, played: Page) -> None:
    """Pages can be answered from a cache on the way, or not at all: the cookie is not touched."""
    assert "Set-Cookie" not in client.get(f"{played.path}/log").headers


def test_a_method_that_is_not_meant_is_refused(client: Phone, played: Page) -> None:
    """A board is not deleted by its address."""
    for method in ("PUT", "DELETE", "PATCH"):
        assert client.open(played.path, method=method).status_code in (400, 405)
    assert client.get(f"{played.path}/undos").status_code == 405
