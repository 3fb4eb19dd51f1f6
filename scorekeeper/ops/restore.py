"""Restore a backup of a SQLite database. The current database is kept under another name.

Restore a PostgreSQL dump into an empty database, upgrade it to this version, and check its logs.
"""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct, structs
from sqlalchemy import URL, make_url, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.config import Settings, file_url
from scorekeeper.db.data_folder import held
from scorekeeper.db.outages import known_revisions, reason_of
from scorekeeper.ops.backup import copying
from scorekeeper.ops.backup.copying import (
    SIDE_FILES,
    BackupError,
    copy_whole,
    explained,
    forget,
    free_name,
    how_to_open,
    is_dump,
    move_to_disk,
    settle,
    sync_folder,
)
from scorekeeper.ops.backup.schedule import engine_of
from scorekeeper.ops.boot import boot, make_folder
from scorekeeper.ops.inspection import OTHER_VERSION, BootError, Contents, look_into, name_of, refuse_foreign_database

PREPARED = "restoring"
"""Name of the copy of the backup, in the database's folder, until the copy replaces the database."""
INCOMPLETE = "{} is incomplete: {} Nothing was changed. Use --anyway to restore it as it is."
OURS = {"game", "game_event", "player", "alembic_version"}
"""Names of tables that the database has in all versions of Scorekeeper."""


class Restored(Struct, frozen=True):
    """The result of restoring a backup.

    `games` and `events` say how many there are in the backup. `before` is the path of the previous database.
    """

    games: int
    events: int
    before: Path | None = None
    """None if there was no database before."""


def restore(
    backup: Path, database: Path, settings: Settings, now: datetime | None = None, *, anyway: bool = False
) -> Restored:
    """Replace the SQLite file `database` with a copy of `backup`, and keep the previous file under another name.

    A copy of an older version is upgraded. The file `backup` isn't changed.

    Raises `BackupError` if the backup is damaged, belongs to another program or has an unknown version. Also raises it
    if a server is running, if the disk is full, or if a log in the backup is incomplete. With `anyway`, incomplete logs
    are accepted. After an error, nothing is changed.
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
        found = look_into(file_url(prepared))
        if found.fault and not anyway:
            raise BackupError(INCOMPLETE.format(backup, found.fault))
        before = keep_aside(database, now)
        if before:
            take_over_rights(database, prepared)
        move_to_disk(prepared, database)
    finally:
        forget(prepared)
    return Restored(found.games, found.events, before)


def check(backup: Path) -> None:
    """Raise `BackupError` if the file `backup` can't be restored.

    The file must exist, be intact, belong to Scorekeeper, and have a known version.
    """
    if not backup.is_file():
        raise BackupError(f"There is no file {backup}.")
    try:
        if is_dump(backup):
            raise BackupError(f"{backup} is a backup of PostgreSQL, but DATABASE_URL is SQLite. Nothing was changed.")
        address = f"{backup.absolute().as_uri()}?{how_to_open(backup)}"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            whole = connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            ours = tables >= OURS
            revisions = {row[0] for row in connection.execute("SELECT * FROM alembic_version")} if ours else set()
    except OSError as error:
        raise BackupError(f"{backup} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:  # SQLite's message quotes the damage
        raise BackupError(_damaged(backup)) from error
    except sqlite3.DatabaseError as error:
        raise BackupError(_damaged(backup) if _is_damage(error) else f"{backup} can't be read: {error}.") from error
    if not whole:
        raise BackupError(_damaged(backup))
    if not revisions:
        raise BackupError(f"{backup} isn't a Scorekeeper database. Nothing was changed.")
    if revisions - known_revisions():
        raise BackupError(OTHER_VERSION.format(place=backup))


def bring_forward(database: Path, settings: Settings) -> None:
    """Upgrade a SQLite database to this version, and leave it as a single file without side files.

    No other process may have it open. Raises `BackupError` if it can't be upgraded or is damaged.
    """
    try:
        boot(structs.replace(settings, database_url=file_url(database)), copy_first=False)
    except BootError as error:
        raise BackupError(str(error)) from error
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        settle(connection, database)


def take_over_rights(before: Path, after: Path) -> None:
    """Give the file `after` the permissions of the file `before`. If this process runs as root, copy the owner too.

    Raises `OSError`.
    """
    shutil.copymode(before, after)
    if os.name != "nt" and os.geteuid() == 0:
        os.chown(after, before.stat().st_uid, before.stat().st_gid)


def keep_aside(database: Path, now: datetime) -> Path | None:
    """Keep the file `database` under a second name with the time `now`, and return that path.

    Return None if there is no database. Side files (`SIDE_FILES`) are renamed to match, even if the database is
    missing. Raises `OSError`.

    The database isn't opened, because SQLite would remove the log of a damaged database. The file also keeps its first
    name until the restored database replaces it. This way, there is always a database, even after a power failure.
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


