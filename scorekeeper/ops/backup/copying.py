"""Copy a SQLite file while it is in use, and check the copy before it gets its final name."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from scorekeeper.config import OperatorError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

STAMP = "%Y%m%dT%H%M%SZ"
SIDE_FILES = ("-wal", "-shm", "-journal")
"""Endings of the names of files that SQLite may put beside a database."""


DAMAGED = "The database is damaged, so no copy was made."


class BackupError(OperatorError):
    """A backup could not be made or restored."""


def holds_something(database: Path) -> bool:
    """Return whether the SQLite file `database` contains a game or a league, or True if that can't be found out."""
    if not database.is_file():
        return True
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?{how_to_open(database)}", uri=True)) as book:
            query = "SELECT EXISTS (SELECT 1 FROM game) OR EXISTS (SELECT 1 FROM league)"
            return bool(book.execute(query).fetchone()[0])
    except (sqlite3.Error, UnicodeDecodeError):
        return True


def copy_whole(source: Path, part: Path, target: Path) -> None:
    """Copy the SQLite file `source` to `target` and sync the copy to disk. `source` may be in use.

    The copy is at the path `part` until it is complete and checked. Raises `sqlite3.Error` or `OSError`, or
    `BackupError` if the copy is damaged. If an error is raised, no new file is left behind.
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
    """Return the parameters of a SQLite URI that can open `database`, even in a read-only folder."""
    # Side files are part of the database. A file without them in a read-only folder can be read as it is.
    alone = not any(database.with_name(database.name + suffix).exists() for suffix in SIDE_FILES)
    return "mode=ro&immutable=1" if alone and not os.access(database.parent, os.W_OK) else "mode=rw"


def settle(copy: sqlite3.Connection, name: Path) -> None:
    """Turn the open database `copy` into a single file without a write-ahead log, and check that it is intact.

    `name` is the path of the original, which the error message mentions. Raises `BackupError` if the database is
    damaged.
    """
    copy.execute("PRAGMA journal_mode = DELETE")
    faults = copy.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",)
    if faults or copy.execute("PRAGMA foreign_key_check").fetchone():
        raise BackupError(f"{name} is damaged, so no copy was made.")


def move_to_disk(part: Path, target: Path) -> None:
    """Sync the file `part` to disk, and rename it to `target`. Raises `OSError`.

    After a power failure, `target` is either complete or doesn't exist.
    """
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Sync the file names in `folder` to disk. Nothing is done on Windows, which syncs file names without this call.

    Raises `OSError`.
    """
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def forget(database: Path) -> None:
    """Delete the file `database` and its side files, if they exist."""
    for suffix in ("", *SIDE_FILES):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the disk inside the block into a `BackupError`.

    The message of the `BackupError` is a sentence for the operator, which usually names `folder`.
    """
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
    """Return a path that doesn't exist yet, made of `start`, the time `now` and `ending`.

    If the path already exists, seconds are added to the time until there is a free path.
    """
    path = start.with_name(f"{start.name}-{now:{STAMP}}{ending}")
    return free_name(start, now + timedelta(seconds=1), ending) if path.exists() else path
