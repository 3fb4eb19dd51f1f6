"""The page of a finished game has a link that records the game in another app, BG Stats."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from tests.support.game import play, start

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone

NAMES = ("Ann & Bob", "Zoë", "C=3", "#Dee")


def told(page: Page) -> list[dict[str, Any]]:
    """Return the data that the page's links pass to the app BG Stats, one item for each link."""
    links = [str(link.get("href")) for link in page.all("a") if "bgstatsapp" in str(link.get("href"))]
    for link in links:
        assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=")
    return [json.loads(parse_qs(urlsplit(link).query)["data"][0]) for link in links]


def test_a_game_in_progress_has_no_link(client: Phone) -> None:
    assert told(play(client, start(client, NAMES), 0, 3, "AAAB")) == []


def test_a_finished_game_tells_each_players_score_and_who_won(client: Phone) -> None:
    board = start(client, NAMES)
    for _ in range(6):
        board = play(client, board, 0, 4, "AAAA")
    (game,) = told(board)
    assert game["sourcePlayId"] == board.path.split("/")[2]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", game["playDate"])
    assert game["game"]["sourceGameId"] == "setback-21"
    assert [player["name"] for player in game["players"]] == list(NAMES)
    assert [player["winner"] for player in game["players"]] == [True, False, True, False]
    assert [player["score"] for player in game["players"]] == [24, 0, 24, 0]
    assert all(player["startPlayer"] is False for player in game["players"])
