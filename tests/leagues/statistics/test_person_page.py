"""A player's page, with their rank, nights and games in a season, and with their statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.leagues.nights import closing
from tests.support.league import Hall, make_hall
from tests.support.page import Page, words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


def facts(page: Page) -> dict[str, str]:
    """Return the page's values by label, such as {"Games won": "1 of 2"}."""
    return {
        words(pair.find("dt")): words(pair.find("dd"))  # type: ignore[arg-type]
        for block in page.all("dl")
        for pair in block.findall("div")
    }


def numbers(page: Page, key: str) -> list[list[str]]:
    """Return the rows of a table on the page. Each row is a list of what its cells contain.

    `key` is the id of the heading above the table.
    """
    (region,) = [each for each in page.all("div", class_="scroll") if each.get("aria-labelledby") == key]
    return [[words(cell) for cell in row] for row in region.findall("table/tbody/tr")]


def two_nights(app: Flask, client: Phone) -> Hall:
    """Return a league with two nights.

    Ann wins a game of six hands with Cid, and loses a game with Dee, of which only the final score is known.
    """
    hall = make_hall(app, client)
    night = hall.night((("Ann", "Bob", "Cid", "Dee"), ()), close=False)
    hall.hands(night, 0)
    with app.app_context():
        closing.close_night(night=night, device=hall.device, anyway=True)
    hall.night((("Ann", "Bob", "Dee", "Cid"), (8, 21)))
    return hall


def test_the_page_shows_rank_nights_and_games(app: Flask, client: Phone) -> None:
    hall = two_nights(app, client)
    page = client.see(hall.person("Ann"))
    assert ["8–21" in words(night) or "24–0" in words(night) for night in page.all("article")] == [True, False]
    (every,) = [link.get("href", "") for link in page.all("a") if words(link) == "Show every night's games"]
    page = client.see(every.partition("#")[0])
    values = facts(page)
    assert (values["Rank"], values["Points per game"], values["Points"], values["Won–lost–tied"]) == (
        "2",
        "16.00",
        "32",
        "1–1",
    )
    (second, first) = page.all("article")
    assert "Night 2, September 2, 2026 Points 8, average 8, won 0 of 1" in words(second)
    assert "Round 1, table 1 8–21 lost" in words(second).replace(" ,", ",")
    assert "with Dee against Bob, Cid" in words(second)
    assert "24–0 won with Cid against Bob, Dee" in words(first)


def test_rates_show_their_number_of_cases(app: Flask, client: Phone) -> None:
    """With fewer than ten cases, a rate on a player's page is shown like "1 of 2", without a percentage."""
    hall = two_nights(app, client)
    page = client.see(hall.person("Ann"))
    values = facts(page)
    assert values["Games won"] == "1 of 2"
    assert values["Bids made"] == "6 of 6"
    assert values["Hands recorded"] == "6"
    assert numbers(page, "levels") == [["Bids of 4", "6 of 6", "0", "24"]]
    assert numbers(page, "points") == [
        ["As bidder", "6", "24"],
        ["As the bidder's partner", "0", "0"],
        ["As defender", "0", "0"],
    ]
    assert "partners and opponents are shown only after 10 games with or against the same person." in page.text
    assert numbers(client.see(hall.person("Cid")), "points")[1] == ["As the bidder's partner", "6", "24"]
    assert numbers(client.see(hall.person("Bob")), "points")[2] == ["As defender", "6", "0"]


def test_bids_by_seat_are_counted_from_the_dealer(app: Flask, client: Phone) -> None:
    """A player's bids are counted separately for each position at the table, such as "2 seats left of dealer".

    Dee in the last seat deals first. Ann is left of the dealer in hands 1 and 5, and deals hand 2.
    """
    hall = two_nights(app, client)
    assert numbers(client.see(hall.person("Ann")), "places") == [
        ["Dealer", "2 of 2", "2 of 2"],
        ["Left of dealer", "2 of 2", "2 of 2"],
        ["2 seats left of dealer", "1 of 1", "1 of 1"],
        ["3 seats left of dealer", "1 of 1", "1 of 1"],
    ]


def test_open_and_closed_nights_have_the_same_statistics(app: Flask, client: Phone) -> None:
    """A night has the same statistics before and after it is closed.

    The statistics of an open night are calculated from the event log.
    """
    hall = make_hall(app, client)
    night = hall.night((("Ann", "Bob", "Cid", "Dee"), ()), close=False)
    hall.hands(night, 1)
    before = {name: facts(client.see(hall.person(name))) for name in ("Ann", "Bob")}
    tables = {key: numbers(client.see(hall.person("Bob")), key) for key in ("levels", "places", "points")}
    with app.app_context():
        closing.close_night(night=night, device=hall.device)
    assert {name: facts(client.see(hall.person(name))) for name in ("Ann", "Bob")} == before
    assert {key: numbers(client.see(hall.person("Bob")), key) for key in tables} == tables
    assert before["Bob"]["Hands recorded"] == "6"


@pytest.mark.slow
def test_best_partner_after_ten_games(app: Flask, client: Phone) -> None:
    """After ten games with each of two partners, Cid is Ann's best partner with ten wins, and Dee is the worst."""
    hall = make_hall(app, client)
    for _ in range(10):
        hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
        hall.night((("Ann", "Bob", "Dee", "Cid"), (8, 21)))
    page = client.see(hall.person("Ann"))
    best = {words(line.find("b")): words(line) for line in page.all("p", class_="best")}  # type: ignore[arg-type]
    assert best["Best partners"] == "Best partners Cid 100% of 10"
    assert best["Worst partners"] == "Worst partners Dee 0% of 10"
    assert facts(page)["Games won"] == "50% of 20"
    assert facts(page)["Current streak"] == "lost 1"


def test_the_page_shows_one_season_and_links_to_the_others(app: Flask, client: Phone) -> None:
    """A player's page shows the last season in which the player played, and links to that player's other seasons."""
    hall = two_nights(app, client)
    first = hall.season
    token = client.see("/leagues").form("/leagues").values["csrf_token"]
    response = client.post(
        f"{hall.league}/seasons", data={"csrf_token": token, "client_id": "begin-2027-28", "name": "2027/28"}
    )
    hall.season = str(response.location)
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 0)))
    page = client.see(hall.person("Ann"))
    assert facts(page)["Points"] == "21"
    (past,) = [link.get("href", "") for link in page.all("a", class_="quiet") if words(link) == "2026/27"]
    assert facts(client.see(past))["Points"] == "32"
    assert "Other seasons 2026/27" in client.see(hall.season).text
    assert "2 nights" in client.see(hall.season).text
    assert client.see(first).h1 == "2026/27"


def test_a_player_without_games_has_a_page(app: Flask, client: Phone) -> None:
    hall = make_hall(app, client)
    assert "No games yet." in client.see(hall.person("Ann")).text
