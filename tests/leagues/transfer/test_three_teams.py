"""Card tables with three teams of two, which stay three teams in imports, standings, printed pages and exports."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import NightRow, SeasonRow, TableRow
from scorekeeper.leagues.nights import tables
from scorekeeper.leagues.publishing import service as publishing
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.transfer.archive import bring_in, pack, read_archive, unpack
from scorekeeper.web.extensions import db
from tests.games.test_teams import SIX, begin, ten
from tests.support.league import Hall, make_hall
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

SEATS = """date,round,table,player 1,player 2,player 3,player 4,player 5,player 6,points 1,points 2,points 3
2026-10-06,1,1,Ann,Bob,Cid,Dee,Eve,Fay,52,31,17
"""
CELLS = """date,round,table,team 1,team 2,team 3,points 1,points 2,points 3
2026-10-06,1,1,Ann & Dee,Bob & Eve,Cid & Fay,52,31,17
"""


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    return make_hall(app, client, SIX, preset="ten-point-52", **{"size-0": "6"})


def brought_in(hall: Hall, text: str = SEATS) -> str:
    """Import the past results of one night, and return the path of the night."""
    path = f"{hall.season}/results/import"
    page = hall.phone.submit(hall.phone.see(path), path, 200, text=text)
    assert "Import 1 night" in page.text
    hall.phone.submit(page, path, confirmed="1")
    with hall.app.app_context():
        return f"/nights/{db.session.scalars(select(NightRow.public_id)).one()}"


def counted(phone: Phone, season: str) -> dict[str, tuple[str, ...]]:
    """Return a dict of (points, wins, losses, point differential) in the CSV file of the standings, by name."""
    rows = csv.DictReader(io.StringIO(phone.get(f"{season}/people.csv").data.decode("utf-8-sig")))
    return {row["Name"]: tuple(row[key] for key in ("Points", "Wins", "Losses", "Point differential")) for row in rows}


def teams_on(page: Page) -> list[str]:
    return [words(item) for item in page.one("ul", class_="who-plays")]


@pytest.mark.parametrize("text", [SEATS, CELLS], ids=["by seat", "by team"])
def test_past_results_of_three_teams_count_for_each_pair(hall: Hall, text: str) -> None:
    """An imported result of three pairs counts for each pair, and the night's pages show the three pairs.

    A pair's point differential is the difference from the best other pair.
    """
    night = brought_in(hall, text)
    assert counted(hall.phone, hall.season) == {
        "Ann": ("52", "1", "0", "21"),
        "Dee": ("52", "1", "0", "21"),
        "Bob": ("31", "0", "1", "-21"),
        "Eve": ("31", "0", "1", "-21"),
        "Cid": ("17", "0", "1", "-35"),
        "Fay": ("17", "0", "1", "-35"),
    }
    shown = hall.phone.see(night).text
    for pair in ("A Ann, Dee 52", "B Bob, Eve 31", "C Cid, Fay 17"):
        assert pair in shown
    assert teams_on(hall.phone.see(f"{night}/sheets")) == ["A Ann and Dee", "B Bob and Eve", "C Cid and Fay"]
    with hall.app.app_context():
        assert db.session.scalars(select(TableRow.kind)).all() == ["partners3"]


def test_the_night_can_be_corrected_and_published(hall: Hall) -> None:
    """The API lists a game of three teams with three sides.

    After the night is reopened, the final score can be corrected.
    """
    night = brought_in(hall)
    with hall.app.app_context():
        publishing.save_club(
            league=hall.league.removeprefix("/leagues/"), is_open=True, slug="six", names="full", device=hall.device
        )
    told = hall.app.test_client().get("/api/1/clubs/six/seasons/1/nights/1/games").get_json()
    (game,) = told["rounds"][0]["games"]
    assert [([each["name"] for each in side["people"]], side["points"]) for side in game["sides"]] == [
        (["Ann", "Dee"], 52),
        (["Bob", "Eve"], 31),
        (["Cid", "Fay"], 17),
    ]
    desk = hall.phone.see(f"{night}/desk")
    hall.phone.submit(desk, f"{night}/reopening", reason="wrong score")
    with hall.app.app_context():
        session = db.session()
        (table,) = tables_of(session, night_at(session, night.removeprefix("/nights/")))
        assert table.sides == 3
        tables.tell_result(
            night=night.removeprefix("/nights/"),
            table=table.id,
            totals=(52, 17, 31),
            reason="two scores were swapped",
            device=hall.device,
        )
    hall.phone.see(f"{night}/desk")
    assert counted(hall.phone, hall.season)["Bob"][0] == "17"


def test_an_exported_league_has_the_same_teams(hall: Hall, elsewhere: Flask) -> None:
    brought_in(hall)
    with hall.app.app_context():
        packed = pack(read_archive(db.session(), hall.league.removeprefix("/leagues/")))
    with elsewhere.app_context():
        bring_in(unpack(packed))
        session = db.session()
        (table,) = tables_of(session, session.scalars(select(NightRow)).one())
        assert (table.kind, table.points) == ("partners3", (52, 31, 17))
        assert [len(side) for side in table.plan.sides] == [2, 2, 2]


def test_a_home_table_of_three_teams_becomes_a_league(app: Flask, client: Phone) -> None:
    board = begin(client, target=12)
    board = ten(client, board, 0, 6, "AAAAAABC")
    ten(client, board, 3, 6, "AAAAAABC")
    page = client.see("/table/league")
    league = client.submit(page, "/table/leagues", name="Thursdays")
    links = [str(each.get("href")) for each in league.all("a")]
    season = next(link for link in links if link.startswith("/seasons/") and link.count("/") == 2)
    assert {name: line[:3] for name, line in counted(client, season).items()} == {
        **dict.fromkeys(("Ann", "Dee"), ("12", "1", "0")),
        **dict.fromkeys(("Bob", "Eve"), ("2", "0", "1")),
        **dict.fromkeys(("Cid", "Fay"), ("6", "0", "1")),
    }
    with app.app_context():
        assert db.session.scalars(select(TableRow.kind)).all() == ["partners3"]
        plan = db.session.scalars(select(SeasonRow.plan)).one()
        assert (plan["sizes"], plan["pairs"]) == ([6], True), "the next night seats them the same way"


EIGHT = (*SIX, "Gus", "Hal")


@pytest.mark.parametrize(
    ("preset", "people", "points", "kind", "fields"),
    [
        ("smear-4", EIGHT, (15, 3, 8, 1), "partners4", {"size-0": "8", "pairs": "1"}),
        ("smear-4", EIGHT, (15, 3, 8, 1, 2, 4, 5, 6), "alone", {"size-0": "8", "night-together": "alone"}),
        ("somerset-66", EIGHT[:5], (66, 3, 8, 1, 2), "called", {"size-0": "5", "night-together": "called"}),
    ],
    ids=["four teams of two", "eight alone", "a called partner"],
)
def test_past_results_of_other_seatings(
    app: Flask, client: Phone, preset: str, people: tuple[str, ...], points: tuple[int, ...], kind: str, fields: Any
) -> None:
    """Past results of tables with more than four players can be imported into a season with such tables.

    `kind` is the expected kind of the imported table. The cases are four teams of two, eight single players, and five
    players with a called partner.
    """
    hall = make_hall(app, client, people, preset=preset, **fields)
    seats = [f"player {seat}" for seat in range(1, len(people) + 1)]
    heads = ["date", "round", "table", *seats, *(f"points {side}" for side in range(1, len(points) + 1))]
    line = ["2026-10-06", "1", "1", *people, *map(str, points)]
    night = brought_in(hall, f"{','.join(heads)}\n{','.join(line)}\n")
    with hall.app.app_context():
        assert db.session.scalars(select(TableRow.kind)).all() == [kind]
    told = counted(hall.phone, hall.season)
    assert {name: int(line[0]) for name, line in told.items()} == {
        name: points[seat % len(points)] for seat, name in enumerate(people)
    }
    assert len(teams_on(hall.phone.see(f"{night}/sheets"))) == len(points)


def test_a_new_night_seats_six_in_two_teams(hall: Hall) -> None:
    """On a new night, six people at a table form two teams of three, unless the season's settings say teams of two."""
    night = hall.night((SIX, (52, 31)), close=False)
    with hall.app.app_context():
        session = db.session()
        (table,) = tables_of(session, night_at(session, night))
        assert (table.kind, [len(side) for side in table.plan.sides]) == ("partners", [3, 3])
    assert teams_on(hall.phone.see(f"/nights/{night}/sheets")) == ["A Ann, Cid and Eve", "B Bob, Dee and Fay"]
