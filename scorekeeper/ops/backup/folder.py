"""Keep backups in a folder. The name of a backup has the time when it was made. Only the newest backups are kept."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from scorekeeper.db.lock import held
from scorekeeper.ops.backup.copying import STAMP, BackupError, copy_whole, explained, free_name
from scorekeeper.ops.backup.dumping import dump, read_whole

if TYPE_CHECKING:
    from sqlalchemy import URL

KEPT = 14
"""Number of backups to keep by default."""
NAME = re.compile(r"scorekeeper-(\d{8}T\d{6}Z)\.(?:db|dump)")
FILE, DUMP = ".db", ".dump"
"""Endings of the backups of a SQLite file and of a PostgreSQL database."""
PART = "part"
"""Name of a backup until it is complete."""
PASSED = "drilled"
"""Name of an empty file; its modification time is when a drill (a test restore of the newest backup) last succeeded."""
SLACK = timedelta(minutes=1)
"""How far in the future the time of a backup may be.

If it is later than that, the clock must have been set back after the backup was made.
"""


def back_up(database: Path | URL, folder: Path, *, keep: int = KEPT, now: datetime | None = None) -> Path:
    """Back up a database to a folder, and return the path of the backup.

    `database` is a SQLite file or the address of a PostgreSQL database. The folder is created if it is missing. Only
    the newest `keep` backups of this kind of database are kept. Other files in the folder aren't touched.

    If another backup to the folder is running, this one waits. Raises `BackupError` if the backup fails. In that case,
    no new file is left behind.
    """
    ending = ending_of(database)
    if isinstance(database, Path):
        with explained(database.parent):
            if not database.is_file():
                raise BackupError(f"There is no database at {database}. Nothing was backed up.")
    with explained(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with held(folder / "lock"):
            path = free_name(folder / "scorekeeper", now or datetime.now(UTC), ending)
            if isinstance(database, Path):
                copy_whole(database, folder / PART, path)
            else:
                dump(database, folder / PART, path, check=read_whole)
            # If the clock was set back, its name may be older than the others; keep it anyway.
            others = [other for other in backups_in(folder, ending) if other != path]
            for old in others[: max(0, len(others) + 1 - keep)]:
                old.unlink()
    return path


def ending_of(database: Path | URL) -> str:
    """Return the file name ending of the backups of `database`: `FILE` for SQLite, `DUMP` for PostgreSQL."""
    return FILE if isinstance(database, Path) else DUMP


def backups_in(folder: Path, ending: str = FILE) -> list[Path]:
    """Return the backups in `folder` with this `ending`, oldest first, or [] if the folder doesn't exist."""
    return sorted(path for path in folder.glob(f"scorekeeper-*{ending}") if NAME.fullmatch(path.name))


def backups_until(now: datetime, folder: Path, ending: str = FILE) -> list[Path]:
    """Return what `backups_in` returns, without backups whose time is later than `now` by more than `SLACK`.

    If a backup has a later time, the clock was wrong when the backup was made, or the clock is wrong now.
    """
    return [path for path in backups_in(folder, ending) if made_at(path) - now <= SLACK]


def made_at(backup: Path) -> datetime:
    """Return the time (UTC) in the name of a backup."""
    found = NAME.fullmatch(backup.name)
    assert found is not None
    return datetime.strptime(found[1], STAMP).replace(tzinfo=UTC)
