"""The home page starts, continues, finds and restores games."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from scorekeeper.games.store.models import GameRow
from scorekeeper.web.extensions import writing
from tests.support.game import CLEAN, FOUR, path_of, play, play_all, start

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


def cards(page: Page) -> list[str]:
    """Return the text of each game listed on the home page."""
    return [" ".join("".join(card.itertext()).split()) for card in page.all("a", class_="game")]


def headings(page: Page) -> list[str]:
    return ["".join(heading.itertext()) for heading in page.all("h2")]


def test_a_new_phone_is_offered_a_game(client: Phone) -> None:
    """On a new phone, the home page has one sentence about the app and a link to a new game."""
    page = client.see("/")
    assert "Keeps score for Setback, Pitch and other High-Low-Jack games" in page.text
    page.one("a", href="/games/new")
    assert cards(page) == []
    assert "Same players again" not in page.text


def test_games_in_progress_come_first(client: Phone) -> None:
    play_all(client, start(client), CLEAN)
    start(client, ("Eve", "Fay"), seating="2", dealer=1)
    page = client.see("/")
    assert headings(page) == ["In progress", "Finished games"]
    running, played = cards(page)
    assert "Eve 0" in running
    assert "Hand 1, Fay deals" in running
    assert "Ann and Cid 24" in played
    assert "Ann and Cid won" in played


def test_the_latest_game_comes_first(client: Phone) -> None:
    """On the home page, the game that was changed last comes first, even if another game started later."""
    first = start(client, ("Ann", "Bob"), seating="2", dealer=0)
    start(client, ("Eve", "Fay"), seating="2", dealer=0)
    play(client, first, 1, 2, "AABB")
    assert [card.split(" ")[1] for card in cards(client.see("/"))] == ["Ann", "Eve"]


def test_a_rematch_is_one_tap(client: Phone) -> None:
    """One tap starts another game with the same players and the next dealer."""
    play(client, start(client, dealer=3), 0, 2, "AABB")
    page = client.see("/")
    assert "Setback: Ann, Bob, Cid and Dee" in page.text
    board = client.submit(page, "/games/again")
    assert "Hand 1 Ann deals Bob bids first" in board.text
    assert "Ann and Cid 0" in board.h1


def test_a_rematch_without_a_game_leads_to_the_new_game(client: Phone) -> None:
    """If a phone without any game requests a rematch, it is redirected to the new-game page."""
    token = str(client.see("/").form("/games/import").values["csrf_token"])
    response = client.post("/games/again", data={"csrf_token": token, "client_id": "tap-00001"})
    assert (response.status_code, response.location) == (303, "/games/new")


def test_a_phone_sees_its_own_games_only(client: Phone, other: Phone, board: Page) -> None:
    assert cards(client.see("/"))
    page = other.see("/")
    assert cards(page) == []
    assert "Ann" not in page.text


def test_a_deleted_game_can_be_restored_for_a_day(client: Phone, app: Flask, board: Page) -> None:
    home = client.submit(client.see(f"{board.path}/table"), f"{board.path}/deletion")
    assert "Setback game deleted." in home.text
    assert cards(home) == []
    client.see(board.path, 404)
    assert client.submit(home, f"{board.path}/deletion/void").h1 == board.h1
    assert cards(client.see("/"))

    client.submit(client.see(f"{board.path}/table"), f"{board.path}/deletion")
    with app.app_context(), writing() as session:
        session.execute(update(GameRow).values(deleted_at=datetime.now(UTC) - timedelta(days=1, minutes=1)))
    assert "was deleted" not in client.see("/").text


def test_a_missing_game_is_explained_once(client: Phone) -> None:
    """The page for a missing game says in one sentence what the cause may be, and in another what to do."""
    told = client.see("/games/nosuchgame", 404).text
    assert "It may have been deleted, or watching is turned off." in told
    assert told.count("Check the") == 1


def test_the_game_deleted_last_can_be_restored(client: Phone) -> None:
    """The home page offers to restore the game that was deleted last, even if another deleted game was played later."""
    older = start(client, ("Ann", "Bob"), seating="2")
    newer = start(client, ("Eve", "Fay"), seating="2")
    for board in (newer, older):
        home = client.submit(client.see(f"{board.path}/table"), f"{board.path}/deletion")
    home.form(f"{path_of(older)}/deletion/void")


@pytest.mark.slow
def test_a_deleted_game_is_not_offered_for_a_rematch(client: Phone) -> None:
    """A deleted game isn't offered for a rematch, and its names aren't suggested."""
    first = start(client)
    second = start(client, ("Eve", "Fay"), seating="2")
    client.submit(client.see(f"{second.path}/table"), f"{second.path}/deletion")
    assert "Setback: Ann, Bob, Cid and Dee" in client.see("/").text
    assert client.submit(client.see("/"), "/games/again").path == first.path, "nothing happened in it yet"
    play(client, first, 0, 3, "AAAB")
    assert client.submit(client.see("/"), "/games/again").path != first.path
    assert [seat.get("value") for seat in client.see("/games/new").all("input", list="known-names")] == list(FOUR)
