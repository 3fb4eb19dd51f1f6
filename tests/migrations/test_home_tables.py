"""Downgrading to a version without home tables and upgrading again, which keeps all games and makes new home tables."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from flask_migrate import downgrade, upgrade
from sqlalchemy import inspect

from scorekeeper.web.extensions import db
from tests.games.test_home_table import homes, people
from tests.support.game import CLEAN, FOUR, contents, path_of, play, play_all, start, totals
from tests.support.photos import photo

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

BEFORE = "0022"
NEW_TABLES = {"home_table", "home_phone", "home_photo", "home_person", "home_link", "home_code", "hand_note"}


def names_in(app: Flask) -> set[str]:
    """Return the names of all tables, indexes and constraints in the database."""
    with app.app_context(), db.engine.connect() as connection:
        seen = inspect(connection)
        found = set(seen.get_table_names())
        for table in list(found):
            parts = (*seen.get_indexes(table), *seen.get_unique_constraints(table), *seen.get_foreign_keys(table))
            found |= {str(part["name"]) for part in parts} | {str(seen.get_pk_constraint(table)["name"])}
        return found


def test_games_survive_a_version_without_home_tables(app: Flask, client: Phone) -> None:
    finished = play_all(client, start(client), CLEAN)
    running = play(client, start(client), 0, 3, "AAAB")
    note = client.see(f"{path_of(running)}/hands/3/note")
    client.submit(note, f"{path_of(running)}/hands/3/note", note="Ann misdealt.")
    client.submit(note, f"{path_of(running)}/hands/3/photo", photo=(io.BytesIO(photo()), "cards.jpg"))
    log, names, shown = contents(app)["game_event"], names_in(app), totals(client.see(finished.path))
    assert names >= NEW_TABLES
    with app.app_context():
        db.session.remove()
        downgrade(revision=BEFORE)
    assert not names_in(app) & NEW_TABLES
    with app.app_context():
        db.session.remove()
        upgrade()
    assert names_in(app) == names
    assert contents(app)["game_event"] == log
    assert totals(client.see(finished.path)) == shown
    start(client)
    (home,) = set(homes(app))
    assert home is not None
    assert sorted(people(app)) == sorted(FOUR)
