"""A scorer's open page shows news about what other phones did."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.game import bid, path_of, play, undo
from tests.support.game_steps import let_in

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone


@pytest.fixture
def second(client: Phone, other: Phone, board: Page) -> Phone:
    """Return Bob's phone, which is also a scorer of the game."""
    let_in(client, other, board, "1")
    return other


def news(phone: Phone, board: Page, version: int) -> str:
    """Return the news for a phone whose page shows `version` of the game, or "" if nothing has happened since."""
    response = phone.get(f"{path_of(board)}/news?version={version}")
    assert response.status_code == (200 if response.data else 204)
    return str(json.loads(response.text)["says"]).translate({0x2068: "", 0x2069: ""}) if response.data else ""


def test_a_hand_of_another_phone_is_news(client: Phone, second: Phone, board: Page) -> None:
    assert news(second, board, 1) == news(client, board, 1) == ""
    now = play(client, board, 0, 3, "AAAB")
    assert news(second, board, 1) == "The main phone saved hand 1."
    assert news(second, board, 3) == ""
    theirs = play(second, second.see(board.path), 1, 2, "BBAA")
    assert news(client, now, 3) == "Bob's phone saved hand 2."
    assert news(second, now, 3) == "Another tab on this phone saved hand 2."
    bid(second, theirs, 2, 2)
    assert news(client, now, 5) == "Bob's phone updated the game."


def test_an_undo_is_news_too(client: Phone, second: Phone, board: Page) -> None:
    undo(client, play(client, board, 0, 3, "AAAB"))
    assert news(second, board, 3) == "The main phone updated the game."


def test_a_removed_phone_is_told_in_json(client: Phone, other: Phone, board: Page) -> None:
    for phone, path, status in ((other, path_of(board), 403), (client, "/games/nosuchgame", 404)):
        response = phone.get(f"{path}/news?version=1")
        assert response.status_code == status
        assert json.loads(response.text)["says"] == "This phone can no longer score this game."
