"""The new-game page offers games that this phone played, a search by name and players, and house rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.rules.presets import PRESETS
from tests.support.game import FOUR, contents, start
from tests.support.page import Page

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


def offered(page: Page) -> list[str]:
    """Return the keys of the games that the page offers, in order."""
    hidden = {id(button) for group in page.all("div") if "hidden" in group.attrib for button in group.iter("button")}
    buttons = page.all("button", name="choose")
    return [str(each.get("value")) for each in buttons if "hidden" not in each.attrib and id(each) not in hidden]


def find(phone: Phone, text: str = "", players: str = "") -> Page:
    return phone.see(f"/games/new?find={text}&players={players}")


def test_games_that_this_phone_played_come_first(client: Phone) -> None:
    """The new-game page lists the games that this phone has played first, the latest at the top and each once."""
    assert "Played on this phone" not in client.see("/games/new").text
    start(client, preset="pedro-62")
    start(client, preset="smear-4")
    start(client, preset="pedro-62")
    shown = offered(client.see("/games/new"))
    assert shown[:3] == ["pedro-62", "smear-4", "setback-21"]
    assert sorted(shown) == sorted(PRESETS)


def test_only_the_latest_games_come_first(client: Phone) -> None:
    for preset in ("cinch-51", "smear-4", "smear-5", "six-point", "five-point"):
        start(client, preset=preset)
    page = client.see("/games/new")
    assert offered(page)[:5] == ["five-point", "six-point", "smear-5", "smear-4", "setback-21"]
    assert sorted(offered(page)) == sorted(PRESETS)


def test_a_game_is_found_by_another_name(client: Phone, app: Flask) -> None:
    """Without JavaScript, the server finds a game by another of its names, and the search stores nothing."""
    start(client, preset="pedro-62")
    before = contents(app)
    page = find(client, "schmear")
    assert offered(page) == ["smear-6"]
    assert "Games found: 1" in page.text
    assert "Also called Schmier, Schmear, Schmeir" in page.text
    assert page.one("input", id="find").get("value") == "schmear"
    assert sorted(offered(find(client, "schmier"))) == ["smear-4", "smear-5", "smear-52", "smear-6"]
    assert contents(app) == before


def test_every_game_of_a_name_says_what_differs(client: Phone) -> None:
    page = find(client, "high low jack")
    assert {"setback-21", "pitch-11", "auction-pitch-7"} <= set(offered(page))
    told = {words for each in page.all("small", class_="about") if (words := "".join(each.itertext()))}
    lines = {"".join(each.itertext()) for each in page.all("small")}
    assert any(words.startswith("Points in a hand: High, Low, Jack and Game, 1 each.") for words in told)
    assert any(line.startswith("To 21, bid to go out, win by 2") for line in lines)
    assert any(line.startswith("To 11, bidder goes out first") for line in lines)


def test_games_are_found_by_the_number_of_players(client: Phone) -> None:
    """A search by the number of players finds the games for that number.

    If one of these games is then chosen, it has that many seats.
    """
    page = find(client, players="8")
    assert set(offered(page)) == {"ten-point-52", "smear-52", "smear-4", "smear-5", "smear-6"}
    page = client.submit(page, "/games/new", 200, choose="smear-4")
    assert page.form("/games/new").values["seating"] == "8p"
    page = client.submit(find(client, "setback", "7"), "/games/new", 200, choose="setback-21")
    assert page.form("/games/new").values["seating"] == "7", "the same game, other players"
    page = client.submit(find(client, "smear", "3"), "/games/new", 200, choose="smear-52")
    assert page.form("/games/new").values["seating"] == "3"


@pytest.mark.parametrize("players", ["", "1", "9", "x", "٤", "-2"])
def test_another_number_of_players_is_any(client: Phone, players: str) -> None:
    assert offered(find(client, "pedro", players)) == ["pedro-62", "cinch-51"]


def test_nothing_found(client: Phone) -> None:
    """If no game matches the search, the page says so and offers house rules based on the most similar game.

    Players' names that were already typed are kept.
    """
    page = find(client, "canasta")
    assert offered(page) == []
    assert "No game found by that name." in page.text
    page = find(client, "6+point+thing+x", "8")
    assert "No game found by that name for that many players." in page.text
    page = client.submit(page, "/games/new", 200, build="6 point thing x", **{"name-0": "Ann"})
    assert "is nearest to what you looked for, by players and points." in page.text
    form = page.form("/games/new").values
    assert (form["preset"], form["seating"], form["name-0"]) == ("smear-6", "8", "Ann")
    assert "open" in page.one("details", id="house-rules").attrib


def test_a_relative_that_the_app_lacks_is_named(client: Phone) -> None:
    """If somebody searches for Don, a game that the app doesn't have, the page says so and names a similar game.

    The page also says how Don differs.
    """
    for text, players in (("Don", ""), ("nine-card+DON", "4")):
        page = find(client, text, players)
        assert offered(page) == []
        assert (
            "Scorekeeper doesn't have Don, which scores other cards. Its nearest relative here is All Fours."
            in page.text
        )
        assert page.one("button", name="build") is not None
    assert "doesn't have Don" not in find(client, "donkey").text
    assert "doesn't have Don" not in find(client, "dom pedro").text


def test_building_from_the_nearest_game_drops_other_house_rules(client: Phone) -> None:
    page = client.submit(client.see("/games/new"), "/games/new", 200, rule_target="31")
    page = client.submit(page, "/games/new", 200, build="pitch to 11")
    assert page.form("/games/new").values["preset"] != "setback-21"
    assert page.form("/games/new").values["rule-target"] != "31"


def test_the_text_is_shown_as_text(client: Phone) -> None:
    page = find(client, "%3Cb%3E%22x%00" + "y" * 200)
    assert len(str(page.one("input", id="find").get("value"))) == 60


def test_search_in_another_language(client: Phone) -> None:
    """In another language, a game is found by its name in that language and by its English name."""
    for text in ("cinco+puntos", "five+point+pitch"):
        page = Page(client.get(f"/games/new?find={text}", headers={"Accept-Language": "es"}))
        assert "five-point" in offered(page)
        assert "Juegos encontrados" in page.text


def test_the_page_starts_as_before(client: Phone) -> None:
    """Without a search, the new-game page lists all games. A game can be started without a search, too."""
    page = client.see("/games/new")
    assert sorted(offered(page)) == sorted(PRESETS)
    board = start(client, FOUR, preset="cinch-51")
    assert "Cinch" in board.text
