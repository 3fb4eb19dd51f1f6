"""The TV scoreboard: one or more games on a page that is the same for everyone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.presenters.board import MOST, read_ids
from tests.e2e.imported_games import hand, record
from tests.support.game import bid, path_of, start
from tests.support.game_steps import import_record
from tests.support.page import Page, words

if TYPE_CHECKING:
    from tests.support.phone import Phone


WON = record([hand(0, 4, 0, 0, 0, 0)] * 6)
OTHERS = ("Eve", "Fay", "Gus", "Hal")


def wall(*boards: Page) -> str:
    """Return the address of a scoreboard with the games of `boards`, in that order."""
    return "/watch/tv?games=" + ",".join(path_of(board).split("/")[2] for board in boards)


def digits(page: Page) -> list[str]:
    """Return the scores that the page shows in large digits."""
    return [words(score) for score in page.all("p", class_="score")]


def test_it_shows_dealer_bid_and_needs(client: Phone, other: Phone) -> None:
    board = bid(client, import_record(client, record([hand(0, 3, 0, 1, 0, 0)])), 1, 2, "H")
    page = other.see(path_of(board).replace("/games/", "/watch/") + "/tv")
    assert page.h1 == "Ann and Cid 3, Bob and Dee 1"
    assert digits(page) == ["3", "1"]
    assert [words(need) for need in page.all("p", class_="need")] == [
        "18 to go. Must make a bid to win.",
        "20 to go. Must make a bid to win.",
    ]
    assert words(page.one("h2")) == "Setback Hand 2 Ann deals"
    assert words(page.one("p", class_="say")) == "B Bob bid 2 ♥\ufe0e hearts"
    assert not page.all("form")
    assert not page.all("button")
    assert not page.all("a")


def test_a_finished_game_shows_its_winner_first(client: Phone) -> None:
    board = import_record(client, WON)
    page = client.see(wall(board))
    assert words(page.one("h2", class_="headline")) == "Ann and Cid win"
    assert words(page.one("li", class_="won")) == "A Ann and Cid 24 won"


def test_several_games_in_the_given_order(client: Phone) -> None:
    """A scoreboard shows several games in the order of its address and leaves out games that don't exist.

    If none of the games exists, the page is not found.
    """
    first, second = start(client), import_record(client, record([hand(0, 4, 0, 0, 0, 0)], players=OTHERS))
    page = client.see(f"{wall(second, first)},zzzzzzzzzz")
    assert page.h1 == "Eve and Gus 4, Fay and Hal 0. Ann and Cid 0, Bob and Dee 0"
    assert len(page.all("article")) == 2
    for nothing in ("", "?games=", "?games=zzzzzzzzzz", "?games=%00,%27"):
        client.see(f"/watch/tv{nothing}", 404)


def test_an_unchanged_scoreboard_is_answered_with_304(client: Phone, other: Phone) -> None:
    """A scoreboard is answered with 304 until an event happens in any of its games. No cookie is set."""
    first, second = start(client), start(client)
    answer = other.get(wall(first, second))
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "public, no-cache"
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert (again := other.get(wall(first, second), headers=tag)).status_code == 304
    assert again.data == b""
    assert Page(answer).one("div", class_="wall").get("data-version") == answer.headers["ETag"][3:].split("-")[0]
    bid(client, second, 0, 3)
    assert other.get(wall(first, second), headers=tag).status_code == 200


def test_it_is_dark_unless_the_address_says_light(client: Phone) -> None:
    board = start(client)
    assert client.see(wall(board)).one("html").get("data-look") == "dark"
    assert client.see(wall(board) + "&look=light").one("html").get("data-look") == "light"


def test_own_games_are_chosen_and_others_typed(client: Phone, other: Phone) -> None:
    """The form for a TV scoreboard lists this phone's games with checkboxes.

    Other games can be typed as ids or addresses. The form leads to an address that any TV can open.
    """
    mine, over = start(client), import_record(client, WON)
    theirs = start(other, OTHERS)
    page = client.see("/tv")
    ids = [path_of(board).split("/")[2] for board in (mine, over, theirs)]
    ticked = {
        str(box.get("value")): "checked" in box.attrib for box in page.all("input", name="games", type="checkbox")
    }
    assert ticked == {ids[0]: True, ids[1]: False}
    response = client.get("/tv", query_string={"games": [ids[0], f"http://localhost/watch/{ids[2]} , {ids[0]}"]})
    assert (response.status_code, response.location) == (303, f"/watch/tv?games={ids[0]},{ids[2]}")
    assert len(client.see(response.location).all("article")) == 2


def test_an_unknown_typed_game_is_refused(client: Phone) -> None:
    page = client.see("/tv?games=nosuch", 422)
    assert "Game not found." in words(page.one("p", role="alert"))
    assert page.one("input", name="games").get("value") == "nosuch"


@pytest.mark.parametrize(
    "typed", [["a,b"], ["a", "b"], ["a b"], ["http://h/watch/a?x=1, https://h/games/b#watch"], ["A,b;a"]]
)
def test_ids_are_read_however_they_were_typed(typed: list[str]) -> None:
    assert read_ids(typed) == ("a", "b")


def test_reading_typed_games_takes_linear_time() -> None:
    """When typed games are read, input with 16 times as many slashes takes less than 60 times as long.

    An earlier version took quadratic time, which was a sixth of a second for four thousand slashes.
    """

    def spent(slashes: int) -> float:
        typed = ["/" * slashes]
        begun = time.process_time()
        for _ in range(20):
            read_ids(typed)
        return time.process_time() - begun

    few, many = (min(spent(slashes) for _ in range(3)) for slashes in (1_000, 16_000))
    assert many < 60 * few, "sixteen times as many, so 256 times where each is looked at from each"


def test_it_has_a_limit_of_games() -> None:
    assert len(read_ids([",".join(map(str, range(50)))])) == MOST
