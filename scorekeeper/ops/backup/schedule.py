"""Make backups while the server runs: each process checks now and then, and one makes the backup that is due."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.db.lock import held
from scorekeeper.db.sqlite_file import FileGoneError
from scorekeeper.ops.backup.copying import BackupError, back_up, backups_in, explained, holds_something, made_at
from scorekeeper.ops.scheduler import repeat

if TYPE_CHECKING:
    from pathlib import Path

    from scorekeeper.db.sqlite_file import DatabaseFile

log = logging.getLogger(__name__)

BETWEEN_LOOKS = timedelta(seconds=20)
"""How often a process checks whether a backup is due."""
AFTER_A_FAILURE = timedelta(minutes=10)
SLACK = timedelta(minutes=1)
"""How far in the future a backup may be before we assume that the clock was set back."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The file to back up, the folder for backups, the interval, and the number of backups to keep."""

    database: Path
    folder: Path
    every: timedelta
    keep: int

    def start(self, file: DatabaseFile | None = None) -> None:
        """Make backups of the open `file` in a thread until this process ends."""
        repeat(partial(self._look, file), "backups")

    def _look(self, file: DatabaseFile | None) -> timedelta:
        """Make a backup if one is due; return the time until the next check."""
        try:
            if file:
                file.check()  # SQLite would take its side files for part of another database
            self.make_if_due()
        except (BackupError, FileGoneError) as error:
            log.error("No backup: %s", error)  # noqa: TRY400  the sentence is enough
        except Exception:
            log.exception("No backup")
        else:
            return BETWEEN_LOOKS
        return AFTER_A_FAILURE

    def make_if_due(self, now: datetime | None = None) -> Path | None:
        """Make a backup if one is due and return its path; None if none is due or another process is making it.

        Raises `BackupError`.
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
        """Return whether the newest backup is older than `every`, or there is none and the database isn't empty.

        A backup from the future doesn't count: the clock was wrong when it was made.
        """
        moment = now or datetime.now(UTC)
        made = [made for made in map(made_at, backups_in(self.folder)) if made - moment <= SLACK]
        return moment - made[-1] >= self.every if made else holds_something(self.database)
