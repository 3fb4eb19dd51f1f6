"""Make the TV scoreboard, which shows several games on a single page."""

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
"""Maximum number of games on one TV. More could not be read from the back of the room."""
_SEPARATORS = re.compile(r"[\s,;]+")
_LONGEST = 300
"""Maximum number of characters of an id or address that someone typed; an address has about eighty."""


def read_ids(typed: Iterable[str]) -> tuple[str, ...]:
    """Return the public ids of the games that were chosen or typed, without duplicates and at most `MOST`.

    Each string in `typed` may have several ids, separated by commas or spaces. The address of a game may be used
    instead of an id.
    """
    words = (word for text in typed for word in _SEPARATORS.split(text) if word)
    return tuple(islice(dict.fromkeys(_id_in(word[:_LONGEST]) for word in words), MOST))


def _id_in(word: str) -> str:
    """Return the public id in `word`, in lower case.

    If `word` is an address, the id is the part after the last "watch" or "games". Otherwise, `word` is the id itself.
    """
    parts = re.split(r"[?#]", word, maxsplit=1)[0].split("/")
    named = [after for before, after in pairwise(parts) if before in ("watch", "games") and after]
    return (named[-1] if named else word).lower()


def wall_version(versions: Sequence[tuple[str, str]]) -> str:
    """Return a string that changes whenever one of the games on the TV changes.

    Each item of `versions` has the public id of a game and the game's `queries.watched_version`.
    """
    return hashlib.sha256(repr(tuple(versions)).encode()).hexdigest()[:12]


def wall_page(snapshots: Sequence[Snapshot], *, address: str, version: str) -> pages.WallPage:
    """Return the TV page of some games.

    The page polls `address`, and is updated when the response differs from `version`.
    """
    boards = [board_page(snapshot) for snapshot in snapshots]
    tables = tuple(pages.WallTable(board, max(len(number(side.total)) for side in board.sides)) for board in boards)
    return pages.WallPage(". ".join(board.title for board in boards), tables, address, version)
