"""Read all rows of the database and their owners, to find out what each request changed."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from sqlalchemy import inspect

from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flask import Flask

Row = dict[str, Any]
Book = dict[str, dict[int, Row]]
"""The rows of each database table, as a dict from the table's name to a dict of its rows by id."""
GROWING = frozenset(("game_event", "game_note", "league_event", "account_event"))
"""Tables to which rows are only added; the database refuses other changes to them, so only new rows are read."""
NOT_OURS = frozenset(("alembic_version", "limit_hit"))


class Change(NamedTuple):
    """A row that was added, deleted or changed.

    `before` is None for a new row, and `after` is None for a deleted one.
    """

    table: str
    before: Row | None
    after: Row | None

    @property
    def row(self) -> Row:
        """The row before the change, or the new row if a row was added."""
        return self.before or self.after or {}

    @property
    def keys(self) -> frozenset[str]:
        """Names of the columns whose value changed. Empty for a new or deleted row."""
        if self.before is None or self.after is None:
            return frozenset()
        return frozenset(key for key, value in self.after.items() if self.before[key] != value)

    def __str__(self) -> str:
        if self.before is None or self.after is None:
            return f"{self.table} {'came' if self.before is None else 'went'}: {_short(self.row)}"
        other = {key: (self.before[key], self.after[key]) for key in sorted(self.keys)}
        return f"{self.table} {self.row.get('id')}: {_short(other)}"


class Watch:
    """An observer that reads the database from outside the app, and finds the rows that changed since the last read."""

    def __init__(self, app: Flask) -> None:
        with app.app_context():
            engine = db.engine
            self._tables = {
                name: [column["name"] for column in inspect(engine).get_columns(name)]
                for name in inspect(engine).get_table_names()
                if name not in NOT_OURS
            }
        self._sqlite = engine.dialect.name == "sqlite"
        # Not by way of the application's own engine: that would begin a transaction, and see one moment for ever.
        if self._sqlite:
            self._connection: Any = sqlite3.connect(str(engine.url.database), isolation_level=None)
        else:
            address = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
            self._connection = psycopg.connect(address, autocommit=True)
        self._mark: Any = None
        self.book: Book = {name: {} for name in self._tables}
        self.changes()

    def close(self) -> None:
        """Close the connection to the database."""
        self._connection.close()

    def changes(self) -> list[Change]:
        """Return the changes since the last call, and store the current rows in `book`."""
        mark = self._now()
        if mark == self._mark:
            return []
        found = []
        for name, columns in self._tables.items():
            known = self.book[name]
            key = "id" if "id" in columns else columns[0]
            query = f'SELECT * FROM "{name}"'
            if name in GROWING:
                query += f" WHERE id > {max(known, default=0)}"
            cursor = self._connection.execute(query)
            names = [column[0] for column in cursor.description]
            rows = [dict(zip(names, map(_plain, values), strict=True)) for values in cursor]
            told = {row[key]: row for row in rows}
            if name in GROWING:
                found += [Change(name, None, row) for row in told.values()]
                known.update(told)
                continue
            found += [Change(name, known.get(each), row) for each, row in told.items() if known.get(each) != row]
            found += [Change(name, row, None) for each, row in known.items() if each not in told]
            self.book[name] = told
        self._mark = mark
        return found

    def _now(self) -> Any:
        """Return a value that changes with every commit. It may also change without a commit."""
        query = "PRAGMA data_version" if self._sqlite else "SELECT pg_current_snapshot()::text"
        return self._connection.execute(query).fetchone()


def home_of(book: Book, change: Change) -> tuple[str, Any] | None:
    """Return the owner of a changed row as (kind, id), or None if the row has no owner.

    The kind is "game", "league", "home" for a home table, "account" or "device". For a device, the id is the hash of
    its secret.
    """
    return _home(book, change.table, change.row)


def find_home(book: Book, kind: str, public_id: str) -> tuple[str, Any] | None:
    """Return the owner of the page at "/`kind`/`public_id`" as (kind, id), as `home_of` does.

    Return None if there is no such page with an owner.
    """
    table = {"games": "game", "nights": "night", "leagues": "league"}.get(kind, "")
    row = next((row for row in book.get(table, {}).values() if row["public_id"] == public_id), None)
    return None if row is None else _home(book, table, row)


def _home(book: Book, table: str, row: Mapping[str, Any]) -> tuple[str, Any] | None:
    night = row.get("night_id")
    if table == "game":
        return "game", row["id"]
    if table != "league_table" and row.get("game_id") is not None:
        return "game", row["game_id"]
    if table == "player":
        seats = games_of(book, row["id"])
        return ("game", min(seats)) if seats else None
    if table == "league":
        return "league", row["id"]
    if table == "account":
        return "account", row["id"]
    if table.startswith("home_") and table != "home_photo":
        return "home", row["id" if table == "home_table" else "table_id"]
    if row.get("league_id") is not None:
        return "league", row["league_id"]
    if row.get("table_id") is not None:
        night = book["league_table"].get(row["table_id"], {}).get("night_id", night)
    if night is not None and night in book["night"]:
        return "league", book["season"][book["night"][night]["season_id"]]["league_id"]
    if row.get("season_id") is not None and row["season_id"] in book["season"]:
        return "league", book["season"][row["season_id"]]["league_id"]
    if row.get("account_id") is not None:
        return "account", row["account_id"]
    return ("device", row["device"]) if table == "house_rules" else None


def games_of(book: Book, player: int) -> set[int]:
    """Return the ids of the games in which a player has a seat."""
    return {game["id"] for game in book["game"].values() if player in json.loads(game["players"])}


def company_of(book: Book, game: int) -> set[int]:
    """Return the ids of a game and of all games connected to it, directly or through other games.

    Two games are connected if one is a rematch of the other, or if a player has a seat in both.
    """
    seated = {each: set(json.loads(row["players"])) for each, row in book["game"].items()}
    found, to_look = {game}, [game]
    while to_look:
        at = to_look.pop()
        near = {
            each
            for each, row in book["game"].items()
            if row["rematch_of"] == at or book["game"][at]["rematch_of"] == each or seated[each] & seated[at]
        }
        to_look += near - found
        found |= near
    return found


def nights_of(book: Book, league: int) -> Iterator[int]:
    """Yield the ids of all nights of a league."""
    for night in book["night"].values():
        if book["season"][night["season_id"]]["league_id"] == league:
            yield night["id"]


def _plain(value: Any) -> Any:
    """Return a value from a row in a form that can be compared.

    PostgreSQL returns JSON as objects, and SQLite returns JSON as text. This function returns JSON as text in both
    cases.
    """
    return json.dumps(value) if isinstance(value, dict | list) else value


def _short(row: Any) -> str:
    told = str(row)
    return told if len(told) < 300 else told[:300] + "…"
