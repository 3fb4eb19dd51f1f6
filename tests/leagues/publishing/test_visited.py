"""A phone finds the leagues that it visited on its home page, without an account and without JavaScript."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from scorekeeper.leagues.calendar import service
from scorekeeper.leagues.calendar.details import Details
from scorekeeper.leagues.publishing.visited import COOKIE, MOST
from scorekeeper.leagues.seasons import service as seasons
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.leagues.publishing.conftest import Club
    from tests.support.page import Page
    from tests.support.phone import Phone


def look_at(phone: Phone, path: str) -> None:
    """Open a page with its pictures, as a browser does."""
    for picture in phone.see(path).all("img"):
        source = str(picture.get("src"))
        assert phone.get(source).status_code in {200, 204}, source


def shown(phone: Phone) -> list[str]:
    """Return where the home page's list of leagues leads."""
    sections = [each for each in home(phone).all("section") if each.get("aria-labelledby") == "visited"]
    return [str(link.get("href")) for section in sections for link in section.iter("a")]


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
    """Return what the list of leagues on the home page says of nights to come."""
    return [words(line) for line in home(phone).all("span", class_="meta")]


def test_the_home_page_has_the_next_night_of_a_visited_league(club: Club) -> None:
    """For visitors of the club and of the league; who runs it has it there already."""
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
