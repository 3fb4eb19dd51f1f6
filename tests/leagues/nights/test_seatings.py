"""Nights with every kind of seating, from the seating and the scores to the standings and all pages."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from sqlalchemy import select

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.models import PersonRow
from scorekeeper.leagues.nights.tables import card_word
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.commands import EnterHand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

EVERYBODY = (*NAMES, *("Jan", "Kit", "Lou", "Meg", "Ned", "Oz", "Pat"))


@dataclass(frozen=True)
class Way:
    """A game, a night's plan and a number of players, with the tables that should result from them.

    `preset` is the key of the game. `kind` is the expected kind of each table, such as "partners", and `sides` the
    expected number of sides at a table.
    """

    preset: str
    plan: NightPlan
    players: int
    kind: str
    sides: int


TEN, FIVE, SMEAR = "ten-point-52", "somerset-66", "smear-4"
WAYS = {
    "partners": Way("setback-21", NightPlan(rounds=1), 8, "partners", 2),
    "two teams of three": Way(TEN, NightPlan(rounds=1, sizes=(6,)), 12, "partners", 2),
    "three teams of two": Way(TEN, NightPlan(rounds=1, sizes=(6,), pairs=True), 12, "partners3", 3),
    "two teams of four": Way(SMEAR, NightPlan(rounds=1, sizes=(8,)), 16, "partners", 2),
    "four teams of two": Way(SMEAR, NightPlan(rounds=1, sizes=(8,), pairs=True), 16, "partners4", 4),
    "three fixed teams of two": Way(
        TEN, NightPlan(rounds=1, together="fixed", sizes=(6,), pairs=True), 12, "partners3", 3
    ),
    "two fixed teams of four": Way(SMEAR, NightPlan(rounds=1, together="fixed", sizes=(8,)), 16, "partners", 2),
    "three alone": Way("pitch-11", NightPlan(rounds=1, together="alone", sizes=(3,)), 6, "alone", 3),
    "eight alone": Way(SMEAR, NightPlan(rounds=1, together="alone", sizes=(8,)), 16, "alone", 8),
    "a called partner": Way(FIVE, NightPlan(rounds=1, together="called", sizes=(5,)), 10, "called", 5),
}


def open_night(app: Flask, client: Phone, way: Way) -> Hall:
    """Open a night with the game, plan and number of players in `way`, and seat the players."""
    hall = open_hall(app, client, plan=way.plan, preset=way.preset)
    with app.app_context():
        told = [PersonData(name=name) for name in EVERYBODY[len(NAMES) :]]
        added = people.add_people(league=hall.league, people=told, device=DIRECTOR)
        hall.people.update(zip(EVERYBODY[len(NAMES) :], added, strict=True))
    here = EVERYBODY[: way.players]
    hall.check_in(*here)
    if way.plan.together == "fixed":
        size = way.plan.rotation.team_size
        for first in range(0, len(here), size):
            team = [hall.people[name] for name in here[first : first + size]]
            page = hall.at_desk()
            assert len(page.all("select", name="person")) >= size
            hall.desk.submit(page, f"{hall.path}/partners", person=team)
    hall.desk.submit(hall.at_desk(), f"{hall.path}/draw")
    return hall


def hand_of(way: Way) -> dict[str, Any]:
    """Return a hand in which the first side wins every point."""
    rules = PRESETS[way.preset]
    if way.kind == "called":
        return {"bidder": 0, "bid": 20, "partner": None, "taken": [22, 0], "trump": "0"}
    keys = [category.key for category in rules.categories]
    most = sum(category.value for category in rules.categories)
    return {"bidder": 0, "bid": most, "points": dict.fromkeys(keys, 0)}


def play_on_phone(hall: Hall, way: Way, phone: Phone) -> None:
    """Scan the card of table 1 with a phone, and play that table's game until the first side has won."""
    with hall.app.app_context():
        address = f"{hall.path}/cards/1/{card_word(hall.row(), 1, str(hall.app.secret_key))}"
    board = phone.submit(phone.see(address), address)
    assert len(board.all("p", class_="score")) == way.sides
    game = board.path.rsplit("/", 1)[1]
    with hall.app.app_context():
        for number in range(30):
            if hall.tables()[0].done:
                break
            sent = ClientRequest(DIRECTOR, f"hand-{number}", None)
            scoring.act(public_id=game, command=EnterHand(hand_of(way)), request=sent)
    assert len(phone.see(board.path).all("p", class_="score")) in (0, way.sides)


