"""The standings page of a season, with its links to the hands, its chat message and its exports."""

from __future__ import annotations

import csv
import io
from datetime import date
from typing import TYPE_CHECKING

import pytest
from openpyxl import load_workbook
from sqlalchemy import event, select

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import PersonRow
from scorekeeper.leagues.nights import seating, service, tables
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings import standings_cache
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.web.csv_cells import harmless
from scorekeeper.web.extensions import db
from tests.support.league import Hall, make_hall, table
from tests.support.league_night import open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

EIGHT = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")


def test_no_standings_before_the_first_game(app: Flask, client: Phone) -> None:
    page = make_hall(app, client).standings()
    assert "No games yet." in page.text
    assert "Standings appear after the first finished game." in page.text
    assert page.all("table") == []


def test_standings_of_two_nights_worked_by_hand(app: Flask, client: Phone) -> None:
    """The standings of two nights match a calculation by hand.

    On the first night, Ann and Cid beat Bob and Dee 21 to 13. On the second night, Bob and Cid beat Ann and Dee 21 to
    8.
    """
    hall = make_hall(app, client)
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    hall.night((("Ann", "Bob", "Dee", "Cid"), (8, 21)))
    assert table(hall.standings()) == [
        ["1", "Cid", "21.00", "42", "2", "2–0"],
        ["2", "Bob", "17.00", "34", "2", "1–1"],
        ["3", "Ann", "14.50", "29", "2", "1–1"],
        ["4", "Dee", "10.50", "21", "2", "0–2"],
    ]
    assert "After night 2, September 2, 2026." in hall.standings().text


def test_the_page_says_how_ties_were_broken(app: Flask, client: Phone) -> None:
    """The page explains how each tie was broken, and the row of each tied player links to the explanation.

    Here partners are tied in everything after one game together, so a random draw decides.
    """
    hall = make_hall(app, client)
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    page = hall.standings()
    lines = [words(item) for details in page.all("details", class_="ties") for item in details.iter("li")]
    assert len(lines) == 2
    tied = "tied in points per game (21), wins, point differential and number of sets. Their order was drawn at random."
    assert f"{tied} Head to head doesn't count, because they haven't all played each other." in lines[0]
    assert {"Ann", "Cid"} <= set(lines[0].replace(",", "").split())
    assert [words(link).partition("About")[0] for link in page.all("a", class_="split")] == ["1 *", "2 *", "3 *", "4 *"]
    split = [link.get("href") for link in page.all("a", class_="split")]
    assert split == ["#people-tie-1", "#people-tie-1", "#people-tie-2", "#people-tie-2"]


def test_players_with_too_few_games_are_unranked(app: Flask, client: Phone) -> None:
    hall = make_hall(app, client, (*EIGHT[:4], "Eve"), **{"count-min_games": "2"})
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    hall.night((("Ann", "Bob", "Cid", "Eve"), (21, 13)))
    page = hall.standings()
    assert [row[0] for row in table(page)] == ["1", "2", "3", "–", "–"]
    assert "A dash (–) means not ranked yet: too few games." in page.text
    assert "Players need 2 games to be ranked." in page.text


def test_dropped_nights_have_a_column(app: Flask, client: Phone) -> None:
    """The standings have a column that names the dropped night of each player who attended all nights."""
    hall = make_hall(app, client, **{"count-drop_nights": "1"})
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    hall.night((("Ann", "Bob", "Dee", "Cid"), (8, 21)))
    assert [(row[1], row[2], row[-1]) for row in table(hall.standings())][2:] == [
        ("Ann", "21.00", "Night 2"),
        ("Dee", "13.00", "Night 2"),
    ]


def test_an_open_night_and_its_bye_count(app: Flask, client: Phone) -> None:
    """Before a night is closed, a finished table counts in the standings, and so do the byes of that round."""
    hall = make_hall(app, client, (*EIGHT[:4], "Eve"), **{"count-bye": "points", "count-bye_points": "10"})
    with hall.book() as ids:
        season = hall.season.removeprefix("/seasons/")
        night = service.open_night(season=season, day=date(2026, 9, 1), device=hall.device)
        service.check_in(night=night, people=list(ids.values()), device=hall.device)
        service.draw(night=night, device=hall.device, seed=1)
        first = tables_of(db.session(), night_at(db.session(), night))[0]
    assert table_rows(hall) == []
    with hall.book():
        tables.tell_result(night=night, table=first.id, totals=(21, 13), device=hall.device)
        sat = set(first.seats)
        (out,) = db.session.scalars(select(PersonRow.name).where(PersonRow.id.not_in(sat)))
    rows = table(hall.standings())
    assert len(rows) == 5
    assert [row[2:4] for row in rows if row[1] == out] == [["–", "0"]] or ["10.00", "10"] in [row[2:4] for row in rows]
    assert "Go to current night" in hall.standings().text


