"""The pages of an open club, which show no league address and only public names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from scorekeeper.leagues.publishing import service
from scorekeeper.leagues.publishing.queries.club import open_club, public_roster
from scorekeeper.leagues.seasons.service import close_season
from scorekeeper.leagues.standings.standings_cache import Roster, roster_of
from scorekeeper.web.extensions import db
from tests.leagues.publishing.conftest import FIRST, PEOPLE
from tests.support.page import words

if TYPE_CHECKING:
    from tests.leagues.publishing.conftest import Club
    from tests.support.page import Page

PAGES = ("", "/seasons/1", "/seasons/1/nights/1", "/poster", "/feed.atom", "/calendar.ics")
EMBEDS = ("standings", "last-night", "schedule")


def every_page(club: Club) -> dict[str, str]:
    """Return a dict of the HTML source of each public page of the club, by the page's path."""
    paths = [club.path + page for page in PAGES] + [f"/embed/{club.slug}/{embed}" for embed in EMBEDS]
    phone = club.stranger
    pages = {}
    for path in paths:
        response = phone.get(path)
        assert response.status_code == 200, path
        assert "Set-Cookie" not in response.headers, path
        pages[path] = response.text
    return pages


def lines_of(page: Page) -> list[list[str]]:
    """Return the rows of the first table of standings on the page. Each row is a list of what its cells contain."""
    table = next(each for each in page.all("table") if "standings" in str(each.get("class")).split())
    return [[words(cell) for cell in row] for row in table.findall("tbody/tr")]


def test_a_closed_club_is_nowhere(closed_club: Club) -> None:
    for page in (*PAGES, "/visited"):
        assert closed_club.stranger.get(closed_club.path + page).status_code == 404
    for embed in EMBEDS:
        response = closed_club.stranger.get(f"/embed/{closed_club.slug}/{embed}")
        assert response.status_code == 404
        assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
    closed_club.open()
    closed_club.open(is_open=False)
    assert closed_club.stranger.get(closed_club.path).status_code == 404
    assert "Fire Hall" not in closed_club.stranger.see("/").text
    assert "Fire Hall" not in closed_club.stranger.see("/clubs").text
    assert closed_club.stranger.get(closed_club.league).status_code == 200, "by its own address it is as it was"


def test_the_club_shows_the_standings_of_its_season(club: Club) -> None:
    theirs, ours = lines_of(club.stranger.see(club.path)), lines_of(club.standings())
    assert theirs == ours
    assert len(theirs) == len(PEOPLE)


@pytest.mark.parametrize("style", ["short", "initials"])
def test_shortened_names_are_on_every_page(club: Club, style: str) -> None:
    club.night(FIRST, close=False)
    club.open(style)
    for path, source in every_page(club).items():
        for name in PEOPLE:
            first, last = name.split()
            assert last not in source, path
            assert style == "short" or first not in source, path


def test_open_pages_have_no_address_of_the_league(club: Club) -> None:
    with club.app.app_context():
        session = db.session()
        league = open_club(session, club.slug).league
        people = [who.public_id for who in roster_of(session, league).people.values()]
    ids = [club.league.split("/")[-1], club.season.split("/")[-1], *people]
    for path, source in every_page(club).items():
        assert not [each for each in ids if each in source], path
        assert "/nights/" not in source.replace("/seasons/1/nights/", ""), path


def test_a_merged_person_has_the_name_they_became(club: Club) -> None:
    with club.book() as people:
        roster = roster_of(db.session(), open_club(db.session(), club.slug).league)
        ids = {who.public_id: key for key, who in roster.people.items()}
        ann, bob = ids[people["Ann Baker"]], ids[people["Bob Carter"]]
        merged = {**roster.people, bob: structs.replace(roster.people[bob], merged_into=ann)}
        public = public_roster(Roster(merged), "short")
    assert public.people[bob].name == public.people[ann].name == "Ann B."


def test_a_former_address_leads_on(club: Club) -> None:
    club.open(slug="thursday")
    for page in ("/clubs/fire-hall", "/clubs/fire-hall/seasons/1?look=dark", "/embed/fire-hall/standings?look=dark"):
        response = club.stranger.get(page)
        assert response.status_code == 301
        assert response.location == page.replace("fire-hall", "thursday")
    club.open(slug="fire-hall")
    assert club.stranger.get("/clubs/fire-hall").status_code == 200
    assert club.stranger.get("/clubs/thursday").location == "/clubs/fire-hall"


