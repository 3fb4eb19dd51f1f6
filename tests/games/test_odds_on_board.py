"""A home table can show the chances of winning during its games, on the board and on the TV."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from scorekeeper.insight.odds import solved
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.table import set_table
from tests.games.test_table_sharing import forged, join, link
from tests.support.game import CLEAN, play, play_all, start
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone

TOLD = re.compile(r"Chances of winning after hand 2: A (\d+)%, B (\d+)%")


@pytest.fixture(autouse=True)
def _solved() -> None:
    """Know the win probabilities, which are calculated in the background otherwise."""
    solved(set_table(PRESETS["setback-21"], 4))


def seen(phone: Phone, board: Page) -> list[tuple[str, str]]:
    """Return the chances of winning on the board, on the page for watchers and on the TV."""
    watch = board.path.replace("/games/", "/watch/")
    pages = (phone.see(address) for address in (board.path, watch, f"{watch}/tv"))
    return [found for page in pages for found in TOLD.findall(words(page.one("main")))]


def test_the_chances_are_hidden_until_the_table_wants_to_see_them(client: Phone, board: Page) -> None:
    """They are the same everywhere, and those that the page of the chances shows after the game."""
    board = play_all(client, board, CLEAN[:2])
    assert seen(client, board) == []
    client.submit(client.see("/table/phones"), "/table/chances", show="1")
    board = play(client, play_all(client, start(client), ((0, 2, "AAAB"),)), 1, 3, "AB--")
    told = seen(client, board)
    assert len(set(told)) == 1
    assert len(told) == 3
    assert sum(map(int, told[0])) == 100
    over = play_all(client, board, CLEAN[:5])
    assert seen(client, over) == []
    rows = [[words(cell) for cell in row] for row in client.see(f"{over.path}/odds").all("tbody")[0]]
    assert tuple(each.rstrip("%") for each in rows[2][2:4]) == told[0]


def test_they_can_be_hidden_again(client: Phone, board: Page) -> None:
    for show in ("1", ""):
        client.submit(client.see("/table/phones"), "/table/chances", show=show)
    assert seen(client, play_all(client, board, CLEAN[:2])) == []


def test_games_without_chances_show_none(client: Phone) -> None:
    """With four sides, the switch changes nothing."""
    board = start(client, ("Ann", "Bob", "Cid", "Dee"), seating="4")
    client.submit(client.see("/table/phones"), "/table/chances", show="1")
    assert seen(client, play_all(client, board, ((0, 4, "AAAA"),) * 2)) == []


def test_three_alone_are_named(client: Phone) -> None:
    solved(set_table(PRESETS["setback-7"], 3))
    board = start(client, ("Ann", "Bob", "Cid"), seating="3", preset="setback-7")
    client.submit(client.see("/table/phones"), "/table/chances", show="1")
    board = play_all(client, board, ((0, 2, "AABC"),))
    (told,) = re.findall(
        r"Chances of winning after hand 1: Ann (\d+)%, Bob (\d+)%, Cid (\d+)%", words(board.one("main"))
    )
    assert sum(map(int, told)) == 100


def test_only_the_main_phone_decides(client: Phone, other: Phone, board: Page) -> None:
    join(other, link(client))
    assert not other.see("/table/phones").all("section", aria_labelledby="chances")
    assert forged(other, "/table/chances", show="1") == 403
    assert seen(client, play_all(client, board, CLEAN[:2])) == []
