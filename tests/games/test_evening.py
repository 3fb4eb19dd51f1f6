"""Phones that keep score get the games of an evening as one page, one message and one picture."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from PIL import Image
from sqlalchemy import update

from scorekeeper.games.presenters.evening import evening_page
from scorekeeper.games.presenters.social_image import ROWS, SIZE, evening_card_of
from scorekeeper.games.store.models import GameRow
from scorekeeper.games.store.series import PAUSE, GameOfEvening
from scorekeeper.web.extensions import writing
from tests.support.game import CLEAN, path_of, play, play_all, start
from tests.support.page import Page, words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

THEIRS = ((1, 4, "BBBB"),) * 6
SET = ((0, 4, "AAAA"),) * 5 + ((1, 3, "AAAA"), (0, 4, "AAAA"))
NOW = datetime(2026, 11, 23, 22, tzinfo=UTC)


def again(phone: Phone, board: Page) -> Page:
    """Tap "Play again" and return the board of the next game."""
    return phone.submit(board, f"{path_of(board)}/rematch")


def message(page: Page) -> list[str]:
    """Return the lines of the message about the evening."""
    return "".join(page.one("textarea").itertext()).strip().splitlines()


def began(app: Flask, board: Page, before: timedelta) -> None:
    """Change a game in the database so that it started `before` ago and hasn't changed since."""
    with app.app_context(), writing() as session:
        row = update(GameRow).where(GameRow.public_id == board.path.split("/")[2])
        session.execute(row.values(started_at=datetime.now(UTC) - before, updated_at=datetime.now(UTC) - before))


def played(sides: tuple[tuple[str, ...], ...], winner: int | None, sets: tuple[int, ...] = (0, 0)) -> GameOfEvening:
    """Return a finished game of `setback-21`.

    `sides` has the names of each side's players. `winner` is the index of a side, or None if nobody won. `sets` says
    how often each side was set.
    """
    totals = tuple(21 if side == winner else 7 for side in range(len(sides)))
    teams = ("",) * len(sides)
    return GameOfEvening("id", "setback-21", {}, sides, teams, totals, sets, over=True, winner=winner, updated=NOW)


def test_the_evening_has_its_games_the_tally_and_the_sets(client: Phone) -> None:
    board = again(client, play_all(client, again(client, play_all(client, start(client), CLEAN)), THEIRS))
    board = play_all(client, board, SET)
    page = client.see(f"{path_of(board)}/evening")
    assert message(page) == [
        "Games tonight. Wins: Ann and Cid 2, Bob and Dee 1",
        "1. Setback to 21. Ann and Cid win, 24 to 0.",
        "2. Setback to 21. Bob and Dee win, 24 to 0.",
        "3. Setback to 21. Ann and Cid win, 28 to −3.",
        "Sets: Bob and Dee 1, Ann and Cid 0",
    ]
    (link,) = [each for each in page.all("a") if "data-share" in each.attrib]
    picture = client.get(str(link.get("href")))
    assert Image.open(io.BytesIO(picture.data)).size == SIZE
    assert picture.headers["Cache-Control"] == "private, no-cache"
    assert client.get(str(link.get("href")), headers={"If-None-Match": picture.headers["ETag"]}).status_code == 304


def test_a_game_that_was_conceded_says_so(client: Phone) -> None:
    first = path_of(play(client, start(client), 0, 2, "AA--"))
    over = client.submit(client.see(f"{first}/table"), f"{first}/concession", winner="1", sure="1")
    board = again(client, over)
    assert (
        message(client.see(f"{path_of(board)}/evening"))[1]
        == "1. Setback to 21. Bob and Dee win, 0 to 2. Ann and Cid conceded."
    )


def test_it_is_reached_from_the_end_and_from_the_home_page(client: Phone) -> None:
    board = play_all(client, start(client), CLEAN)
    links = [words(link) for link in (*board.all("a"), *client.see("/").all("a"))]
    assert "Share game night" not in links
    board = play_all(client, again(client, board), CLEAN)
    for page in (board, client.see("/")):
        (link,) = [link for link in page.all("a") if words(link) == "Share game night"]
        assert link.get("href") == f"{path_of(board)}/evening"


