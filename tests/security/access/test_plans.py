"""No request makes the database read a whole table, on SQLite and on PostgreSQL.

Each address is requested by a role that may use it, with a form if the address accepts one, in the small database of
these tests. PostgreSQL is told to use an index wherever an index helps; SQLite does so anyway. A statement that still
reads a whole table takes longer, the more rows other people store. `tests/bench/growth.py` reads the plans of a large
database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.web.extensions import db
from tests.security.access.table import expected, lines
from tests.security.access.test_matrix import ROLES, Matrix
from tests.support.plans import listening, only_by_index, walks

if TYPE_CHECKING:
    from tests.security.access.ground import Ground
    from tests.security.access.world import World

pytestmark = [pytest.mark.slow, pytest.mark.database]

WALKS = {
    "FROM alembic_version": "It has one row.",
    "SELECT game.id, game.rematch_of, game.players": (
        "Finds all games of a player who is made anonymous: only the game says who its players are. An owner asks for "
        "it, seldom."
    ),
}
"""Maps part of an SQL statement that may read a whole table to the reason why that is fine."""
OF_THE_TESTS = ("SELECT * ", "SELECT pg_catalog.")
"""Beginnings of the statements with which the tests themselves look for changes."""


def test_every_address_uses_indexes(world: World, ground: Ground) -> None:
    matrix = Matrix(world, ground)
    told: dict[str, str] = {}
    seen = 0
    with world.app.app_context():
        engine = db.engine
    for line in lines():
        roles = [role for role, stands in ROLES.items() if not expected(line, role, line.of, stands).refused]
        for role in roles[-1:]:
            with listening(engine) as asked:
                matrix.look(line, role, line.of)
            new = {
                statement: parameters
                for statement, parameters in asked.items()
                if statement not in told and not statement.startswith(OF_THE_TESTS)
            }
            with engine.connect() as connection:
                only_by_index(connection)
                for statement, parameters in new.items():
                    told[statement] = ""
                    if any(part in statement for part in WALKS):
                        continue
                    found = walks(connection, statement, parameters)
                    if found:
                        told[statement] = f"{line.method} {line.rule}: {', '.join(found)}\n{statement}"
                connection.rollback()
                connection.invalidate()
            seen += 1
    faults = [fault for fault in told.values() if fault]
    assert not faults, "\n\n".join([f"{len(faults)} of {len(told)} statements:", *faults])
    assert seen > 250
    assert len(told) > 300
