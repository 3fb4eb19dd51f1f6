"""The results of a night, which are the same on the page, in the CSV file, in the chat message and on the TV page."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, select

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import PersonRow, PresentRow
from scorekeeper.leagues.money.settings import MoneySettings, Share
from scorekeeper.leagues.nights import closing, opening, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.web.extensions import db
from tests.leagues.results.random_nights import DEVICE, PLANS, play
from tests.support.league import make_hall
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

PNG = b"\x89PNG\r\n"


def _names(cell: ET.Element) -> str:
    return " and ".join(words(name) for name in cell.iter("bdi") if "name" in name.get("class", ""))


def _rows(page: Page) -> list[list[str]]:
    """Return the rows of the first ranking on the page.

    Each row is a list of the rank, the names and the other values.
    """
    table = page.all("table", class_="ranking")[0]
    return [
        [words(row.findall("td")[0]).split()[0], _first_names(row), *map(words, row.findall("td")[1:])]
        for row in table.findall("tbody/tr")
    ]


def _first_names(row: ET.Element) -> str:
    """Return the names in a row, joined by " and ", without the names of regulars for whom substitutes play."""
    (cell,) = row.findall("th")
    return " and ".join(words(link.findall("bdi")[0]) for link in cell.findall("a"))


def _csv(client: Phone, path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(client.get(path).data.decode("utf-8-sig"))))


@pytest.mark.parametrize("kind", PLANS)
def test_page_csv_message_and_tv_say_the_same(app: Flask, client: Phone, kind: str) -> None:
    with app.app_context():
        evening = play(kind, 2)
        told = night_results(evening.night)
    path = f"/nights/{evening.night}"
    page = client.see(f"{path}/results")
    shown = _rows(page)
    ranks = [(rank, name) for rank, name, *_cells in shown]
    assert page.all("section", class_="winners")
    assert [words(won) for won in page.one("section", class_="winners").iter("b")] == [
        name for rank, name in ranks if rank == "1"
    ]
    rows = _csv(client, f"{path}/results.csv")[: len(shown)]
    assert [(row["Rank"] or "–", row["Name"]) for row in rows] == ranks
    heads = [words(head) for head in page.all("table", class_="ranking")[0].findall("thead/tr/th")][2:]
    columns = {"Avg": "Points per game", "Points": "Points", "Games": "Games", "Sets": "Sets"}
    for row, (_rank, _name, *cells) in zip(rows, shown, strict=True):
        by_head = dict(zip(heads, cells, strict=True))
        for head, column in columns.items():
            number = by_head.get(head, "0").replace("−", "-")  # the column of the sets is left out without any
            assert (number or "0") == "–" or float(number or 0) == float(row[column] or 0)
        record = [row["Wins"], row["Losses"], *([row["Ties"]] if row["Ties"] != "0" else [])]
        assert by_head["W–L–T"] == "–".join(record)
    lines = told.text.splitlines()
    said = [line for line in lines if line.split(". ")[0].isdigit()]
    assert [line.partition(". ")[0] for line in said] == [rank for rank, _name in ranks if rank != "–"]
    assert all(name in line for line, (_rank, name) in zip(said, ranks, strict=False))
    tv = client.see(f"{path}/tv")
    if kind == "knockout":  # its bracket, whose last winner is the first in the ranking
        assert [words(side[0]) for side in tv.all("p", class_="through")][-1:] == [ranks[0][1]]
    else:
        lines_on_tv = tv.one("ol", class_="ranks").findall("li")
        assert [(words(item.findall("b")[0]), _names(item)) for item in lines_on_tv] == ranks
    podium = client.see(path).one("ol", class_="podium")
    assert [(words(item.findall("b")[0]), _names(item)) for item in podium.findall("li")] == ranks[:10]
    assert client.get(f"{path}/results.png").data.startswith(PNG)


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night with eight people seated at two tables for one round."""
    hall = open_hall(app, client, plan=NightPlan(rounds=1))
    hall.check_in(*NAMES[:8])
    hall.draw()
    return hall


def _tell(hall: Hall, index: int, *totals: int) -> None:
    from scorekeeper.leagues.nights import tables

    with hall.app.app_context():
        tables.tell_result(night=hall.night, table=hall.tables()[index].id, totals=totals, device=DIRECTOR)


