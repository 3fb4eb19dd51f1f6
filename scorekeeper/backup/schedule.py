"""Backups while the score book is open: each process that answers looks now and then, and one makes what is due."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from scorekeeper.backup.making import BackupError, back_up, backups_in, explained, made_at
from scorekeeper.lock import held

if TYPE_CHECKING:
    from pathlib import Path

log = logging.getLogger(__name__)

LOOKS_SECONDS = 20
"""How often a process looks whether a backup is due."""
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

    def start(self) -> None:
        """Look after the backups from a thread of this process until it ends."""
        threading.Thread(target=self._run, name="backups", daemon=True).start()

    def _run(self) -> None:
        while True:
            pause = timedelta(seconds=LOOKS_SECONDS)
            try:
                self.make_if_due()
            except BackupError as error:
                log.error("No backup: %s", error)  # noqa: TRY400  the sentence says it all
                pause = AFTER_A_FAILURE
            except Exception:
                log.exception("No backup")
                pause = AFTER_A_FAILURE
            time.sleep(pause.total_seconds())

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
        """Return whether the newest backup is older than `every`, or there is none."""
        made = [made_at(path) for path in backups_in(self.folder)]
        moment = now or datetime.now(UTC)
        return not made or moment - made[-1] >= self.every or made[-1] - moment > SLACK
