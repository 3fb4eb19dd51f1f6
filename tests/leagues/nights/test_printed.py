"""The printed pages of a night: table cards, score sheets, and the rotation with a matrix of partners and opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.config import Wifi
from scorekeeper.leagues.nights.queries.table import wifi_code_text
from scorekeeper.leagues.nights.tables import card_word
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.web import rate_limit
from scorekeeper.web.links import code_of
from scorekeeper.web.rate_limit import CODE_BY_NETWORK
from tests.support.league_night import NAMES, Hall, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night with nine people seated for three rounds."""
    hall = open_hall(app, client)
    hall.check_in(*NAMES)
    hall.draw()
    return hall


def test_code_for_phones_leads_to_the_page_of_the_night(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The desk links to the code, which players may open, too. No token is in it, so it stays the same all night."""
    address = f"{hall.path}/code"
    assert [link for link in hall.desk.see(f"{hall.path}/desk").all("a") if link.get("href") == address]
    page = new_phone().see(address)
    assert words(page.one("p", class_="way-there")) == f"localhost{hall.path}"
    assert str(code_of(f"http://localhost{hall.path}")) in page.response.text
    assert [link for link in page.all("a") if link.get("href") == hall.path]


def test_each_card_has_the_token_of_its_table(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """Each table's card has that table's own token.

    Only the director can open the page of cards, and the page isn't cached.
    """
    page = hall.desk.see(f"{hall.path}/cards")
    cards = page.one("ul", class_="cards").findall("li")
    assert len(cards) == 2
    with hall.app.app_context():
        word = card_word(hall.row(), 2, str(hall.app.secret_key))
    links = [link.get("href") or "" for link in cards[1].iter("a")]
    assert len(links) == 1
    assert hall.desk.get(links[0].removeprefix("http://localhost")).location == f"{hall.path}/cards/2/{word}"
    assert page.response.text.count("<svg") == 2 + 1
    assert page.response.headers["Cache-Control"] == "no-store"
    assert len(hall.desk.see(f"{hall.path}/cards?tables=5").one("ul", class_="cards").findall("li")) == 5
    new_phone().see(f"{hall.path}/cards", 403)


def test_the_short_address_leads_to_the_card(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The short address printed on a table card works on any phone, even if it is typed in capital letters.

    The address works until new cards are made. A wrong short address leads to a 404.
    """
    page = hall.desk.see(f"{hall.path}/cards")
    short = next(page.one("ul", class_="cards").iter("a")).get("href") or ""
    path = short.removeprefix("http://localhost")
    assert len(short) < 40
    answer = new_phone().get(path)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (302, "no-store")
    new_phone().see(str(answer.location))
    assert new_phone().get("/t/" + path.removeprefix("/t/").upper()).status_code == 302
    wrong = path[:-1] + ("a" if path[-1] != "a" else "b")
    for other in (wrong, "/t/x", "/t/1-1", "/t/99999-1-aaaaaaaa", "/t/1-٣-aaaaaaaa"):
        new_phone().see(other, 404)
    hall.desk.submit(hall.desk.see(f"{hall.path}/desk"), f"{hall.path}/new-cards")
    new_phone().see(path, 404)


def test_cards_show_the_wifi(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """Each card has the name of the hall's Wi-Fi, and with its password a code to join it, if the operator set them.

    Only a director of the night can open the page with the password, and the page isn't cached.
    """
    assert "Wi-Fi" not in hall.desk.see(f"{hall.path}/cards").text
    hall.app.config["WIFI"] = Wifi("Fire Hall Guest")
    page = hall.desk.see(f"{hall.path}/cards")
    assert page.text.count("Wi-Fi: Fire Hall Guest") == 2
    assert "join" not in page.text
    hall.app.config["WIFI"] = Wifi("Fire Hall Guest", "jack of clubs")
    page = hall.desk.see(f"{hall.path}/cards")
    assert page.text.count("First, join the Wi-FiWi-Fi: Fire Hall GuestPassword: jack of clubs") == 2
    assert page.response.text.count(code_of("WIFI:T:WPA;S:Fire Hall Guest;P:jack of clubs;;", border=2)) == 2
    assert page.response.headers["Cache-Control"] == "no-store"
    assert "jack of clubs" not in new_phone().see(f"{hall.path}/cards", 403).response.text
    for path in ("", "/tv", "/desk", "/rotation", "/sheets"):
        assert "jack of clubs" not in hall.desk.see(f"{hall.path}{path}").response.text


def test_signs_of_the_format_are_escaped_in_the_code_of_the_wifi() -> None:
    wifi = Wifi('a;b,c:d"e\\f', ';,:"\\(x)')
    assert wifi_code_text(wifi) == 'WIFI:T:WPA;S:a\\;b\\,c\\:d\\"e\\\\f;P:\\;\\,\\:\\"\\\\(x);;'


def test_the_matrix_shows_who_plays_whom(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """Anyone can open the matrix of partners and opponents, which has a row and a column for each player.

    For each time that two players are partners, there is a dot in both of their rows.
    """
    page = new_phone().see(f"{hall.path}/rotation")
    rows = page.one("table", class_="matrix").findall("tbody/tr")
    assert len(rows) == len(NAMES)
    text = words(page.one("table", class_="matrix"))
    tables = hall.tables()
    assert text.count("●") == 2 * 2 * len(tables)
    assert "Tonight, no one has the same partner twice." in page.text
    rota = page.one("table", class_="rota").findall("tbody/tr")
    seated = sum(words(row).count(" with ") for row in rota)
    assert seated == 4 * len(tables)
    assert sum(words(row).count("sitting out") for row in rota) == 3


def test_sheets_have_the_names_of_their_table(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    page = new_phone().see(f"{hall.path}/sheets?round=2")
    heads = [words(h2) for h2 in page.all("h2")]
    assert heads == ["Round 2, table 1", "Round 2, table 2"]
    table = next(each for each in hall.tables() if each.round == 2)
    ann = [NAMES[person - 1] for person in table.plan.sides[0]]
    assert all(name in words(page.all("article")[0]) for name in ann)
    assert page.all("a", href="/rules/setback-21/sheet?players=4") or "Blank score sheet" in page.text


@pytest.mark.parametrize(("plan", "says"), [("timed", True), ("progressive", True), ("to_target", False)])
def test_sheets_of_a_night_with_a_bell_say_what_it_means(app: Flask, client: Phone, plan: str, says: bool) -> None:
    hall = open_hall(app, client, plan=NightPlan(format=plan, rounds=2))
    hall.check_in(*NAMES[:8])
    hall.draw()
    sheet = client.see(f"{hall.path}/sheets?round=1").all("article")[0]
    assert ("When the bell rings, finish the hand. The most points win." in words(sheet)) is says


def test_printed_pages_say_when_there_is_no_seating(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client)
    for path in ("rotation", "sheets"):
        assert "No seating yet." in client.see(f"{hall.path}/{path}").text
    assert len(client.see(f"{hall.path}/cards").one("ul", class_="cards").findall("li")) == 1


def test_few_short_addresses_can_be_guessed(hall: Hall, client: Phone) -> None:
    """After too many wrong short addresses from one network, further wrong addresses get a 429.

    The right address still works.
    """
    hall.app.config["LIMITS"] = True
    rate_limit.connect(hall.app)
    page = hall.desk.see(f"{hall.path}/cards")
    short = next(page.one("ul", class_="cards").iter("a")).get("href") or ""
    statuses = [client.get(f"/t/1-1-aaaaaa{number:02}").status_code for number in range(CODE_BY_NETWORK.amount + 1)]
    assert (statuses[0], statuses[-1]) == (404, 429)
    assert client.get(short.removeprefix("http://localhost")).status_code == 302
    hall.app.extensions["limiter"].storage.engine.dispose()