def test_results_are_provisional_until_the_night_is_closed(hall: Hall) -> None:
    page = hall.desk.see(f"{hall.path}/results")
    assert "Results appear after the first finished game." in page.text
    assert not page.all("table", class_="ranking")
    assert not hall.desk.see(hall.path).all("p", class_="so-far")
    _tell(hall, 0, 21, 13)
    page = hall.desk.see(f"{hall.path}/results")
    assert "Provisional: one game in round 1 has no score yet." in page.text
    assert page.one("div", **{"data-watch": f"{hall.path}/results"}) is not None
    assert len(_rows(page)) == 4
    assert hall.desk.see(hall.path).all("p", class_="so-far")
    assert not hall.desk.see(f"{hall.path}/tv").all("ol", class_="ranks")
    _tell(hall, 1, 8, 21)
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR)
    page = hall.desk.see(f"{hall.path}/results")
    assert "Provisional" not in page.text
    assert len(_rows(page)) == 8
    with hall.app.app_context():
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="typo")
    assert "Provisional" in hall.desk.see(f"{hall.path}/results").text


def test_those_who_are_tied_for_the_lead_are_listed_in_a_sentence(hall: Hall) -> None:
    """If several people are tied for the lead, the results page's description names all of them in a phrase.

    Chat apps show the description below a link to the page.
    """
    for index in range(2):
        _tell(hall, index, 21, 13)
    with hall.app.app_context():
        told = night_results(hall.night)
    first = [line.name for line in told.winners]
    assert len(first) > 1
    assert told.about == f"Tied for the lead: {', '.join(first[:-1])} and {first[-1]}"


def test_an_unfinished_table_is_named(hall: Hall) -> None:
    _tell(hall, 0, 21, 13)
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    assert "One table wasn't finished and doesn't count." in hall.desk.see(f"{hall.path}/results").text


def test_every_visitor_gets_the_same_page_once(hall: Hall) -> None:
    """A second request for the results page, its CSV file or its picture gets status 304 until the night changes.

    None of the three responses sets a cookie.
    """
    _tell(hall, 0, 21, 13)
    for name in ("", ".csv", ".png"):
        path = f"{hall.path}/results{name}"
        first = hall.desk.get(path)
        assert "Set-Cookie" not in first.headers
        assert "Cookie" not in first.headers.get("Vary", "")
        assert first.headers["Cache-Control"] == "public, no-cache"
        again = {"If-None-Match": first.headers["ETag"]}
        assert hall.desk.get(path, headers=again).status_code == 304
        with hall.app.app_context():
            people.change_person(
                person=hall.people["Ann"], told=PersonData(name="Ann", nickname=f"A {name}"), device=DIRECTOR
            )
        assert hall.desk.get(path, headers=again).status_code == 200


def test_the_number_of_queries_does_not_grow_with_the_night(app: Flask, client: Phone) -> None:
    counts = []
    asked: list[str] = []
    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
        small, large = play("fixed", 0), play("fixed", 1)
    for evening in (small, large):
        asked.clear()
        client.see(f"/nights/{evening.night}/results")
        counts.append(len(asked))
    assert max(counts) <= 22, counts
    assert abs(counts[0] - counts[1]) <= 1, counts


def test_merged_people_have_one_line_under_the_name_that_stays(app: Flask, client: Phone) -> None:
    with app.app_context():
        evening = play("to_target", 0)
        there = {game.person for game in evening.played}
        gone = min(there)
        free = next(who for who in evening.names if who not in there and evening.names[who] not in ("Meg", "Ned"))
        people.merge_people(person=evening.tags[gone], into=evening.tags[free], device=DEVICE)
    names = [name for _rank, name, *_cells in _rows(client.see(f"/nights/{evening.night}/results"))]
    assert evening.names[free] in names
    assert evening.names[gone] not in names
    assert len(names) == len(there)


def test_a_guest_with_only_a_bye_is_listed_without_a_rank(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client, plan=NightPlan(rounds=1))
    hall.check_in(*NAMES)
    hall.draw()
    for index in range(2):
        _tell(hall, index, 21, 13)
    rows = _rows(client.see(f"{hall.path}/results"))
    assert len(rows) == len(NAMES)
    assert [rank for rank, *_rest in rows].count("–") == 1
    assert rows[-1][0] == "–"


