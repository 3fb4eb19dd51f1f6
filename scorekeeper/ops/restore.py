"""Restore a backup: check it, upgrade it to this version, and keep the current database under another name."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import NullPool, create_engine

from scorekeeper.config import file_url
from scorekeeper.db.lock import held
from scorekeeper.db.schema_version import known_revisions
from scorekeeper.ops.backup.copying import (
    SIDE_FILES,
    BackupError,
    copy_whole,
    explained,
    forget,
    free_name,
    how_to_open,
    move_to_disk,
    settle,
    sync_folder,
)
from scorekeeper.ops.boot import boot, make_folder
from scorekeeper.ops.event_log_check import faults
from scorekeeper.ops.inspection import BootError

if TYPE_CHECKING:
    from pathlib import Path

    from scorekeeper.config import Settings

PREPARED = "restoring"
"""Name of the backup beside the database until it replaces it."""
OURS = {"game", "game_event", "player", "alembic_version"}
"""Tables that all versions of our database have."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The sizes of the restored database, and the path of the previous one."""

    games: int
    events: int
    before: Path | None
    """None if there was none."""


def restore(
    backup: Path, database: Path, settings: Settings, now: datetime | None = None, *, anyway: bool = False
) -> Restored:
    """Replace the SQLite file `database` of `settings` with a copy of `backup`, and keep it under another name.

    An older backup is upgraded first; the file `backup` itself doesn't change. Raises `BackupError`, and changes
    nothing, if the file is damaged, not ours or of a newer version, if a server runs on that instance, if the disk is
    full, and, unless `anyway`, if the log of a game or a league is incomplete.
    """
    try:
        make_folder(settings.instance)
        make_folder(database.parent)
        with explained(database.parent), held(settings.instance / "serving", wait=False):
            return _put_in_place(backup, database, settings, now or datetime.now(UTC), anyway=anyway)
    except BootError as error:
        raise BackupError(str(error)) from error
    except BackupError as error:
        if isinstance(error.__cause__, BlockingIOError):
            raise BackupError("The server is running. Stop it first, then restore again.") from error
        raise


def _put_in_place(backup: Path, database: Path, settings: Settings, now: datetime, *, anyway: bool) -> Restored:
    if database.exists() and backup.exists() and backup.samefile(database):
        raise BackupError(f"{backup} is the database itself. Choose one of its backups.")
    check(backup)
    prepared = database.with_name(PREPARED)
    try:
        copy_whole(backup, database.with_name(f"{PREPARED}-part"), prepared)
        bring_forward(prepared, settings)
        if not anyway:
            check_logs(prepared, backup)
        with closing(sqlite3.connect(prepared)) as copy:
            games = copy.execute("SELECT count(*) FROM game").fetchone()[0]
            events = copy.execute("SELECT count(*) FROM game_event").fetchone()[0]
        before = keep_aside(database, now)
        if before:
            take_over_rights(database, prepared)
        move_to_disk(prepared, database)
    finally:
        forget(prepared)
    return Restored(games, events, before)


def check(backup: Path) -> None:
    """Raise `BackupError` if `backup` isn't a file, is damaged, not ours, or of a newer version."""
    if not backup.is_file():
        raise BackupError(f"There is no file {backup}.")
    try:
        address = f"{backup.absolute().as_uri()}?{how_to_open(backup)}"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            whole = connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            ours = tables >= OURS
            revisions = {row[0] for row in connection.execute("SELECT * FROM alembic_version")} if ours else set()
    except UnicodeDecodeError as error:  # SQLite's message quotes the damage
        raise BackupError(_damaged(backup)) from error
    except sqlite3.DatabaseError as error:
        raise BackupError(_damaged(backup) if _is_damage(error) else f"{backup} can't be read: {error}.") from error
    if not whole:
        raise BackupError(_damaged(backup))
    if not revisions:
        raise BackupError(f"{backup} isn't a Scorekeeper database. Nothing was changed.")
    if revisions - known_revisions():
        raise BackupError(f"{backup} was written by a newer version of Scorekeeper. Update this version first.")


def bring_forward(database: Path, settings: Settings) -> None:
    """Upgrade a database that is not in use to this version, and leave it as one file without side files.

    Raises `BackupError` if it can't be upgraded or is damaged.
    """
    try:
        boot(replace(settings, database_url=file_url(database)), copy_first=False)
    except BootError as error:
        raise BackupError(str(error)) from error
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        settle(connection, database)


def check_logs(database: Path, name: Path) -> None:
    """Raise `BackupError` if a log of `database`, a copy of `name`, is incomplete."""
    engine = create_engine(file_url(database), poolclass=NullPool)
    with engine.connect() as connection:
        fault = next(faults(connection), None)
    if fault:
        raise BackupError(f"{name} is incomplete: {fault} Nothing was changed. Use --anyway to restore it as it is.")


def take_over_rights(before: Path, after: Path) -> None:
    """Give `after` the permissions and, as root, the owner of `before`. Raises `OSError`."""
    shutil.copymode(before, after)
    if os.name != "nt" and os.geteuid() == 0:
        os.chown(after, before.stat().st_uid, before.stat().st_gid)


def keep_aside(database: Path, now: datetime) -> Path | None:
    """Give the current database a second name and return that name; None if there is no database.

    Side files of a missing database get such a name, too. Raises `OSError`.

    The database isn't opened: it may be damaged, and SQLite would remove its log. It keeps its first name as well until
    the restored database replaces it, so a power cut leaves a database in place.
    """
    aside = free_name(database.with_name(f"{database.stem}-before"), now)
    for suffix in ("", *SIDE_FILES):
        file = database.with_name(database.name + suffix)
        if file.exists():
            _link(file, aside.with_name(aside.name + suffix))
    sync_folder(database.parent)
    for suffix in SIDE_FILES:  # SQLite would take them for part of the backup
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    return aside if aside.exists() else None


def _link(file: Path, other: Path) -> None:
    try:
        other.hardlink_to(file)
    except OSError:  # not every file system has links
        shutil.copy2(file, other)
        with other.open("rb+") as copied:
            os.fsync(copied.fileno())


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    return any(part in str(error) for part in ("malformed", "not a database", "no such table"))


def _damaged(backup: Path) -> str:
    return f"{backup} is damaged or isn't a database. Nothing was changed."
