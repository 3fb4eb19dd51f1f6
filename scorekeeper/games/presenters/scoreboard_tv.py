"""The page on the wall, made of the games as they stand."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

from scorekeeper.games import pages
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.i18n.sentences import number

MOST = 12
"""Games on one wall: with more, nobody at the back could read them."""
_SEPARATORS = re.compile(r"[\s,;]+")
_LONGEST = 300
"""Characters of what somebody types for one game; an address takes eighty."""


def read_ids(typed: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of games that somebody ticked or typed, each once and at most `MOST`.

    Between them stand commas or spaces; the address where a game is watched says its id as well.
    """
    words = (word for text in typed for word in _SEPARATORS.split(text) if word)
    return tuple(islice(dict.fromkeys(_id_in(word[:_LONGEST]) for word in words), MOST))


def _id_in(word: str) -> str:
    """The id that a word is, or the last one that it says as an address."""
    parts = re.split(r"[?#]", word, maxsplit=1)[0].split("/")
    named = [after for before, after in pairwise(parts) if before in ("watch", "games") and after]
    return (named[-1] if named else word).lower()


def wall_version(versions: Sequence[tuple[str, str]]) -> str:
    """Return the word for games (id, `queries.watched_version`) at these versions, in this order."""
    return hashlib.sha256(repr(tuple(versions)).encode()).hexdigest()[:12]


def wall_page(snapshots: Sequence[Snapshot], *, address: str, version: str) -> pages.WallPage:
    """Return the page of the games on the wall; `address` is where it asks for changes."""
    boards = [board_page(snapshot) for snapshot in snapshots]
    tables = tuple(pages.WallTable(board, max(len(number(side.total)) for side in board.sides)) for board in boards)
    return pages.WallPage(". ".join(board.title for board in boards), tables, address, version)