def _knockout_of_pairs(app: Flask, client: Phone) -> Hall:
    """Return a knockout night of four pairs with its first round seated."""
    hall = open_hall(app, client, plan=PLANS["knockout"])
    hall.check_in(*NAMES[:8])
    with app.app_context():
        for first in range(0, 8, 2):
            pair = [hall.people[name] for name in NAMES[first : first + 2]]
            nights.set_team(night=hall.night, people=pair, device=DIRECTOR)
    hall.draw()
    return hall


def test_a_knockout_closed_in_its_first_round_has_no_winner(app: Flask, client: Phone) -> None:
    hall = _knockout_of_pairs(app, client)
    _tell(hall, 0, 21, 13)
    with app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    won = client.see(f"{hall.path}/tv").one("p", class_="won")
    assert words(won).startswith("No winner")
    assert not won.findall("b")
    page = client.see(f"{hall.path}/results")
    (about,) = [tag.get("content") for tag in page.all("meta") if tag.get("property") == "og:description"]
    assert about == "Final."
    assert not page.all("p", class_="won")


def test_teams_still_in_a_knockout_have_no_rank_yet(app: Flask, client: Phone) -> None:
    hall = _knockout_of_pairs(app, client)
    for index in range(2):
        _tell(hall, index, 21, 13)
    page = client.see(f"{hall.path}/results")
    assert [rank for rank, *_rest in _rows(page)] == ["–", "–", "3", "3"]
    assert page.text.count("Still in.") == 2
    hall.draw()
    _tell(hall, 2, 10, 21)
    page = client.see(f"{hall.path}/results")
    assert [rank for rank, *_rest in _rows(page)] == ["1", "2", "3", "3"]
    assert words(page.one("h2", id="won")) == "Champions"
    for path in (hall.path, f"{hall.path}/results"):
        (cup,) = client.see(path).all("ol", class_="cup")
        assert [words(head) for head in cup.iter("h3")] == ["Round 1", "Final round"]
        sides = list(cup.iter("p"))
        assert len(sides) == 6
        (won,) = [words(side) for side in sides[4:] if side.get("class") == "through"]
        assert " 21 " in won
        assert won.endswith("(winner)")
    with app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR)
    assert len(client.see(f"{hall.path}/tv").all("ol", class_="cup")) == 1


def test_teams_whose_check_in_was_undone_before_their_first_game_are_in_the_bracket(app: Flask, client: Phone) -> None:
    """A wrong tap takes nobody out of a knockout: people who play are checked in again, with their partners."""
    hall = _knockout_of_pairs(app, client)
    first, second = hall.tables()[:2]
    gone = [*first.seats, second.seats[0]]
    with app.app_context():
        names = {row.id: row.public_id for row in db.session.scalars(select(PersonRow))}
        for person in gone:
            nights.check_out(night=hall.night, person=names[person], device=DIRECTOR)
    for index in range(2):
        _tell(hall, index, 21, 13)
    hall.draw()
    _tell(hall, 2, 21, 10)
    page = client.see(f"{hall.path}/results")
    assert [rank for rank, *_rest in _rows(page)] == ["1", "2", "3", "3"]
    with app.app_context():
        assert len(db.session.scalars(select(PresentRow).where(PresentRow.to_round.is_(None))).all()) == 8
    log = client.see(f"/leagues/{hall.league}/log").text
    assert log.count("checked in") >= 3


def test_a_forfeit_checks_nobody_in(app: Flask, client: Phone) -> None:
    hall = _knockout_of_pairs(app, client)
    table = hall.tables()[0]
    with app.app_context():
        names = {row.id: row.public_id for row in db.session.scalars(select(PersonRow))}
        for person in table.seats[0::2]:
            nights.check_out(night=hall.night, person=names[person], device=DIRECTOR)
        tables.forfeit_table(night=hall.night, table=table.id, side=0, device=DIRECTOR)
        assert len(db.session.scalars(select(PresentRow)).all()) == 6


def test_a_knockout_in_mid_season_makes_nobody_the_champion_of_the_season(app: Flask, client: Phone) -> None:
    hall = _knockout_of_pairs(app, client)
    for index in range(3):
        if index == 2:
            hall.draw()
        _tell(hall, index, 21, 13)
    with app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR)
    season = f"/seasons/{hall.season}"
    assert words(client.see(hall.path).one("p", class_="champion")).startswith("Champions: ")
    assert not client.see(season).all("p", class_="champion")
    with app.app_context():
        seasons.close_season(season=hall.season, device=DIRECTOR)
    assert words(client.see(season).one("p", class_="champion")).startswith("Champions: ")


