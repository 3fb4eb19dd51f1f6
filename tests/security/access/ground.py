"""Detect each change that a request makes to the database, and restore the database after it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from scorekeeper.web.extensions import db
from tests.support import databases
from tests.support.game import contents

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask


class Ground:
    """The database of `app` in `folder`, on SQLite or PostgreSQL, with a copy of the original state.

    On PostgreSQL, the copy is in the folder `kept`.
    """

    def __init__(self, app: Flask, folder: Path, kept: Path) -> None:
        self.app, self.folder, self.kept = app, folder, kept
        self.before = contents(app)
        self._let_go()
        self.tables = sorted(self.before)
        kept.mkdir()
        if databases.on_postgresql():
            databases.copy_book(folder, kept)
        else:
            self.watch = sqlite3.connect(folder / "scorekeeper.db")
            self.copy = sqlite3.connect(":memory:")
            self.watch.backup(self.copy)
            self.before = self._contents()
        self.seen = self._mark()

    def changed(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return how the database differs from the original, as (missing rows, new rows) by table name.

        Tables without a difference are left out. Return an empty dictionary if nothing was written since the last call
        of this method or of `put_back`.
        """
        mark = self._mark()
        if mark == self.seen:
            return {}
        self.seen = mark
        now = self._contents()
        return {
            name: (sorted(set(rows) - set(now[name])), sorted(set(now[name]) - set(rows)))
            for name, rows in self.before.items()
            if rows != now[name]
        }

    def put_back(self) -> None:
        """Restore the original state of the database."""
        if databases.on_postgresql():
            self._let_go()
            databases.drop_book(self.folder)
            databases.copy_book(self.kept, self.folder)
        else:
            with closing(sqlite3.connect(self.folder / "scorekeeper.db")) as target:
                target.execute("PRAGMA synchronous=OFF")
                self.copy.backup(target)
        self.seen = self._mark()

    def leave(self) -> None:
        """Close the connections and delete the copy."""
        self._let_go()
        if databases.on_postgresql():
            databases.drop_book(self.kept)
        else:
            self.watch.close()
            self.copy.close()

    def _contents(self) -> dict[str, list[str]]:
        if databases.on_postgresql():
            return contents(self.app)
        # As `contents` does, without all that lies between.
        return {
            name: sorted(repr(row) for row in self.watch.execute(f'SELECT * FROM "{name}"')) for name in self.tables
        }

    def _mark(self) -> str:
        """Return a marker: a string that changes with each transaction that changes the database.

        The marker may also change at other times.
        """
        if databases.on_postgresql():
            with self.app.app_context(), db.engine.connect() as connection:
                return str(connection.exec_driver_sql("SELECT pg_current_wal_insert_lsn()").scalar_one())
        return str(self.watch.execute("PRAGMA data_version").fetchone()[0])

    def _let_go(self) -> None:
        with self.app.app_context():
            db.engine.dispose()
