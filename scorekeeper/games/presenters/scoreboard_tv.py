"""The TV scoreboard: several games on one page."""

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
"""Most games on one TV. More could not be read from the back of the room."""
_SEPARATORS = re.compile(r"[\s,;]+")
_LONGEST = 300
"""Longest entry for one game, in characters; an address takes eighty."""


def read_ids(typed: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the chosen or typed games, each once and at most `MOST`.

    They may be separated by commas or spaces. A watch link counts as the id in it.
    """
    words = (word for text in typed for word in _SEPARATORS.split(text) if word)
    return tuple(islice(dict.fromkeys(_id_in(word[:_LONGEST]) for word in words), MOST))


def _id_in(word: str) -> str:
    """Return the id that a word is, or the last one in an address."""
    parts = re.split(r"[?#]", word, maxsplit=1)[0].split("/")
    named = [after for before, after in pairwise(parts) if before in ("watch", "games") and after]
    return (named[-1] if named else word).lower()


def wall_version(versions: Sequence[tuple[str, str]]) -> str:
    """Return a version tag for games (id, `queries.watched_version`) in this order."""
    return hashlib.sha256(repr(tuple(versions)).encode()).hexdigest()[:12]


def wall_page(snapshots: Sequence[Snapshot], *, address: str, version: str) -> pages.WallPage:
    """Return the TV page of some games. It asks for changes at `address`."""
    boards = [board_page(snapshot) for snapshot in snapshots]
    tables = tuple(pages.WallTable(board, max(len(number(side.total)) for side in board.sides)) for board in boards)
    return pages.WallPage(". ".join(board.title for board in boards), tables, address, version)