def table_rows(hall: Hall) -> list[list[str]]:
    page = hall.standings()
    return table(page) if page.all("table") else []


def test_fixed_partners_have_their_own_standings(app: Flask, client: Phone) -> None:
    """A season of fixed partners has standings of teams above the standings of players."""
    hall = make_hall(app, client, **{"night-together": "fixed"})
    season = hall.season.removeprefix("/seasons/")
    with hall.book() as ids:
        night = service.open_night(season=season, day=date(2026, 9, 1), device=hall.device)
        service.check_in(night=night, people=list(ids.values()), device=hall.device)
        for team in (("Ann", "Bob"), ("Cid", "Dee")):
            service.set_team(night=night, people=[ids[name] for name in team], device=hall.device)
        service.draw(night=night, device=hall.device, seed=1)
        first = tables_of(db.session(), night_at(db.session(), night))[0]
        tables.tell_result(night=night, table=first.id, totals=(21, 13), device=hall.device)
    page = hall.standings()
    teams = table(page, "partners")
    assert {row[1] for row in teams} == {"Ann Bob", "Cid Dee"}
    assert [row[0] for row in teams] == ["1", "2"]
    assert len(table(page)) == 4
    assert page.text.index("Partners") < page.text.index("Players")
    assert hall.phone.get(f"{hall.season}/partners.csv").status_code == 200


def test_a_substitutes_game_counts_as_the_season_says(app: Flask, client: Phone) -> None:
    """A game that Eve plays for Ann counts for Ann, for Eve, or for both, as the season's settings say."""
    for setting, counted in (("regular", {"Ann"}), ("sub", {"Eve"}), ("both", {"Ann", "Eve"})):
        phone = client if setting == "regular" else app.test_client()
        hall = make_hall(app, phone, (*EIGHT[:4], "Eve"), **{"count-subs": setting})  # type: ignore[arg-type]
        night = hall.night((("Eve", "Bob", "Cid", "Dee"), (21, 13)), close=False)
        with app.app_context():
            ids = people_of(hall)
            seating.set_sub(night=night, person=ids["Eve"], regular=ids["Ann"], device=hall.device)
        assert {row[1] for row in table(hall.standings())} - {"Bob", "Cid", "Dee"} == counted
        games = hall.phone.see(f"/people/{ids['Ann']}").text
        assert "played by Eve" in games
        assert ("counts for the substitute" in games) == (setting == "sub")


def people_of(hall: Hall) -> dict[str, str]:
    """Return a dict of the public id of each person in the league, by name."""
    page = hall.phone.see(f"{hall.league}/people")
    links = [link for link in page.all("a") if (link.get("href") or "").count("/") == 2]
    return {
        words(link): str(link.get("href")).removeprefix("/people/")
        for link in links
        if "/people/" in str(link.get("href"))
    }


def test_every_number_links_to_the_games_behind_it(app: Flask, client: Phone, new_phone: Callable[[], Phone]) -> None:
    """From each row of the standings, a link leads to the player's games, and from there a link leads to the hands."""
    hall = make_hall(app, client)
    night = hall.night((("Ann", "Bob", "Cid", "Dee"), ()), close=False)
    game = hall.hands(night, 0)
    viewer = new_phone()
    page = viewer.see(hall.season)
    for row in page.all("table", class_="standings")[0].findall("tbody/tr"):
        links = {link.get("href", "") for cell in row.findall("td") for link in cell.findall("a[@href]")}
        (target,) = {link for link in links if not link.startswith("#")}
        person = viewer.see(target.partition("#")[0])
        assert person.one("h2", id="games") is not None
        assert f"/games/{game}" in [link.get("href") for link in person.all("a")]
    assert "24" in viewer.see(f"/games/{game}").text


def test_the_message_matches_the_table(app: Flask, client: Phone) -> None:
    hall = make_hall(app, client)
    hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    hall.night((("Ann", "Bob", "Dee", "Cid"), (8, 21)))
    page = hall.standings()
    text = "".join(page.one("textarea").itertext()).strip()
    assert text.splitlines() == [
        "Fire Hall, 2026/27. After night 2, September 2, 2026.",
        "1. Cid 21.00 · 2–0",
        "2. Bob 17.00 · 1–1",
        "3. Ann 14.50 · 1–1",
        "4. Dee 10.50 · 0–2",
    ]
    assert page.one("button", type="button", class_="main").get("data-text") == text


