"""Backups while the score book is open: each process that answers looks now and then, and one makes what is due."""

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
"""After which a process looks again whether a backup is due."""
AFTER_A_FAILURE = timedelta(minutes=10)
SLACK = timedelta(minutes=1)
"""By how much a backup may lie in the future before we take it that the clock was put back."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What to back up, where, how often, and how many backups stay."""

    database: Path
    folder: Path
    every: timedelta
    keep: int

    def start(self, file: DatabaseFile | None = None) -> None:
        """Look after the backups of the open `file` from a thread of this process until it ends."""
        repeat(partial(self._look, file), "backups")

    def _look(self, file: DatabaseFile | None) -> timedelta:
        """Make the backup that is due; return when to look again."""
        try:
            if file:
                file.check()  # SQLite would take what lies beside it for a part of another one
            self.make_if_due()
        except (BackupError, FileGoneError) as error:
            log.error("No backup: %s", error)  # noqa: TRY400  the sentence says it all
        except Exception:
            log.exception("No backup")
        else:
            return BETWEEN_LOOKS
        return AFTER_A_FAILURE

    def make_if_due(self, now: datetime | None = None) -> Path | None:
        """Return the backup that was due and is made; None where none is due, or another process is at it.

        Raises `BackupError`.
        """
        if not self.is_due(now):
            return None
        with explained(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(BlockingIOError), held(self.folder / "turn", wait=False):
                # Asked again: another process may just have made it.
                return back_up(self.database, self.folder, keep=self.keep, now=now) if self.is_due(now) else None
        return None

    def is_due(self, now: datetime | None = None) -> bool:
        """Return whether the newest backup is older than `every`, or there is none though there is something in it.

        One of the future does not count: the clock was wrong then.
        """
        moment = now or datetime.now(UTC)
        made = [made for made in map(made_at, backups_in(self.folder)) if made - moment <= SLACK]
        return moment - made[-1] >= self.every if made else holds_something(self.database)
