"""The list of open clubs on the home page, and the search for clubs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.leagues.publishing import service
from scorekeeper.leagues.publishing.queries.club import PAGE
from scorekeeper.leagues.seasons import service as seasons
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.leagues.publishing.conftest import Club
    from tests.support.page import Page
    from tests.support.phone import Phone

DEVICE = "d" * 64


def make_clubs(app: Flask, *names: str) -> None:
    """Create an open club for each name. The clubs' addresses end in "club-1", "club-2" and so on."""
    with app.app_context():
        for number, name in enumerate(names, start=1):
            league = seasons.make_league(name=name, device=DEVICE, client_id=f"make-{number}")
            service.save_club(league=league, is_open=True, slug=f"club-{number}", names="full", device=DEVICE)


def listed(page: Page) -> list[str]:
    """Return the names of the clubs to which the page links, without the links to their nights."""
    return [words(link) for link in page.all("a") if re.fullmatch("/clubs/[^/]+", str(link.get("href")))]


def test_few_clubs_are_on_the_home_page(app: Flask, client: Phone) -> None:
    make_clubs(app, "Moose", "Élan", "Zeta")
    assert listed(client.see("/")) == ["Élan", "Moose", "Zeta"]


def test_many_clubs_are_found_by_search(app: Flask, client: Phone) -> None:
    make_clubs(app, *(f"Club {number:03}" for number in range(30)), "Café Crème")
    home = client.see("/")
    assert not listed(home)
    assert [form for form in home.all("form") if form.get("action") == "/clubs"]
    assert len(listed(client.see("/clubs"))) == PAGE
    assert len(listed(client.see("/clubs?page=2"))) == 31 - PAGE
    assert listed(client.see("/clubs?q=cafe+creme")) == ["Café Crème"]
    assert listed(client.see("/clubs?q=club-31")) == ["Café Crème"]
    assert listed(client.see("/clubs?q=CLUB+01")) == [f"Club 01{digit}" for digit in range(10)]
    assert listed(client.see("/clubs?q=nothing")) == []
    assert listed(client.see("/clubs?page=999999999&q=" + "x" * 500)) == []


def test_without_clubs_the_home_page_says_nothing(client: Phone) -> None:
    home = client.see("/")
    assert not [form for form in home.all("form") if form.get("action") == "/clubs"]
    assert listed(client.see("/clubs")) == []


def test_a_visited_club_is_not_listed_twice(club: Club) -> None:
    phone = club.stranger
    assert phone.get(f"/visited{club.path}").status_code == 204
    assert listed(phone.see("/")) == ["Fire Hall"]
