"""Restore a PostgreSQL dump into an empty database, upgrade it to this version, and check its logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.db.outages import reason_of
from scorekeeper.db.schema_version import known_revisions
from scorekeeper.ops.backup import dumping
from scorekeeper.ops.backup.copying import BackupError
from scorekeeper.ops.backup.turn import engine_of
from scorekeeper.ops.boot import boot
from scorekeeper.ops.event_log_check import look_into
from scorekeeper.ops.inspection import OTHER_VERSION, BootError, name_of, refuse_foreign_database
from scorekeeper.ops.restore import INCOMPLETE, Restored

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import URL

    from scorekeeper.config import Settings
    from scorekeeper.ops.event_log_check import Contents

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
        if not dumping.is_dump(dump):
            raise BackupError(NOT_A_DUMP.format(dump))
        dumping.read_whole(dump)
        revision = dumping.revision_in(dump)
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
    dumping.load(dump, make_url(settings.database_url))
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
