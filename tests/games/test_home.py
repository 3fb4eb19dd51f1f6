"""The first page: start, go on, look back, bring back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import update

from scorekeeper.games.store.models import GameRow
from scorekeeper.web.extensions import writing
from tests.support.game import CLEAN, FOUR, path_of, play, play_all, start

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


def cards(page: Page) -> list[str]:
    """Return the games listed on the first page, each as its text."""
    return [" ".join("".join(card.itertext()).split()) for card in page.all("a", class_="game")]


def headings(page: Page) -> list[str]:
    return ["".join(heading.itertext()) for heading in page.all("h2")]


def test_a_new_phone_is_told_what_this_is_and_offered_a_game(client: Phone) -> None:
    """Somebody who never saw it reads one sentence and taps once."""
    page = client.see("/")
    assert "Keeps score for Setback, Pitch and High-Low-Jack" in page.text
    page.one("a", href="/games/new")
    assert cards(page) == []
    assert "Same players again" not in page.text


def test_running_games_come_before_played_ones(client: Phone) -> None:
    """Who opens the page in the middle of an evening wants the game on the table."""
    play_all(client, start(client), CLEAN)
    start(client, ("Eve", "Fay"), seating="2", dealer=1)
    page = client.see("/")
    assert headings(page) == ["In progress", "Finished games"]
    running, played = cards(page)
    assert "Eve 0" in running
    assert "Hand 1, Fay deals" in running
    assert "Ann and Cid 24" in played
    assert "Ann and Cid won" in played


def test_a_game_just_touched_is_the_first(client: Phone) -> None:
    """The order follows the table, not the start."""
    first = start(client, ("Ann", "Bob"), seating="2", dealer=0)
    start(client, ("Eve", "Fay"), seating="2", dealer=0)
    play(client, first, 1, 2, "AABB")
    assert [card.split(" ")[1] for card in cards(client.see("/"))] == ["Ann", "Eve"]


def test_the_same_table_again_is_one_tap(client: Phone) -> None:
    """People who played yesterday are at the first hand at once, and the deal has moved on."""
    play(client, start(client, dealer=3), 0, 2, "AABB")
    page = client.see("/")
    assert "Setback with Ann, Bob, Cid and Dee" in page.text
    board = client.submit(page, "/games/again")
    assert "Hand 1 Ann deals Bob bids first" in board.text
    assert "Ann and Cid 0" in board.h1


def test_the_same_table_without_a_table_leads_to_the_new_game(client: Phone) -> None:
    """A phone that lost its games in between is not left standing."""
    token = str(client.see("/").form("/games/import").values["csrf_token"])
    response = client.post("/games/again", data={"csrf_token": token, "client_id": "tap-00001"})
    assert (response.status_code, response.location) == (303, "/games/new")


def test_a_phone_sees_its_own_games_only(client: Phone, other: Phone, board: Page) -> None:
    """Names of one table are not for the next."""
    assert cards(client.see("/"))
    page = other.see("/")
    assert cards(page) == []
    assert "Ann" not in page.text


def test_a_deleted_game_can_be_brought_back_for_a_day(client: Phone, app: Flask, board: Page) -> None:
    """A slip of the thumb costs nothing."""
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


def test_a_game_that_is_not_there_is_told_once(client: Phone) -> None:
    """What happened, and what to do, in a sentence each."""
    told = client.see("/games/nosuchgame", 404).text
    assert "It may have been deleted, or watching is turned off." in told
    assert told.count("Check the address") == 1


def test_the_game_deleted_last_is_the_one_that_is_offered(client: Phone) -> None:
    """Also where another deleted game was played later."""
    older = start(client, ("Ann", "Bob"), seating="2")
    newer = start(client, ("Eve", "Fay"), seating="2")
    for board in (newer, older):
        home = client.submit(client.see(f"{board.path}/table"), f"{board.path}/deletion")
    home.form(f"{path_of(older)}/deletion/void")


def test_a_deleted_game_is_neither_offered_again_nor_its_table(client: Phone) -> None:
    """Same table again and the names of the new game pass it over."""
    first = start(client)
    second = start(client, ("Eve", "Fay"), seating="2")
    client.submit(client.see(f"{second.path}/table"), f"{second.path}/deletion")
    assert "Setback with Ann, Bob, Cid and Dee" in client.see("/").text
    assert client.submit(client.see("/"), "/games/again").path == first.path, "nothing happened in it yet"
    play(client, first, 0, 3, "AAAB")
    assert client.submit(client.see("/"), "/games/again").path != first.path
    assert [seat.get("value") for seat in client.see("/games/new").all("input", list="known-names")] == list(FOUR)
