"""A database that is restored after each request, with each change detected."""

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
    """The database of `app`, in `folder`, as it stands now; on SQLite and on PostgreSQL."""

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
        """Return what is otherwise than at first: by table, the rows that are gone and those that are new."""
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
        """Let everything be as it was at first."""
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
        """Close what was opened."""
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
        """What is another one after every transaction that wrote something, perhaps after others too."""
        if databases.on_postgresql():
            with self.app.app_context(), db.engine.connect() as connection:
                return str(connection.exec_driver_sql("SELECT pg_current_wal_insert_lsn()").scalar_one())
        return str(self.watch.execute("PRAGMA data_version").fetchone()[0])

    def _let_go(self) -> None:
        with self.app.app_context():
            db.engine.dispose()