def test_the_csv_has_the_table_and_no_formulas(app: Flask, client: Phone) -> None:
    """In the CSV file of the standings, a name that looks like a formula is plain text, and numbers are numbers."""
    hall = make_hall(app, client, ("=1+1", "@Bob", "-Cid", "Dee, Jr."))
    hall.night((("=1+1", "@Bob", "-Cid", "Dee, Jr."), (21, 13)))
    response = client.get(f"{hall.season}/people.csv")
    assert response.mimetype == "text/csv"
    assert response.headers["Content-Disposition"].startswith("attachment")
    rows = list(csv.DictReader(io.StringIO(response.data.decode("utf-8-sig"))))
    assert {row["Name"] for row in rows} == {"'=1+1", "'@Bob", "'-Cid", "Dee, Jr."}
    assert [(row["Points per game"], row["Wins"], row["Point differential"]) for row in rows] == [
        ("21", "1", "8"),
        ("21", "1", "8"),
        ("13", "0", "-8"),
        ("13", "0", "-8"),
    ]
    assert harmless(-8) == -8


def test_the_workbook_has_the_table_and_no_formulas(app: Flask, client: Phone) -> None:
    hall = make_hall(app, client, ("=1+1", "http://x.example", "Cid", "Dee"))
    hall.night((("=1+1", "http://x.example", "Cid", "Dee"), (21, 13)))
    response = client.get(f"{hall.season}/people.xlsx")
    rows = list(load_workbook(io.BytesIO(response.data)).worksheets[0].iter_rows())
    texts = {str(cell.value): cell for row in rows for cell in row}
    assert texts["=1+1"].data_type == "s", "no formula"
    assert texts["http://x.example"].hyperlink is None
    assert len(rows) == 5
    assert client.get(f"{hall.season}/partners.xlsx").status_code == 404


@pytest.mark.slow
def test_the_number_of_queries_does_not_grow_with_the_season(app: Flask, client: Phone) -> None:
    """The standings of nine nights need as many database queries as those of three nights.

    Cached standings need fewer queries.
    """
    hall = make_hall(app, client)
    counts: list[int] = []
    for _ in range(3):
        for _ in range(3):
            hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
        counts += [asked(app, client, path) for path in (hall.season, hall.person("Ann"))]
    warm = asked(app, client, hall.season)
    assert len(set(counts[::2])) == 1, counts
    assert len(set(counts[1::2])) == 1, counts
    assert warm < counts[0]
    assert warm <= 14, warm


def asked(app: Flask, phone: Phone, path: str) -> int:
    """Return the number of SELECT queries that the page at `path` needs."""
    seen: list[str] = []
    with app.app_context():
        engine = db.engine

    def note(_c: object, _cur: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        phone.see(path)
    finally:
        event.remove(engine, "before_cursor_execute", note)
    return len([each for each in seen if each.lstrip().upper().startswith("SELECT")])


def test_remembered_standings_follow_every_change(app: Flask, client: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cached standings show a finished game, a new name and a merge at once.

    Without a change, the standings aren't calculated again.
    """
    hall = make_hall(app, client, (*EIGHT[:4], "Eve"))
    night = hall.night((("Ann", "Bob", "Cid", "Dee"), ()), close=False)
    assert table_rows(hall) == []
    hall.hands(night, 0, count=5)
    assert table_rows(hall) == []
    hall.hands(night, 0, count=6)
    assert [row[2] for row in table(hall.standings())] == ["24.00", "24.00", "0.00", "0.00"]
    with app.app_context():
        ids = people_of(hall)
        people.change_person(person=ids["Ann"], told=PersonData(name="Anna"), device=hall.device)
    assert "Anna" in [row[1] for row in table(hall.standings())]
    with app.app_context():
        people.merge_people(person=ids["Ann"], into=ids["Eve"], device=hall.device)
    assert "Eve" in [row[1] for row in table(hall.standings())]
    before = hall.standings().text
    monkeypatch.setattr(standings_cache, "roster_of", None)
    assert hall.standings().text == before, "calculated again although nothing changed"


def test_the_rules_are_those_of_a_usual_night(app: Flask, client: Phone) -> None:
    """In a format with a fixed number of hands, no game goes to 21."""
    plan = NightPlan(format="fixed_hands", options={"hands": 5, "one_more": 0}, rounds=3)
    hall = open_hall(app, client, plan=plan)
    rules = words(hall.desk.see(f"/seasons/{hall.season}").one("ul", class_="rules"))
    assert rules.startswith(
        "Setback. 5 hands, high score wins. Usual night: Fixed number of hands, 3 rounds. Every table"
    )