def enter_on_paper(hall: Hall, way: Way) -> None:
    """Type a final score for table 2 at the desk, which the second side won."""
    target = PRESETS[way.preset].target
    totals = [0, target, *range(1, way.sides - 1)]
    table = hall.tables()[1]
    fields: dict[str, Any] = {f"points-{table.id}-{side}": str(points) for side, points in enumerate(totals)}
    page = hall.desk.submit(hall.at_desk("?round=1"), f"{hall.path}/rounds/1/results", **fields)
    assert "Saved, except" not in page.text


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_a_night_of_every_seating(app: Flask, client: Phone, new_phone: Callable[[], Phone], name: str) -> None:
    """With every kind of seating, everybody has a seat, scores can be entered, and the winners lead the standings.

    One table is scored on a phone, and the other table at the desk.
    """
    way = WAYS[name]
    hall = open_night(app, client, way)
    tables = hall.tables()
    assert [(table.kind, table.sides) for table in tables] == [(way.kind, way.sides)] * 2
    assert sum(len(table.seats) for table in tables) == way.players
    play_on_phone(hall, way, new_phone())
    enter_on_paper(hall, way)
    tables = hall.tables()
    assert all(table.done for table in tables)
    assert [table.verdict.winner for table in tables if table.verdict] == [0, 1]
    with app.app_context():
        names = {row: name for name, row in _ids().items()}
    winners = {names[person] for table in tables for person in table.seats[_won(table) :: way.sides]}
    for path in ("", "/desk", "/cards", "/rotation", "/sheets", "/tv", "/results"):
        page = hall.desk.see(f"{hall.path}{path}")
        shown = page.text if path != "/cards" else ""
        assert path in ("", "/cards", "/tv", "/results") or all(person in shown for person in winners), path
    hall.desk.submit(hall.at_desk(), f"{hall.path}/closing")
    season = f"/seasons/{hall.season}"
    page = hall.desk.see(season)
    assert winners <= set(page.text.replace(",", " ").split())
    if way.plan.together == "fixed":
        best = _csv(hall, f"{season}/partners.csv")[1:3]
        assert all(any(person in line for line in best) for person in winners)
    assert winners == {line.split(",")[1] for line in _csv(hall, f"{season}/people.csv")[1 : len(winners) + 1]}
    assert ZipFile(io.BytesIO(hall.desk.get(f"{season}/people.xlsx").data)).testzip() is None
    assert hall.desk.get(f"{hall.path}/results.csv").status_code == 200
    assert hall.desk.get(f"{hall.path}/results.png").status_code == 200
    assert "Games" in hall.desk.see(f"/people/{hall.people[min(winners)]}").text


def _won(table: Any) -> int:
    return int(table.verdict.winner)


def _csv(hall: Hall, path: str) -> list[str]:
    return hall.desk.get(path).text.splitlines()


def _ids() -> dict[str, int]:
    return dict(db.session.execute(select(PersonRow.name, PersonRow.id)).all())


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"together": "called", "sizes": "5"}, "Setback can't be played by 5 with a called partner."),
        ({"together": "rotate", "sizes": "6"}, "Setback can't be played by 6 in two teams."),
        ({"together": "rotate", "sizes": "4, 6", "pairs": "1"}, "Setback can't be played by 6 in teams of two."),
        ({"together": "alone", "sizes": "8"}, "Setback can't be played by 8 solo."),
        (
            {"together": "fixed", "sizes": "6", "pairs": "1", "format": "round_robin"},
            "Round robin needs two teams at each table.",
        ),
        ({"together": "called", "sizes": "5", "format": "knockout"}, "Knockout needs two teams at each table."),
        ({"together": "called", "sizes": "5", "format": "progressive"}, "Progressive needs four players per table"),
    ],
)
def test_a_seating_that_the_game_or_the_format_lacks_is_refused(
    app: Flask, client: Phone, fields: dict[str, str], says: str
) -> None:
    """A plan with a kind of seating that the game or the format doesn't allow is refused, and the old plan stays.

    The page gives the reason.
    """
    hall = open_hall(app, client)
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", 422, **fields)
    assert says in page.text
    with app.app_context():
        assert hall.row().plan == NightPlan(rounds=3).to_json()


def test_a_season_is_refused_at_its_tables(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client)
    path = f"/leagues/{hall.league}/seasons"
    fields: dict[str, Any] = {"name": "Spring", "preset": "setback-7"}
    page = client.submit(client.see(path), path, 422, **fields)
    assert "Setback to 7 can't be played by 4 in two teams." in page.text
    assert page.one("select", name="size-0").get("aria-invalid") == "true"
    fields |= {"night-together": "alone", "size-0": "7"}
    assert client.submit(client.see(path), path, **fields).h1 == "Spring"


def test_a_plan_without_the_new_setting_is_what_it_was() -> None:
    """A plan that was saved before the setting "teams of two" existed doesn't use that setting.

    A plan that doesn't use the setting is saved without it, as before.
    """
    plain = NightPlan(sizes=(6,)).to_json()
    assert "pairs" not in plain
    assert NightPlan.from_json(plain) == NightPlan(sizes=(6,))
    assert NightPlan.from_json(NightPlan(sizes=(6,), pairs=True).to_json()).pairs


def test_a_night_can_mix_tables_of_two_and_three_teams(app: Flask, client: Phone) -> None:
    """Ten players in teams of two are seated at one table of four and one table of six, and nobody sits out."""
    way = Way(TEN, NightPlan(rounds=2, sizes=(4, 6), pairs=True), 10, "", 0)
    hall = open_night(app, client, way)
    assert sorted((table.kind, len(table.seats)) for table in hall.tables()) == [
        ("partners", 4),
        ("partners", 4),
        ("partners3", 6),
        ("partners3", 6),
    ]
