"""The new-game page offers the people of the home table, seats them, and draws seats by lot; teams can have names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.games.test_home_table import people
from tests.games.test_new_game import names_in, refused, seats
from tests.games.test_people import change, page_of, upload
from tests.games.test_record_import import RECORD, bring_in
from tests.support.game import CLEAN, FOUR, path_of, play_all, press, start
from tests.support.page import Page, words
from tests.support.photos import photo

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

TEAMS = {"team-0": "The Sharks", "team-1": ""}


def offered(page: Page) -> list[tuple[str, bool]]:
    """Return (name, whether the person has a seat) for each name that can be tapped."""
    return [(b.get("value", ""), b.get("aria-pressed") == "true") for b in page.all("button", name="sit")]


def tap(phone: Phone, page: Page, **fields: object) -> Page:
    return phone.submit(page, "/games/new", 200, **fields)


def sides(board: Page) -> list[str]:
    return [words(side) for side in board.all("p", class_="side")]


def start_teams(phone: Phone) -> Page:
    return press(phone, phone.see("/games/new"), "/games/new", "/games", {**seats(*FOUR), **TEAMS})


def test_people_are_offered_and_seated_with_one_tap(client: Phone, board: Page) -> None:
    """People who have played before are offered, and one tap seats a person or removes them from a seat."""
    start(client, ("Ann", "Bob", "Cid", "Eve"))
    page = client.see("/games/new")
    assert sorted(offered(page)) == [("Ann", True), ("Bob", True), ("Cid", True), ("Dee", False), ("Eve", True)]
    page = tap(client, page, sit="Eve")
    assert names_in(page) == ["Ann", "Bob", "Cid", ""]
    assert names_in(tap(client, page, sit="Dee")) == ["Ann", "Bob", "Cid", "Dee"]


def test_a_name_that_looks_like_a_known_one_is_asked_about_once(app: Flask, client: Phone, board: Page) -> None:
    """The same button then starts the game, and the name is asked about no more. Other names cost no tap."""
    asked = press(client, client.see("/games/new"), "/games/new", "/games", seats("Ann", "Bob", "Cid", "Dée"), 422)
    assert "“Dée” looks like Dee, who already plays here." in asked.text
    assert names_in(asked) == ["Ann", "Bob", "Cid", "Dée"]
    assert people(app) == [*FOUR]
    press(client, asked, "/games/new", "/games", {})
    assert people(app) == [*FOUR, "Dée"]
    start(client, ("Dée", "Bob", "Cid", "Dee"))
    # Ann plays in this game as well, so Anna is someone else.
    start(client, ("Ann", "Anna", "Bob", "Cid"))


def test_a_finished_game_asks_about_a_name_like_a_known_one(app: Flask, client: Phone, board: Page) -> None:
    scores = {"points-0": 21, "points-1": 13, **seats("Ann", "Bob", "Cid", "Dée")}
    asked = client.submit(client.see("/games/finished"), "/games/finished/game", 422, **scores)
    assert "“Dée” looks like Dee" in asked.text
    client.submit(asked, "/games/finished/game")
    assert people(app) == [*FOUR, "Dée"]


def test_hidden_people_are_not_offered(app: Flask, client: Phone, board: Page) -> None:
    page = page_of(app, client, "Dee")
    client.submit(page, f"{page.path}/hide", hidden="1")
    assert "Dee" not in dict(offered(client.see("/games/new")))


@pytest.mark.parametrize("draw", ["seats", "partners", "dealer"])
def test_a_draw_says_who_was_drawn(client: Phone, board: Page, draw: str) -> None:
    page = tap(client, client.see("/games/new"), draw=draw)
    assert sorted(names_in(page)) == sorted(FOUR)
    said = words(page.one("p", class_="drawn"))
    drawn = FOUR if draw != "dealer" else [names_in(page)[int(str(page.form("/games/new").values["first_dealer"]))]]
    assert all(name in said for name in drawn)


def test_two_taps_swap_two_seats(client: Phone, board: Page) -> None:
    page = tap(client, client.see("/games/new"), swap="0", first_dealer="0")
    assert page.one("button", name="swap", value="0").get("aria-pressed") == "true"
    page = tap(client, page, swap="3")
    assert names_in(page) == ["Dee", "Bob", "Cid", "Ann"]
    assert page.form("/games/new").values["first_dealer"] == "3"


def test_hostile_values_move_nobody(client: Phone, board: Page) -> None:
    page = client.see("/games/new")
    for fields in ({"draw": "x"}, {"swap": "9", "to_swap": "0"}, {"swap": "0", "to_swap": "-1"}, {"sit": "x" * 999}):
        assert names_in(tap(client, page, **fields)) == list(FOUR)


def test_a_team_name_stands_on_the_board_and_survives_a_rematch(client: Phone) -> None:
    """A team's name is shown above its players' names, and a rematch keeps it.

    The TV page, the watch page and the result show the name, too.
    """
    board = start_teams(client)
    assert sides(board) == ["A The Sharks Ann and Cid", "B Bob and Dee"]
    watched = path_of(board).replace("games", "watch")
    for path in (watched, f"{watched}/tv"):
        text = client.see(path).text
        assert "The Sharks" in text
        assert "Ann and Cid" in text
    over = play_all(client, board, CLEAN)
    assert "The Sharks win" in over.text
    assert sides(client.submit(over, f"{path_of(over)}/rematch")) == sides(board)
    assert "The Sharks" in client.see("/").text


def test_a_team_name_is_exported_and_imported(client: Phone) -> None:
    board = start_teams(client)
    record = client.get(f"{path_of(board)}/record.json").get_json(force=True)
    assert record["x_side_names"] == ["The Sharks", ""]
    assert sides(bring_in(client, json.dumps(record))) == sides(board)


@pytest.mark.parametrize("told", [["x" * 99], "Sharks", [1, 2], {"0": "x"}, ["A", "a"], ["\u202e"]])
def test_a_bad_team_name_in_a_record_is_left_out(client: Phone, told: object) -> None:
    assert sides(bring_in(client, json.dumps({**RECORD, "x_side_names": told}))) == ["A Ann and Cid", "B Bob and Dee"]


@pytest.mark.parametrize(
    ("names", "field"), [(("x" * 25, ""), "team-0"), (("Jets", "JETS"), "team-1"), (("\u202e", ""), "team-0")]
)
def test_a_bad_team_name_is_refused_at_its_field(client: Phone, names: tuple[str, str], field: str) -> None:
    page = refused(client, {**seats(*FOUR), "team-0": names[0], "team-1": names[1]})
    control = next(element for element in page.tree.iter() if element.get("name") == field)
    assert control.get("aria-invalid") == "true"
    assert words(page.one("p", id=f"error-{field}"))


def test_markup_in_a_team_name_is_text(client: Phone) -> None:
    fields = {**seats(*FOUR), "team-0": "<b>x</b>&"}
    assert (
        sides(press(client, client.see("/games/new"), "/games/new", "/games", fields))[0] == "A <b>x</b>& Ann and Cid"
    )


def test_faces_stand_on_the_score_cards(app: Flask, client: Phone, board: Page) -> None:
    """Score cards show the players' colors and emoji to everyone, but photos only to phones that score."""
    assert board.all("span", class_="faces") == []
    change(client, page_of(app, client, "Ann"), color="teal", emoji="🦊")
    upload(client, page_of(app, client, "Bob"), photo())
    mine = client.see(path_of(board))
    assert [len(face) for face in mine.all("span", class_="faces")] == [2, 2]
    assert len(mine.all("img", class_="face-of")) == 1
    watcher = app.test_client()
    assert isinstance(watcher, type(client))
    watched = watcher.see(path_of(board).replace("games", "watch"))
    assert "🦊" in watched.text
    assert watched.all("img", class_="face-of") == []
