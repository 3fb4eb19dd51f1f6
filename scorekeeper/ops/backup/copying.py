"""Copy the database while it is in use; check the copy and sync it to disk before giving it its name."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from scorekeeper.config import OperatorError
from scorekeeper.db.lock import held

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEPT = 14
"""Number of backups to keep by default."""
STAMP = "%Y%m%dT%H%M%SZ"
NAME = re.compile(r"scorekeeper-(\d{8}T\d{6}Z)\.db")
PART = "part"
"""Name of a backup until it is complete."""
SIDE_FILES = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite may put beside a database."""


DAMAGED = "The database is damaged, so no copy was made."


class BackupError(OperatorError):
    """A backup wasn't made or restored."""


def back_up(database: Path, folder: Path, *, keep: int = KEPT, now: datetime | None = None) -> Path:
    """Return the path of a new backup of the SQLite file `database` in `folder`, made if missing.

    Keep only the newest `keep` backups; leave other files in the folder alone. Wait until another backup there is
    done. Raises `BackupError`, and then leaves no file.
    """
    with explained(database.parent):
        if not database.is_file():
            raise BackupError(f"There is no database at {database}. Nothing was backed up.")
    with explained(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with held(folder / "lock"):
            path = free_name(folder / "scorekeeper", now or datetime.now(UTC))
            copy_whole(database, folder / PART, path)
            # If the clock was set back, its name may be older than the others; keep it anyway.
            others = [other for other in backups_in(folder) if other != path]
            for old in others[: max(0, len(others) + 1 - keep)]:
                old.unlink()
    return path


def holds_something(database: Path) -> bool:
    """Return whether the SQLite file `database` contains a game or a league; True if it can't be read."""
    if not database.is_file():
        return True
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?{how_to_open(database)}", uri=True)) as book:
            query = "SELECT EXISTS (SELECT 1 FROM game) OR EXISTS (SELECT 1 FROM league)"
            return bool(book.execute(query).fetchone()[0])
    except (sqlite3.Error, UnicodeDecodeError):
        return True


def backups_in(folder: Path) -> list[Path]:
    """Return the backups in `folder`, oldest first; an empty list if there is no such folder."""
    return sorted(path for path in folder.glob("scorekeeper-*.db") if NAME.fullmatch(path.name))


def made_at(backup: Path) -> datetime:
    """Return the time (UTC) in the name of a backup."""
    found = NAME.fullmatch(backup.name)
    assert found is not None
    return datetime.strptime(found[1], STAMP).replace(tzinfo=UTC)


def copy_whole(source: Path, part: Path, target: Path) -> None:
    """Copy the SQLite file `source`, which may be in use, by way of `part` to `target`: one file, synced to disk.

    Raises `sqlite3.Error`, `OSError`, or `BackupError` if the copy is damaged; then no file is left.
    """
    try:
        forget(part)  # left by a process that was killed
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?{how_to_open(source)}", uri=True)) as original,
            closing(sqlite3.connect(part, isolation_level=None)) as copy,
        ):
            original.backup(copy)
            settle(copy, source)
        move_to_disk(part, target)
    except BaseException:
        forget(part)
        raise


def how_to_open(database: Path) -> str:
    """Return the URI parameters to open a file that may be in a read-only place."""
    # Side files are part of the database. A file without them in a read-only folder can be read as it is.
    alone = not any(database.with_name(database.name + suffix).exists() for suffix in SIDE_FILES)
    return "mode=ro&immutable=1" if alone and not os.access(database.parent, os.W_OK) else "mode=rw"


def settle(copy: sqlite3.Connection, name: Path) -> None:
    """Turn the database `copy` into a single file without a write-ahead log, and check that it is intact.

    `name` is the file's name for the error message. Raises `BackupError` if the database is damaged.
    """
    copy.execute("PRAGMA journal_mode = DELETE")
    faults = copy.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",)
    if faults or copy.execute("PRAGMA foreign_key_check").fetchone():
        raise BackupError(f"{name} is damaged, so no copy was made.")


def move_to_disk(part: Path, target: Path) -> None:
    """Rename `part` to `target` so that after a power cut it is complete or missing. Raises `OSError`."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Sync the names in `folder` to disk; Windows does that by itself. Raises `OSError`."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def forget(database: Path) -> None:
    """Delete a database file and its side files, if they exist."""
    for suffix in ("", *SIDE_FILES):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Turn errors of SQLite or of the disk under `folder` into a `BackupError` with a sentence."""
    try:
        yield
    except UnicodeDecodeError as error:  # SQLite's message quotes the damage
        raise BackupError(DAMAGED) from error
    except (sqlite3.Error, OSError) as error:
        raise BackupError(_sentence(error, folder)) from error


def _sentence(error: sqlite3.Error | OSError, folder: Path) -> str:
    full = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG} if os.name != "nt" else {errno.ENOSPC}
    said = str(error)
    if (isinstance(error, OSError) and error.errno in full) or "disk is full" in said:
        return f"The disk is full. Nothing was written to {folder}. Make room, or choose another folder."
    if "disk I/O error" in said:
        return f"The disk reported an error. Nothing was written to {folder}. The disk may be too full or broken."
    if "malformed" in said or "not a database" in said:
        return DAMAGED
    return f"The folder {folder} can't be used: {getattr(error, 'strerror', None) or said}."


def free_name(start: Path, now: datetime, ending: str = ".db") -> Path:
    """Return an unused path: `start`, the time `now` and `ending`; the time is moved on while the name is taken."""
    path = start.with_name(f"{start.name}-{now:{STAMP}}{ending}")
    return free_name(start, now + timedelta(seconds=1), ending) if path.exists() else path
