"""The parts of the demo league while it is made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any

from scorekeeper.db.tokens import ALPHABET, ID_LENGTH
from scorekeeper.games.store.game_export import Whole
from scorekeeper.leagues.transfer.archive_rows import PARTS, Row

DEVICE = "nobody: the demo has no director yet"
"""Placeholder for the hash of a device. No device has it."""


@dataclass
class Making:
    """The parts of the archive while it is made."""

    random: Random
    words: Random
    now: datetime
    parts: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in PARTS})
    games: dict[int, Whole] = field(default_factory=dict)
    sets: Counter[int] = field(default_factory=Counter)
    """How often each person bid and was set on the night that is being made."""

    def add(self, part: str, **columns: Any) -> Row:
        """Add a row and return it."""
        row = {"id": len(self.parts[part]) + 1, **columns}
        self.parts[part].append(row)
        return row

    def note(self, kind: str, at: datetime, night: Row | None = None, **data: Any) -> None:
        """Add a line to the league's log."""
        if night is not None:
            night["version"] += 1
        self.add(
            "log",
            league_id=1,
            night_id=None if night is None else night["id"],
            at=at.isoformat(),
            device=DEVICE,
            kind=kind,
            data=data,
            request_key=None,
        )

    def word(self) -> str:
        """Return a new public id."""
        return "".join(self.words.choice(ALPHABET) for _ in range(ID_LENGTH))
