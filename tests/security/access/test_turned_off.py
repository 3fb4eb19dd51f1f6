"""In a league that the operator turned off, no form of any page changes anything, not even for its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core import unit_of_work
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.web.extensions import db
from tests.security.access.ground import Ground
from tests.security.access.table import lines
from tests.security.access.test_matrix import Matrix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.security.access.table import Line
    from tests.security.access.world import World

pytestmark = [pytest.mark.database, pytest.mark.slow]

OWNER = "device"
PLACES = ("/leagues/<", "/seasons/", "/nights/", "/people/", "/planned/", "/me/", "/invitations")
STILL = {
    "POST /people/<person_id>/anonymous": "privacy doesn't wait for the operator",
}
"""Requests that are still carried out, and why."""
WITHDRAWALS = ("POST /games/<game_id>/watching/void",)
"""Requests about a game that are still carried out, because they take something back."""


@pytest.fixture(scope="module")
def off(world: World) -> World:
    """Return the world with all leagues turned off."""
    with world.app.app_context():
        for league in db.session.scalars(select(LeagueRow.public_id)).all():
            unit_of_work.turn(league=league, because="It sells things.")
    return world


@pytest.fixture(scope="module")
def matrix(off: World, ground: Ground) -> Matrix:
    """Return a `Matrix` on a ground in which all leagues are turned off."""
    return Matrix(off, ground)


def changed_by(off: World, matrix: Matrix, chosen: Iterable[Line], game: str = "") -> tuple[int, dict[str, list[str]]]:
    """Send the form of each line in `chosen` as `OWNER`, and undo what it changed.

    If `game` is given, it is the name of the object whose ids replace those of the lines. Return how many forms were
    sent, and the names of the changed tables by name of the line.
    """
    asked = 0
    changed: dict[str, list[str]] = {}
    for line in chosen:
        rule = matrix.rules[line.rule, line.method]
        places = {"number": 2, **matrix.things[line.of or "open"], **(matrix.things[game] if game else {})}
        built = rule.build({name: places.get(name, 1) for name in rule.arguments})
        assert built is not None, line
        thing = game or line.of
        fields, sent = matrix.forms.of(rule.endpoint, built[1], thing), matrix.forms.json(rule.endpoint, thing)
        answer = off.ask(OWNER, "POST", built[1], fields, sent)
        assert answer.status_code < 500, line
        asked += 1
        if tables := matrix.ground.changed():
            changed[line.name] = sorted(tables)
            matrix.ground.put_back()
        answer.close()
    return asked, changed


def test_no_form_of_a_game_changes_it(off: World, matrix: Matrix) -> None:
    """The phone that scores at a table of the league can't change the game, but can take back what it published."""
    of_games = [line for line in lines() if line.method == "POST" and "<game_id>" in line.rule]
    asked, changed = changed_by(off, matrix, of_games, "table")
    assert asked > 30
    assert set(changed) == set(WITHDRAWALS), changed


def test_no_form_changes_it(off: World, matrix: Matrix) -> None:
    of_leagues = [line for line in lines() if line.method == "POST" and line.rule.startswith(PLACES)]
    asked, changed = changed_by(off, matrix, of_leagues)
    assert asked > 70
    assert set(changed) == set(STILL), changed
