"""Test the response of every address to each role, with objects that belong to the role and objects of other people.

`routes.txt` says which right each address requires, and `relations.txt` says which rights each role has. The app itself
reads neither file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.conftest import SIZE
from tests.security.access.forms import Forms
from tests.security.access.table import Expected, Line, expected, lines, standings
from tests.security.access.things import things_of
from tests.security.access.world import ACCOUNTS, AWAY, FORMER, HOME, World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.security.access.ground import Ground

pytestmark = pytest.mark.database

ROLES = {
    role: {**stands, "account": "yes" if role in (*ACCOUNTS, *FORMER) else "no"} for role, stands in standings().items()
}
PARTS = 4
"""Number of parts in which the matrix is tested, so that several processes can share it."""


class Matrix:
    """Sends requests as each role, and collects descriptions of wrong responses in the list `wrong`."""

    def __init__(self, world: World, ground: Ground) -> None:
        self.world, self.ground = world, ground
        self.forms = Forms(world)
        self.things = things_of(world)
        self.rules = {
            (rule.rule, method): rule for rule in world.app.url_map.iter_rules() for method in rule.methods or ()
        }
        self.asked = 0
        self.wrong: list[str] = []

    def look(self, line: Line, role: str, thing: str, method: str = "", *, bare: bool = False) -> None:
        """Send the request of `line` as `role`, and add the response to `wrong` if it isn't the expected one.

        `thing` is the object in the address. If `method` isn't empty, it replaces the method of the line. A `bare`
        request has an empty form, so that 404 (for what it should name) and 422 are expected responses, too.
        """
        rule = self.rules[line.rule, line.method]
        places = dict(self.things[thing])
        if "rounds" in line.rule:
            places["number"] = 2
        built = rule.build({name: places[name] for name in rule.arguments})
        assert built is not None, line
        fields = self.forms.of(rule.endpoint, built[1], thing)
        expects = expected(line, role, thing, ROLES[role])
        how = method or line.method
        if bare or (how == "GET" and rule.endpoint != "games.wall"):
            fields = {}
        if bare:
            expects = replace(expects, statuses=expects.statuses | {404, 422})
        json = None if bare else self.forms.json(rule.endpoint, thing)
        answer = self.world.ask(role, how, built[1], fields, json)
        self.asked += 1
        says = wrong_with(answer, expects, self.ground)
        if says:
            self.wrong.append(f"{how} {line.rule} of {thing or 'nothing'} for {role}: {says}")


def wrong_with(answer: TestResponse, expects: Expected, ground: Ground) -> str:
    """Return how `answer` and its changes to the database differ from what `expects` says, or "" if they don't.

    Any change to the database is undone.
    """
    changed = ground.changed()
    says = []
    if answer.status_code not in expects.statuses:
        says.append(f"{answer.status_code} and not {sorted(expects.statuses)}")
    if changed and expects.changes is False:
        says.append(f"it changed {changed}")
    if expects.changes and not changed:
        says.append("it changed nothing")
    if expects.refused and any(name.encode() in answer.data for name in (HOME, AWAY)):
        says.append("the refusal tells names")
    if changed:
        ground.put_back()
    answer.close()
    return ", ".join(says)


@pytest.fixture
def matrix(world: World, ground: Ground) -> Iterator[Matrix]:
    """Yield the `Matrix`, and fail at the end of the test if it found wrong responses."""
    matrix = Matrix(world, ground)
    yield matrix
    assert not matrix.wrong, "\n".join([f"{len(matrix.wrong)} of {matrix.asked}:", *matrix.wrong])


def test_every_address_has_its_line(app: Flask) -> None:
    """`routes.txt` lists exactly the routes of the app, so it says for each route who may use it."""
    now = {
        (rule.rule, method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    told = {(line.rule, line.method) for line in lines()}
    assert len(told) == len(lines()), "a line is there twice"
    assert now == told, (
        f"Write a line into tests/security/access/routes.txt for {sorted(now - told)}: what somebody must be to what "
        f"stands in the address, and what they get then (with a form in forms.py, for a POST); "
        f"take out {sorted(told - now)}."
    )


def test_who_just_may_and_who_just_may_not(matrix: Matrix, record_property: Callable[[str, object], None]) -> None:
    """At every address, each group of roles with the same rights gets the expected response.

    To save time, only one role of each group is tried, and not the same one for each address.
    `test_everybody_at_every_address` tries all roles.
    """
    for number, line in enumerate(lines()):
        for roles in _alike(line):
            matrix.look(line, roles[number % len(roles)], line.of)
    record_property(
        SIZE, [[line.name for line in lines()], len(ROLES), sorted({line.of for line in lines()}), matrix.asked]
    )


def test_empty_form_tells_no_names_to_who_may_not(matrix: Matrix) -> None:
    """An incomplete form gets no page with names from an address that refuses a complete one."""
    for number, line in enumerate(each for each in lines() if each.method == "POST"):
        for roles in _alike(line):
            role = roles[number % len(roles)]
            if expected(line, role, line.of, ROLES[role]).refused:
                matrix.look(line, role, line.of, bare=True)


def _alike(line: Line) -> list[list[str]]:
    """Return the roles in groups; the roles in a group must all get the same response at the address of `line`."""
    alike: dict[Expected, list[str]] = {}
    for role, stands in ROLES.items():
        alike.setdefault(expected(line, role, line.of, stands), []).append(role)
    return list(alike.values())


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_everybody_at_every_address(matrix: Matrix, part: int, record_property: Callable[[str, object], None]) -> None:
    """Each role gets the expected response at every address, with each object that can be in the address.

    A request that is refused changes nothing.
    """
    things = set()
    for line in lines()[part::PARTS]:
        for thing in line.things:
            things.add(thing)
            for role in ROLES:
                matrix.look(line, role, thing)
    record_property(SIZE, [[line.name for line in lines()[part::PARTS]], len(ROLES), sorted(things), matrix.asked])
