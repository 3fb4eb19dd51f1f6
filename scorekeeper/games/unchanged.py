"""Whether a watched board is still the one that a phone has: a look at SQLite that takes a few microseconds.

A hall of phones asks that a thousand times a second, so it is asked without the application around it. What is said is
what `queries.watched_board` says; on PostgreSQL, where a look may have to wait, nobody asks here.
"""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import bindparam, exists, or_, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import aliased

from scorekeeper.games.models import GameRow
from scorekeeper.games.tally import NIGHT, version_word

if TYPE_CHECKING:
    from sqlalchemy import URL, Select

PATH = re.compile(r"/watch/([0-9a-z]+)")
TAG = re.compile(r'W/"([0-9.-]+)-[a-z]+-[0-9a-f]+"')
"""What the view `watch` tells a page by: the version of the board, the language, and the version of the assets."""

_rematch = aliased(GameRow)


def _in_words(query: Select[*tuple[object, ...]]) -> str:
    return str(query.compile(dialect=sqlite.dialect()))


_FIND = _in_words(
    select(
        GameRow.id,
        GameRow.version,
        or_(GameRow.rematch_of.is_not(None), exists().where(_rematch.rematch_of == GameRow.id)),
        GameRow.renamed,
    ).where(
        GameRow.public_id == bindparam("public_id"), GameRow.deleted_at.is_(None), GameRow.unwatched_since.is_(None)
    )
)
_NIGHT = _in_words(NIGHT.with_only_columns(GameRow.id, GameRow.version, GameRow.deleted_at))


class Board(NamedTuple):
    """A watched board that a phone has: the game's public id, and the version that `queries.watched_board` gave."""

    public_id: str
    version: str


def board_of(path: str, tag: str) -> Board | None:
    """Return which board a page is, by its path and its entity tag; None for any other page."""
    game, version = PATH.fullmatch(path), TAG.fullmatch(tag)
    return Board(game[1], version[1]) if game and version else None


class Glance:
    """A connection that only reads, for one thread. It never waits: where it cannot look, it does not know."""

    def __init__(self, url: URL) -> None:
        self.file = url.database if url.get_backend_name() == "sqlite" else None
        self.connection: sqlite3.Connection | None = None

    def stands(self, board: Board) -> bool:
        """Return whether everybody may watch that game and its board is still that one; False where it is unknown."""
        if self.file is None:
            return False
        try:
            return self._version_of(board.public_id) == board.version
        except sqlite3.Error:
            self.connection = None
            return False

    def _version_of(self, public_id: str) -> str | None:
        if self.connection is None:
            self.connection = sqlite3.connect(self.file or "", timeout=0, isolation_level=None)
            self.connection.execute("PRAGMA query_only = ON")
        found = self.connection.execute(_FIND, (public_id,)).fetchone()
        if found is None:
            return None
        game, version, linked, renamed = found
        word = version_word(version, renamed)
        if not linked:
            return word
        rows = self.connection.execute(_NIGHT, (game,)).fetchall()
        return f"{word}-{sum(row[1] for row in rows)}.{sum(row[0] for row in rows if row[2] is not None)}"