def test_a_knockout_of_singles_has_one_champion(app: Flask, client: Phone) -> None:
    """The results of a knockout of single players name one champion and don't mention partners."""
    hall = make_hall(
        app,
        client,
        ("Ann", "Bob", "Cid", "Dee"),
        **{"count-order": "wins", "playoff-nights": "1", "playoff-qualify": "2"},
    )
    hall.night((("Ann", "Cid", "Bob", "Dee"), (21, 5)))
    desk = client.submit(client.see(f"{hall.season}/playoffs"), f"{hall.season}/playoffs", day="2026-11-01")
    night = desk.path.split("/")[2]
    client.submit(desk, f"/nights/{night}/draw")
    with hall.book():
        (table,) = tables_of(db.session(), night_at(db.session(), night))
        tables.tell_result(night=night, table=table.id, totals=(21, 9), device=hall.device)
    page = client.see(f"/nights/{night}/results")
    assert words(page.one("h2", id="won")) == "Champion"
    assert words(page.one("p", class_="won").findall("span")[0]) == "1 win, 21 points"
    assert [words(heading) for heading in page.all("h2")][1] == "Ranking"
    assert "Partners" not in page.text
    assert words(client.see(f"/nights/{night}").one("p", class_="champion")).startswith("Champion: ")


def test_the_message_has_an_address_only_if_others_can_open_it(app: Flask, client: Phone) -> None:
    hall = make_hall(app, client)
    night = hall.night((("Ann", "Bob", "Cid", "Dee"), (21, 13)))
    path = f"/nights/{night}/results"
    assert path not in words(client.see(path).one("textarea"))
    public = client.get(path, base_url="http://192.168.1.20")
    assert f"http://192.168.1.20{path}</textarea>" in public.text
    assert f'content="http://192.168.1.20{path}.png?v=' in public.text


def test_a_removed_night_and_an_unknown_one_have_no_results(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client)
    with app.app_context():
        opening.remove_night(night=hall.night, device=DIRECTOR)
    for night in (hall.night, "nothing-here"):
        for name in ("", ".csv", ".png"):
            assert client.get(f"/nights/{night}/results{name}").status_code == 404


def test_a_prize_is_shown_once_though_its_winner_had_two_partners(app: Flask, client: Phone) -> None:
    """Ann wins with Bob, who then goes home, and loses with Cid. Only the pair that won has the prize."""
    plan = NightPlan(rounds=2, together="fixed")
    money = MoneySettings(entry_fee=500, payout=(Share(percent=60), Share(percent=40))).to_json()
    hall = open_hall(app, client, plan=plan, money=money)
    hall.check_in("Ann", "Bob", "Cid", "Dee", "Eve")
    with app.app_context():
        for number, pairs in enumerate((("Ann Bob", "Dee Eve"), ("Ann Cid", "Dee Eve")), start=1):
            for pair in pairs:
                nights.set_team(night=hall.night, people=[hall.people[one] for one in pair.split()], device=DIRECTOR)
            if number == 2:
                nights.check_out(night=hall.night, person=hall.people["Bob"], device=DIRECTOR)
            nights.draw(night=hall.night, device=DIRECTOR, seed=1)
            table = next(table for table in hall.tables() if table.round == number)
            ann = next(p for p, name in _ids().items() if name == "Ann")
            mine = table.seats.index(ann) % 2
            points = (21, 3) if mine == number - 1 else (3, 21)
            tables.tell_result(night=hall.night, table=table.id, totals=points, device=DIRECTOR)
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
        won, people = night_results(hall.night).tables
    assert {line.name: line.prize for line in won.lines} == {
        "Ann and Bob": "15.00",
        "Dee and Eve": "10.00",
        "Ann and Cid": "",
    }
    assert {line.name: line.prize for line in people.lines if line.prize} == dict.fromkeys(("Ann", "Bob"), "7.50") | (
        dict.fromkeys(("Dee", "Eve"), "5.00")
    )


def _ids() -> dict[int, str]:
    return dict(db.session.execute(select(PersonRow.id, PersonRow.name)).all())
