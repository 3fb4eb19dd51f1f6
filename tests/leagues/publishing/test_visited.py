"""A phone's home page lists the leagues that the phone visited, without an account or JavaScript."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from scorekeeper.leagues.calendar import service
from scorekeeper.leagues.calendar.settings import Details
from scorekeeper.leagues.people.service import PersonData, change_person
from scorekeeper.leagues.publishing.addresses import COOKIE, MOST
from scorekeeper.leagues.seasons import service as seasons
from tests.leagues.publishing.conftest import PEOPLE
from tests.support.league import make_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.leagues.publishing.conftest import Club
    from tests.support.page import Page
    from tests.support.phone import Phone


def look_at(phone: Phone, path: str) -> None:
    """Open a page and load its images, as a browser does."""
    for picture in phone.see(path).all("img"):
        source = str(picture.get("src"))
        assert phone.get(source).status_code in {200, 204}, source


def shown(phone: Phone) -> list[str]:
    """Return the addresses of the leagues in the list of visited leagues on the home page."""
    sections = [each for each in home(phone).all("section") if each.get("aria-labelledby") == "visited"]
    links = (link for section in sections for link in section.iter("a"))
    return [str(link.get("href")) for link in links if link.get("class") == "game"]


def home(phone: Phone) -> Page:
    """Return the home page."""
    return phone.see("/")


def test_each_page_of_a_league_leads_back_to_it(closed_club: Club) -> None:
    for path in (closed_club.league, closed_club.season):
        phone = closed_club.stranger
        assert shown(phone) == []
        look_at(phone, path)
        assert shown(phone) == [closed_club.league]


def test_a_shared_page_sets_no_cookie_and_is_remembered(closed_club: Club) -> None:
    night = closed_club.night((("Ann Baker", "Bob Carter", "Cid Dorsey", "Dee Evans"), (13, 21)))
    phone = closed_club.stranger
    assert "Set-Cookie" not in phone.get(f"/nights/{night}").headers
    look_at(phone, f"/nights/{night}")
    assert shown(phone) == [closed_club.league]


def test_a_club_visited_as_a_club_shows_nothing_of_the_league(club: Club) -> None:
    phone = club.stranger
    look_at(phone, club.path)
    assert shown(phone) == [club.path]
    cookie = phone.get_cookie(COOKIE)
    assert cookie is not None
    assert club.league.split("/")[-1] not in cookie.value
    assert club.league.split("/")[-1] not in phone.get("/").text
    club.open(is_open=False)
    assert shown(phone) == []


def test_one_league_is_shown_once(club: Club) -> None:
    phone = club.stranger
    look_at(phone, club.league)
    look_at(phone, club.path)
    assert shown(phone) == [club.league]


def test_the_latest_come_first_and_ten_are_kept(club: Club) -> None:
    with club.app.app_context():
        made = [
            seasons.make_league(name=f"League {number}", device="d" * 64, client_id=f"make-{number}")
            for number in range(MOST + 2)
        ]
    phone = club.stranger
    for league in made:
        phone.get(f"/visited/leagues/{league}")
    assert shown(phone) == [f"/leagues/{league}" for league in made[:1:-1]]
    phone.get(f"/visited/leagues/{made[5]}")
    assert shown(phone)[0] == f"/leagues/{made[5]}"
    assert len(shown(phone)) == MOST


def test_a_league_can_be_removed(club: Club) -> None:
    phone = club.stranger
    look_at(phone, club.path)
    phone.submit(home(phone), "/visited/removal")
    assert shown(phone) == []
    assert words(home(phone).all("h1")[0])


def test_unknown_leagues_are_not_remembered(club: Club) -> None:
    phone = club.stranger
    for path in ("/visited/leagues/zzzzzzzz", "/visited/clubs/nowhere"):
        response = phone.get(path)
        assert response.status_code == 404
        assert COOKIE not in response.headers.get("Set-Cookie", "")
    phone.set_cookie(COOKIE, "~fire-hall.<script>.." + "x" * 90)
    assert shown(phone) == [club.path]


def test_another_site_puts_nothing_on_the_list(club: Club, new_phone: Callable[[], Phone]) -> None:
    phone = new_phone()
    address = f"/visited/clubs/{club.slug}"
    assert "Set-Cookie" not in phone.get(address, headers={"Sec-Fetch-Site": "cross-site"}).headers
    assert "Set-Cookie" in phone.get(address, headers={"Sec-Fetch-Site": "same-origin"}).headers


def next_nights_on(phone: Phone) -> list[str]:
    """Return the lines on the phone's home page that say when each listed league plays next."""
    return [words(line) for line in home(phone).all("span", class_="meta")]


def test_the_home_page_has_the_next_night_of_a_visited_league(club: Club) -> None:
    """If a phone visited a league's page or its club page, the home page shows that league's next night.

    On the phone that runs the league, the night appears only once.
    """
    day = datetime.now(UTC).date() + timedelta(days=10)
    with club.book():
        service.plan_nights(
            season=club.season.removeprefix("/seasons/"),
            days=[day],
            told=Details(day=day, starts=19 * 60, place="Legion Hall"),
            zone="America/New_York",
            device=club.device,
        )
    for path in (club.path, club.league):
        phone = club.stranger
        assert next_nights_on(phone) == []
        look_at(phone, path)
        (line,) = next_nights_on(phone)
        assert line.startswith("Next night: ")
        assert line.endswith("Legion Hall")
    look_at(club.phone, club.league)
    assert home(club.phone).text.count("Legion Hall") == 1


def latest_on(page: Page) -> dict[str, str]:
    """Return a dict of the label of each link to a night on the page, by the link's address."""
    links = {str(link.get("href")): words(link) for link in page.all("a")}
    return {address: said for address, said in links.items() if "/nights/" in address}


def test_last_nights_winners_are_one_tap_from_the_home_page(closed_club: Club) -> None:
    """If a phone visited a league, the home page names the winners of the league's latest closed night.

    After a winner is renamed, the home page has the new name.
    """
    phone = closed_club.stranger
    look_at(phone, closed_club.league)
    night = closed_club.night((PEOPLE, (13, 21)))
    closed_club.night((PEOPLE, (21, 13)), close=False)
    for page in (home(phone), phone.see(closed_club.league)):
        said = latest_on(page)[f"/nights/{night}/results"]
        assert said.startswith("Tied for first: ")
        assert "Bob Carter" in said
        assert "Dee Evans" in said
    with closed_club.book() as people:
        told = PersonData(name="Bob Miller")
        change_person(person=people["Bob Carter"], told=told, device=closed_club.device)
    assert "Bob Miller" in latest_on(home(phone))[f"/nights/{night}/results"]


def test_a_league_without_a_closed_night_has_no_results_on_the_home_page(app: Flask, client: Phone) -> None:
    hall = make_hall(app, client, PEOPLE)
    hall.night((PEOPLE, (21, 13)), close=False)
    look_at(client, hall.league)
    assert latest_on(home(client)) == {}


def test_a_visited_club_has_its_winners_with_public_names(club: Club) -> None:
    club.open(names="initials")
    phone = club.stranger
    look_at(phone, club.path)
    (said,) = latest_on(home(phone)).values()
    assert latest_on(home(phone)).keys() == {f"{club.path}/seasons/1/nights/1"}
    assert said.startswith("Tied for first: ")
    assert "Baker" not in said
