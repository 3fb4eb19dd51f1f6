"""Make backups while the server runs. Each process checks regularly whether a backup is due, and one of them makes it.

With SQLite, that is the first process to notice; with PostgreSQL, which several machines may share, the process that
has the turn (`turn`).
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scorekeeper.db.lock import held
from scorekeeper.db.sqlite_file import FileGoneError
from scorekeeper.ops.backup import turn
from scorekeeper.ops.backup.copying import BackupError, explained, holds_something
from scorekeeper.ops.backup.folder import back_up, backups_until, ending_of, made_at
from scorekeeper.ops.backup.turn import Turn
from scorekeeper.ops.scheduler import repeat

if TYPE_CHECKING:
    from sqlalchemy import URL

    from scorekeeper.db.sqlite_file import DatabaseFile

log = logging.getLogger(__name__)

BETWEEN_LOOKS = timedelta(seconds=20)
"""Time between two checks of a process whether a backup is due."""
AFTER_A_FAILURE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Schedule:
    """What to back up, where to, and how often.

    `database` is a SQLite file or the address of a PostgreSQL database. `keep` is the number of backups to keep.
    """

    database: Path | URL
    folder: Path
    every: timedelta
    keep: int

    def start(self, file: DatabaseFile | None = None) -> None:
        """Start a thread that makes backups until this process ends.

        `file` is the open SQLite file, or None for PostgreSQL.
        """
        own = None if isinstance(self.database, Path) else Turn(self.database)
        repeat(partial(self.look, file, own), "backups")

    def look(self, file: DatabaseFile | None, own: Turn | None) -> timedelta:
        """Make a backup if one is due and it is this process's turn. Return the time until the next check.

        `file` is the open SQLite file, or None for PostgreSQL. `own` is this process's turn on PostgreSQL, or None for
        SQLite. An error is logged, not raised.
        """
        try:
            if file:
                file.check()  # SQLite would take its side files for part of another database
            if own is None or own.is_mine():
                self.make_if_due()
        except (BackupError, FileGoneError) as error:
            log.error("No backup: %s", error)  # noqa: TRY400  the sentence is enough
        except Exception:
            log.exception("No backup")
        else:
            return BETWEEN_LOOKS
        return AFTER_A_FAILURE

    def make_if_due(self, now: datetime | None = None) -> Path | None:
        """Make a backup if one is due, and return its path. Raises `BackupError`.

        Return None if no backup is due, or if another process is making one. `now` is the current time by default.
        """
        if not self.is_due(now):
            return None
        with explained(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(BlockingIOError), held(self.folder / "turn", wait=False):
                # Check again: another process may just have made it.
                return back_up(self.database, self.folder, keep=self.keep, now=now) if self.is_due(now) else None
        return None

    def is_due(self, now: datetime | None = None) -> bool:
        """Return whether the newest backup is too old.

        If there is no backup yet, a backup is due unless the database is empty. Backups with a time in the future are
        ignored, because the clock was wrong when they were made.
        """
        moment = now or datetime.now(UTC)
        backups = backups_until(moment, self.folder, ending_of(self.database))
        return moment - made_at(backups[-1]) >= self.every if backups else self._holds_something()

    def _holds_something(self) -> bool:
        database = self.database
        return holds_something(database) if isinstance(database, Path) else turn.holds_something(database)