NOT_EMPTY = (
    "{place} isn't empty, and what is in it stays. Make an empty database (createdb --encoding=UTF8 "
    "--template=template0 NAME), put its address into DATABASE_URL, and restore again."
)
NOT_A_DUMP = "{} isn't a backup of PostgreSQL, but DATABASE_URL is PostgreSQL. Nothing was changed."
MADE = """
SELECT 'TABLE ' || oid::regclass FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
UNION ALL
SELECT 'FUNCTION ' || oid::regprocedure FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
"""


def restore_dump(dump: Path, settings: Settings, *, anyway: bool = False) -> Restored:
    """Restore a dump into the empty PostgreSQL database of `settings`. An older dump is upgraded to this version.

    Raises `BackupError` if the database isn't empty. Also raises it if the dump is damaged, belongs to another program,
    has a newer version, or has an incomplete log. With `anyway`, incomplete logs are accepted. After an error,
    everything that was restored is dropped again.
    """
    check_dump(dump)
    url = make_url(settings.database_url)
    try:
        if refuse_foreign_database(settings.database_url):
            raise BackupError(NOT_EMPTY.format(place=name_of(url)))
    except BootError as error:
        raise BackupError(str(error)) from error
    before = made_in(url)
    try:
        found = load_and_look(dump, settings)
        if found.fault and not anyway:
            raise BackupError(INCOMPLETE.format(dump, found.fault))
    except BaseException:
        remove(url, made_in(url) - before)
        raise
    return Restored(found.games, found.events)


def check_dump(dump: Path) -> None:
    """Raise `BackupError` if the file `dump` can't be restored.

    The file must exist, be intact, belong to Scorekeeper, and have a known version.
    """
    if not dump.is_file():
        raise BackupError(f"There is no file {dump}.")
    try:
        if not copying.is_dump(dump):
            raise BackupError(NOT_A_DUMP.format(dump))
        copying.read_whole(dump)
        revision = copying.revision_in(dump)
    except OSError as error:
        raise BackupError(f"{dump} can't be read: {error.strerror}.") from error
    if not revision:
        raise BackupError(f"{dump} isn't a backup of Scorekeeper. Nothing was changed.")
    if revision not in known_revisions():
        raise BackupError(OTHER_VERSION.format(place=dump))


def load_and_look(dump: Path, settings: Settings) -> Contents:
    """Load a dump into the empty database of `settings`, upgrade it, and return a summary of it.

    Raises `BackupError`.
    """
    copying.load(dump, make_url(settings.database_url))
    try:
        boot(settings, copy_first=False)
    except BootError as error:
        raise BackupError(str(error)) from error
    return look_into(settings.database_url)


def made_in(url: URL) -> set[str]:
    """Return all tables and functions of the current schema, in the form that DROP needs, such as "TABLE game".

    Raises `BackupError`.
    """
    try:
        with engine_of(url).connect() as connection:
            return set(connection.execute(text(MADE)).scalars())
    except DBAPIError as error:
        raise BackupError(f"{name_of(url)} can't be read: {reason_of(error).rstrip('.')}.") from error


def remove(url: URL, things: set[str]) -> None:
    """Drop tables and functions, all of them or none. `things` are names from `made_in`."""
    with engine_of(url).begin() as connection:
        for thing in sorted(things, reverse=True):  # tables first: their triggers call the functions
            connection.exec_driver_sql(f"DROP {thing} CASCADE")
