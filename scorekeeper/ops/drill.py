"""Test the newest backup by restoring it into a temporary database, which is removed afterward."""

import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct, structs
from sqlalchemy import URL, make_url, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.config import Settings, file_url
from scorekeeper.db.data_folder import held
from scorekeeper.db.outages import reason_of
from scorekeeper.ops.backup.copying import BackupError, copy_whole, explained
from scorekeeper.ops.backup.schedule import PASSED, backups_in, database_of, ending_of, engine_of
from scorekeeper.ops.inspection import Contents, look_into
from scorekeeper.ops.restore import bring_forward, check, check_dump, load_and_look

SCRATCH = "scorekeeper_drill_"
"""Prefix of the names of temporary PostgreSQL databases."""
MAY_NOT = "The database user may not make the temporary database for a drill. As its administrator, run: {}"


class Drilled(Struct, frozen=True):
    """The result of a drill (a test restore): the backup, a summary of its contents, and how many seconds it took."""

    backup: Path
    found: Contents
    seconds: float


def drill(settings: Settings, folder: Path) -> Drilled:
    """Restore the newest backup in `folder` into a temporary database, check it, and return the result.

    The database in use isn't touched. Raises `BackupError` if there is no backup, if it can't be restored, or if one of
    its logs is incomplete.
    """
    database = database_of(settings.database_url)
    with explained(folder):
        backups = backups_in(folder, ending_of(database))
        if not backups:
            raise BackupError(f"There is no backup in {folder}. Make one with scorekeeper backup.")
        began = time.monotonic()
        with held(folder / "drill-lock"):
            from_file = isinstance(database, Path)
            found = of_file(backups[-1], settings) if from_file else of_dump(backups[-1], settings)
        if found.fault:
            raise BackupError(f"{backups[-1]} is incomplete: {found.fault} Keep an older backup, and make a new one.")
        (folder / PASSED).touch(mode=0o600)
    return Drilled(backups[-1], found, time.monotonic() - began)


def of_file(backup: Path, settings: Settings) -> Contents:
    """Restore `backup`, a SQLite file, into a temporary file, and return a summary of it.

    Raises `BackupError`.
    """
    check(backup)
    temporary = backup.with_name("drill")
    shutil.rmtree(temporary, ignore_errors=True)  # left by a process that was killed
    temporary.mkdir(mode=0o700)
    try:
        copy_whole(backup, temporary / "part", temporary / "book.db")
        bring_forward(temporary / "book.db", settings)
        return look_into(file_url(temporary / "book.db"))
    finally:
        shutil.rmtree(temporary)


def of_dump(backup: Path, settings: Settings) -> Contents:
    """Restore `backup`, a PostgreSQL dump, into a temporary database, and return a summary of it.

    Raises `BackupError`.
    """
    check_dump(backup)
    with scratch(make_url(settings.database_url)) as url:
        return load_and_look(backup, structs.replace(settings, database_url=url.render_as_string(hide_password=False)))


@contextmanager
def scratch(url: URL) -> Iterator[URL]:
    """Make an empty temporary database on the PostgreSQL server of `url`, yield its address, and drop it at the end.

    Temporary databases that killed processes left behind are dropped too. Raises `BackupError` if the database can't
    be made.
    """
    name = SCRATCH + secrets.token_hex(8)
    try:
        with engine_of(url).connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            names = connection.execute(text("SELECT datname FROM pg_database")).scalars().all()
            for left in names:
                if re.fullmatch(f"{SCRATCH}[0-9a-f]{{16}}", left):
                    with suppress(DBAPIError):  # in use by another machine
                        connection.exec_driver_sql(f"DROP DATABASE {left}")
            connection.exec_driver_sql(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") == "42501":
            raise BackupError(MAY_NOT.format(f'ALTER ROLE "{url.username or ""}" CREATEDB;')) from error
        raise BackupError(f"A temporary database can't be made: {reason_of(error).rstrip('.')}.") from error
    try:
        yield url.set(database=name)
    finally:
        with engine_of(url).connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
