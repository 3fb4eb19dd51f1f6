"""Whole nights in every format, from the plan to the closed night, as the desk's own pages offer them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.leagues import people
from scorekeeper.leagues.evening import Evening
from scorekeeper.leagues.models import NightRow, SeasonRow
from scorekeeper.leagues.people import PersonData
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.tables import rules_of
from scorekeeper.rules.presets import PRESETS
from tests.leagues.evenings import DIRECTOR, NAMES, Hall, open_hall
from tests.leagues.quick import quick_draws

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from flask import Flask

    from tests.page import Page
    from tests.phone import Phone

MORE = ("Jan", "Kit", "Lou", "Meg", "Ned", "Oz", "Pat", "Ray", "Sue", "Tom", "Una")
EVERYBODY = (*NAMES, *MORE)


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    """Draw in a moment: how good a draw is, is another test's matter."""
    with quick_draws():
        yield


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return an open night of a league of twenty, nobody there yet."""
    hall = open_hall(app, client)
    with app.app_context():
        told = [PersonData(name=name) for name in MORE]
        hall.people.update(zip(MORE, people.add_people(league=hall.league, people=told, device=DIRECTOR), strict=True))
    return hall


def plan(hall: Hall, form: str, **fields: object) -> Page:
    """Play this tonight."""
    return hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", format=form, **fields)


def pair(hall: Hall, names: Sequence[str], size: int = 2) -> None:
    """Choose fixed partners at the desk, in this order."""
    for first in range(0, len(names), size):
        team = names[first : first + size]
        hall.desk.submit(hall.at_desk(), f"{hall.path}/teams", person=[hall.people[name] for name in team])


def draw(hall: Hall, status: int = 303) -> Page:
    """Tap the button that draws."""
    return hall.desk.submit(hall.at_desk(), f"{hall.path}/draw", status)


def score(hall: Hall, number: int, scores: Sequence[tuple[int, int]], status: int = 303) -> Page:
    """Type the scores of a round, table by table, and save."""
    at = [table.id for table in hall.tables() if table.round == number]
    fields: dict[str, object] = {
        f"points-{table}-{side}": str(points)
        for table, told in zip(at, scores, strict=True)
        for side, points in enumerate(told)
    }
    return hall.desk.submit(hall.at_desk(f"?round={number}"), f"{hall.path}/rounds/{number}/results", status, **fields)


def tables_in(hall: Hall, number: int) -> int:
    """Return how many tables a round has."""
    return sum(table.round == number for table in hall.tables())


def usual(count: int, number: int) -> list[tuple[int, int]]:
    """Return scores for so many tables: now one side wins, now the other."""
    return [(21, 10 + index) if (index + number) % 2 else (8 + index, 22) for index in range(count)]


def close(hall: Hall) -> Page:
    """Close the night."""
    return hall.desk.submit(hall.at_desk(), f"{hall.path}/closing")


@pytest.mark.parametrize(
    ("form", "count", "fields"),
    [
        ("to_target", 8, {}),
        ("to_target", 14, {}),
        ("fixed_hands", 12, {"fixed_hands-hands": "6"}),
        ("timed", 16, {}),
    ],
)
def test_a_night_that_is_drawn_ahead(hall: Hall, form: str, count: int, fields: dict[str, object]) -> None:
    plan(hall, form, rounds="3", **fields)
    hall.check_in(*EVERYBODY[:count])
    draw(hall)
    for number in (1, 2, 3):
        page = score(hall, number, usual(tables_in(hall, number), number))
        assert "all in" in page.text
    page = close(hall)
    assert "This night is closed" in page.text


@pytest.mark.parametrize("hands", ["0", "8"])
@pytest.mark.parametrize("count", [8, 13])
def test_a_progressive_night(hall: Hall, hands: str, count: int) -> None:
    plan(hall, "progressive", rounds="3", **{"progressive-hands": hands})
    hall.check_in(*EVERYBODY[:count])
    for number in (1, 2, 3):
        draw(hall)
        page = score(hall, number, usual(tables_in(hall, number), number))
        assert "all in" in page.text
    assert "Every table is in." in page.text
    assert "This night is closed" in close(hall).text


def test_a_progressive_table_is_scored_on_a_phone_hand_by_hand(hall: Hall) -> None:
    """As it is planned when nothing is changed: a whole game at the head table."""
    plan(hall, "progressive", rounds="3")
    hall.check_in(*EVERYBODY[:8])
    draw(hall)
    table = hall.tables()[0].id
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/games", table=str(table))
    assert page.path.startswith("/g"), page.path


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"rounds": ""}, "“Rounds” must be a whole number"),
        ({"rounds": "21"}, "“Rounds” must be a whole number"),
        ({"sizes": "four"}, "“Players at a table” must be a whole number"),
        ({"progressive-hands": "41"}, "Hands at the head table; 0 for a whole game: from 0 to 40."),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_the_words_of_the_page(
    hall: Hall, fields: dict[str, object], says: str
) -> None:
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", 422, format="progressive", **fields)
    assert says in page.text


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("form", FORMATS)
def test_every_game_can_be_played_in_every_format_as_it_is_offered(preset: str, form: str) -> None:
    plan = Evening.from_json({"format": form})
    rules = rules_of(SeasonRow(preset=preset, options={}), NightRow(plan=plan.to_json()))
    assert rules.hands_limit == (plan.options.get("hands") or PRESETS[preset].hands_limit)