def test_a_long_pause_ends_the_evening(client: Phone, app: Flask) -> None:
    """A game that starts after a pause longer than `PAUSE` belongs to a new evening, even on the same date.

    The page of each evening has only that evening's games.
    """
    first = play_all(client, start(client), CLEAN)
    last = play_all(client, start(client), CLEAN)
    began(app, first, PAUSE - timedelta(minutes=5))
    assert len(message(client.see(f"{path_of(last)}/evening"))) == 3
    began(app, first, PAUSE + timedelta(minutes=5))
    assert (
        len(message(client.see(f"{path_of(last)}/evening")))
        == len(message(client.see(f"{path_of(first)}/evening")))
        == 2
    )
    began(app, first, timedelta(days=3))
    assert message(client.see(f"{path_of(first)}/evening"))[0] == "Game night. Wins: Ann and Cid 1, Bob and Dee 0"


def test_only_phones_that_keep_score_get_it(client: Phone, other: Phone) -> None:
    board = play_all(client, start(client), CLEAN)
    for path in ("evening", "evening.png"):
        assert other.get(f"{path_of(board)}/{path}").status_code == 403


def test_a_phone_sees_only_the_games_that_it_may_score(client: Phone, other: Phone) -> None:
    """A phone's page of the evening leaves out games that the phone may not score."""
    play_all(client, start(client), CLEAN)
    last = play_all(client, start(client), CLEAN)
    link = client.submit(client.see(f"{path_of(last)}/table"), f"{path_of(last)}/score-links", 200)
    address = str(link.one("input", type="url").get("value")).removeprefix("http://localhost")
    other.submit(other.see(address), "/score")
    assert len(message(client.see(f"{path_of(last)}/evening"))) == 3
    assert len(message(other.see(f"{path_of(last)}/evening"))) == 2


def test_deleted_games_are_left_out(client: Phone) -> None:
    first = play_all(client, start(client), CLEAN)
    last = play_all(client, start(client), CLEAN)
    client.submit(client.see(f"{path_of(first)}/table"), f"{path_of(first)}/deletion")
    assert len(message(client.see(f"{path_of(last)}/evening"))) == 2


def test_people_are_counted_if_the_partners_changed() -> None:
    games = [
        played((("Ann", "Cid"), ("Bob", "Dee")), 0, (0, 2)),
        played((("Ann", "Bob"), ("Cid", "Dee")), 0, (0, 1)),
        played((("Ann",), ("Bob",), ("Cid",)), None, (0, 0, 0)),
    ]
    page = evening_page("id", games, NOW)
    assert page.tally == "Wins: Ann 2, Cid 1, Bob 1"
    assert page.sets == "Sets: Dee 3, Bob 2, Cid 1"


def test_the_picture_has_the_latest_games_and_says_how_many_came_before() -> None:
    games = [played((("Ann",), ("Bob",)), number % 2) for number in range(ROWS + 3)]
    card = evening_card_of(evening_page("id", games, NOW))
    assert [row[0] for row in card.rows] == [str(number) for number in range(4, ROWS + 4)]
    assert (card.tally, card.line) == ("Wins: Ann 5, Bob 4", "3 earlier games")


@pytest.mark.parametrize(
    ("totals", "ended_by", "says"),
    [
        ((9, 9), "final", "Tied game"),
        ((9, 4, 9), "fixed_hands", "Tied game"),
        ((9, 9), "abandoned", "No winner"),
        ((9, 4), "final", "No winner"),
    ],
)
def test_a_tied_game_is_not_called_one_without_a_winner(totals: tuple[int, ...], ended_by: str, says: str) -> None:
    """On the page of an evening, a game that ended with the leading sides tied is called "Tied game".

    All other games without a winner are called "No winner". This includes a game that was stopped while it was tied.
    """
    game = structs.replace(
        played((("Ann",), ("Bob",), ("Cid",))[: len(totals)], None), totals=totals, ended_by=ended_by
    )
    assert evening_page("id", [game], NOW).games[0].winner == says
