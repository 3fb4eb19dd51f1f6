"""Games without any hand, which can be deleted together from the home page after one confirmation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.game import contents, play, start
from tests.support.game_steps import let_in
from tests.support.page import way_named

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


def boxes(page: Page) -> list[str]:
    """Return the public ids of the games that the page offers to delete."""
    return [str(box.get("value")) for box in page.all("input", type="checkbox")]


def test_unused_games_are_deleted(client: Phone) -> None:
    """One confirmation deletes all of the phone's games that have no hand.

    A game that gets a hand while the confirmation page is open isn't deleted.
    """
    played = start(client)
    play(client, played, 0, 3, "AAAB")
    one, two, three = (start(client) for _ in range(3))
    home = client.see("/")
    assert way_named(home, "Delete 3 unused games") == "/games/unused"
    asked = client.see("/games/unused")
    assert set(boxes(asked)) == {page.path.split("/")[-1] for page in (one, two, three)}
    play(client, three, 0, 3, "AAAB")
    home = client.submit(asked, "/games/unused")
    links = [link.get("href") for link in home.all("a", class_="game")]
    assert set(links) == {played.path, three.path}
    assert "unused" not in home.text
    assert "No unused games on this phone." in client.see("/games/unused").text


def test_an_unchecked_game_stays(client: Phone) -> None:
    one, two = start(client), start(client)
    client.submit(client.see("/games/unused"), "/games/unused", game=one.path.split("/")[-1])
    assert [link.get("href") for link in client.see("/").all("a", class_="game")] == [two.path]


def test_only_the_main_phone_deletes_a_game(client: Phone, other: Phone, app: Flask) -> None:
    board = start(client)
    let_in(client, other, board)
    before = contents(app)
    assert boxes(other.see("/games/unused")) == []
    page = other.see("/games/unused")
    token = {"csrf_token": other.see("/").form("/games/import").values["csrf_token"]}
    assert page.status == 200
    assert other.post("/games/unused", data={**token, "game": board.path.split("/")[-1]}).status_code == 303
    assert contents(app) == before
