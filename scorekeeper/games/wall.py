"""The page on the wall, made of the games as they stand."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

from scorekeeper.games import pages
from scorekeeper.games.board import board_page
from scorekeeper.games.snapshot import Snapshot
from scorekeeper.wording import number

MOST = 12
"""Games on one wall: with more, nobody at the back could read them."""
_SEPARATORS = re.compile(r"[\s,;]+")
_IN_ADDRESS = re.compile(r".*/(?:watch|games)/([^/?#]+).*")


def read_ids(typed: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of games that somebody ticked or typed, each once and at most `MOST`.

    Between them stand commas or spaces; the address where a game is watched says its id as well.
    """
    words = [word for text in typed for word in _SEPARATORS.split(text) if word]
    return tuple(dict.fromkeys(_IN_ADDRESS.sub(r"\1", word).lower() for word in words))[:MOST]


def wall_version(versions: Sequence[tuple[str, str]]) -> str:
    """Return the word for games (id, `queries.watched_version`) at these versions, in this order."""
    return hashlib.sha256(repr(tuple(versions)).encode()).hexdigest()[:12]


def wall_page(snapshots: Sequence[Snapshot], *, address: str, version: str) -> pages.WallPage:
    """Return the page of the games on the wall; `address` is where it asks for changes."""
    boards = [board_page(snapshot) for snapshot in snapshots]
    tables = tuple(pages.WallTable(board, max(len(number(side.total)) for side in board.sides)) for board in boards)
    return pages.WallPage(". ".join(board.title for board in boards), tables, address, version)
