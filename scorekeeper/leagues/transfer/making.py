"""Build the archive of a new league, part by part."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from scorekeeper.games.store.game_export import Whole
from scorekeeper.leagues.transfer.archive_rows import PARTS, Row


@dataclass(kw_only=True)
class Making:
    """An archive while it is being built. `device` is the hash of the phone that is logged as its author."""

    device: str
    parts: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in PARTS})
    games: dict[int, Whole] = field(default_factory=dict)

    def add(self, part: str, **columns: Any) -> Row:
        """Add a row to a part of the archive, and return it.

        The row's id is the next number in that part, counted from 1.
        """
        row = {"id": len(self.parts[part]) + 1, **columns}
        self.parts[part].append(row)
        return row

    def note(self, kind: str, at: datetime, night: Row | None = None, **data: Any) -> None:
        """Add a line to the league's log. `kind` says what happened, and `data` has the details.

        If `night` is given, the line is about that night, and the version of the night goes up by 1.
        """
        if night is not None:
            night["version"] += 1
        self.add(
            "log",
            league_id=1,
            night_id=None if night is None else night["id"],
            at=at.isoformat(),
            device=self.device,
            kind=kind,
            data=data,
            request_key=None,
        )