def test_an_unchanged_page_is_not_sent_again(club: Club) -> None:
    phone = club.stranger
    for path in every_page(club):
        tag = phone.get(path).headers["ETag"]
        again = phone.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["Cache-Control"] == "public, no-cache"
    tag = phone.get(club.path).headers["ETag"]
    club.night(FIRST)
    assert phone.get(club.path, headers={"If-None-Match": tag}).status_code == 200


def test_unknown_seasons_and_nights_are_not_found(club: Club) -> None:
    for page in ("/seasons/0", "/seasons/2", "/seasons/1/nights/0", "/seasons/1/nights/2", "/seasons/2/nights/1"):
        assert club.stranger.get(club.path + page).status_code == 404


def test_a_club_without_a_season_says_so(club: Club) -> None:
    made = club.phone.submit(club.phone.see("/leagues"), "/leagues", name="Empty Hall")
    with club.app.app_context():
        service.save_club(
            league=made.path.removeprefix("/leagues/"), is_open=True, slug="empty", names="full", device=club.device
        )
    page = club.stranger.see("/clubs/empty")
    assert words(page.all("h1")[0]) == "Empty Hall"
    assert not page.all("table")
    for embed in EMBEDS:
        assert club.stranger.get(f"/embed/empty/{embed}").status_code == 200
    assert club.stranger.get("/clubs/empty/feed.atom").status_code == 200


def test_a_hand_changes_only_the_page_of_its_night(club: Club) -> None:
    """While a game is played, each new hand changes only the public page of the game's night.

    The club's page and the standings change only when the game is over, so readers needn't load these after each hand.
    """
    night = club.night((PEOPLE, ()), close=False)
    phone = club.stranger

    def tags() -> tuple[str, ...]:
        paths = (club.path, f"/embed/{club.slug}/standings", f"{club.path}/seasons/1/nights/2")
        return tuple(phone.get(path).headers["ETag"] for path in paths)

    started = (club.hands(night, 0, count=1), tags())[1]
    club.hands(night, 0, count=2)
    played = tags()
    assert played[:2] == started[:2]
    assert played[2] != started[2]
    club.hands(night, 0, count=6)
    over = tags()
    assert not set(over) & set(played)
    assert "21" in phone.get(f"{club.path}/seasons/1/nights/2").text


def _start(club: Club, name: str) -> str:
    """Start another season of the club, make it the one in which `club.night` plays, and return its path."""
    page = club.phone.see(f"{club.league}/people")
    token = page.form(page.path).values["csrf_token"]
    fields = {"csrf_token": token, "client_id": f"begin-{name}", "name": name, "night-rounds": "1"}
    response = club.phone.post(f"{club.league}/seasons", data=fields)
    assert response.status_code == 303
    club.season = str(response.location)
    return club.season


def test_old_standings_stay_until_the_new_season_has_results(club: Club) -> None:
    """A new season without games doesn't hide the standings that everybody knows, on the page and on websites."""
    first, frame = club.season, f"/embed/{club.slug}/standings"
    with club.app.app_context():
        close_season(season=first.removeprefix("/seasons/"), device=club.device)
    before = lines_of(club.stranger.see(club.path))
    _start(club, "Winter")
    page = club.stranger.see(club.path)
    assert "No games yet." in page.text
    assert lines_of(page) == before
    assert "2026/27" in club.stranger.get(frame).text
    assert club.stranger.get(frame).text.count("<table") == 1
    assert f"{club.path}/seasons/1" not in [link.get("href") for link in page.all("a", class_="game")]
    club.night((PEOPLE, (9, 21)))
    page = club.stranger.see(club.path)
    assert lines_of(page) != before
    assert "2026/27" not in club.stranger.get(frame).text
    assert f"{club.path}/seasons/1" in [link.get("href") for link in page.all("a", class_="game")]


def test_all_seasons_in_progress_are_shown(club: Club) -> None:
    """A club with two seasons at the same time shows both, the newer one first."""
    older = lines_of(club.stranger.see(club.path))
    _start(club, "Summer")
    page = club.stranger.see(club.path)
    assert lines_of(page) == older
    club.night((PEOPLE, (9, 21)))
    for path in (club.path, f"/embed/{club.slug}/standings"):
        source = club.stranger.get(path).text
        assert source.count("<table") == 2, path
        assert source.index("Summer") < source.index("2026/27"), path
    club.night((PEOPLE, (21, 9)), close=False)
    assert "Tonight's scores" in club.stranger.see(club.path).text
