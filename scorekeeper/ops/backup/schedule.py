"""Keep backups: where they are, when they are made, and which process makes them.

Keep backups in a folder. The name of a backup has the time when it was made. Only the newest backups are kept.

Choose one process to make the scheduled backups, among all those that share a PostgreSQL database.

That process holds a lock in the database. When the process ends or loses its connection, another process takes over.
The lock belongs to a transaction that stays open, not to a session, so the lock also works through PgBouncer in
transaction mode. The open transaction reads and writes nothing, so PostgreSQL can still remove old rows.

Make backups while the server runs. Each process checks regularly whether a backup is due, and one of them makes it.

With SQLite, that is the first process to notice; with PostgreSQL, which several machines may share, the process that
has the turn (`turn`).

Find the database that is backed up, and the folder for its backups.

Copy the database before an upgrade, so that the operator can go back to the older version.
"""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from sqlalchemy import NullPool, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.db.data_folder import held
from scorekeeper.db.database import connect_args
from scorekeeper.db.outages import FileGoneError, reason_of
from scorekeeper.ops.backup.copying import STAMP, BackupError, copy_whole, dump, explained, free_name, read_whole
from scorekeeper.ops.backup.copying import holds_something as file_holds_something
from scorekeeper.ops.scheduler import repeat

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

    from scorekeeper.config import Settings
    from scorekeeper.db.outages import DatabaseFile


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


BACKING_UP = 2021_0712
"""Id of the PostgreSQL lock for backups. It must differ from `db.schema_version.MIGRATING`."""


class Turn:
    """Decides whether this process makes the scheduled backups of the PostgreSQL database at `url`.

    Only one of the processes that share the database makes them: the one that has the turn.
    """

    def __init__(self, url: URL) -> None:
        self.url = url
        self.connection: Connection | None = None

    def is_mine(self) -> bool:
        """Return whether it is this process's turn. If no other process has the turn, this process takes it.

        Call this regularly, so that a lost connection is noticed. Raises `BackupError` if the database doesn't answer.
        """
        try:
            connection = self.connection = self.connection or self._connect()
            # In the same transaction this succeeds again each time.
            mine: bool = connection.execute(text(f"SELECT pg_try_advisory_xact_lock({BACKING_UP})")).scalar_one()
        except DBAPIError as error:
            self.give_up()
            raise BackupError(f"The database doesn't answer: {reason_of(error).rstrip('.')}.") from error
        if not mine:
            self.give_up()
        return mine

    def give_up(self) -> None:
        """Give up the turn, so that another process can take it."""
        if self.connection is not None:
            self.connection.invalidate()
            self.connection.close()
        self.connection = None

    def _connect(self) -> Connection:
        connection = engine_of(self.url).connect()
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        return connection


def holds_something(url: URL) -> bool:
    """Return whether the database at `url` contains a game or a league, or True if that can't be found out."""
    query = "SELECT EXISTS (SELECT 1 FROM game) OR EXISTS (SELECT 1 FROM league)"
    try:
        # Not the connection of a turn: its transaction would keep the tables locked against the next upgrade.
        with engine_of(url).connect() as connection:
            return bool(connection.execute(text(query)).scalar_one())
    except DBAPIError:
        return True


def engine_of(url: URL) -> Engine:
    """Return an engine without a connection pool. Each connection is new, and is closed after use."""
    return create_engine(url, poolclass=NullPool, connect_args=connect_args(url.drivername))


log = logging.getLogger(__name__)

BETWEEN_LOOKS = timedelta(seconds=20)
"""Time between two checks of a process whether a backup is due."""
AFTER_A_FAILURE = timedelta(minutes=10)


class Schedule(Struct, frozen=True):
    """What to back up, where to, and how often.

    `database` is a SQLite file or the address of a PostgreSQL database. `keep` is the number of backups to keep.
    """

    database: Path | URL
    folder: Path
    every: timedelta
    keep: int

    def start(self, file: DatabaseFile | None = None) -> None:
        """Start a thread that makes backups until this process ends.

        `file` is the open SQLite file, or None for PostgreSQL.
        """
        own = None if isinstance(self.database, Path) else Turn(self.database)
        repeat(partial(self.look, file, own), "backups")

    def look(self, file: DatabaseFile | None, own: Turn | None) -> timedelta:
        """Make a backup if one is due and it is this process's turn. Return the time until the next check.

        `file` is the open SQLite file, or None for PostgreSQL. `own` is this process's turn on PostgreSQL, or None for
        SQLite. An error is logged, not raised.
        """
        try:
            if file:
                file.check()  # SQLite would take its side files for part of another database
            if own is None or own.is_mine():
                self.make_if_due()
        except (BackupError, FileGoneError) as error:
            log.error("No backup: %s", error)  # noqa: TRY400  the sentence is enough
        except Exception:
            log.exception("No backup")
        else:
            return BETWEEN_LOOKS
        return AFTER_A_FAILURE

    def make_if_due(self, now: datetime | None = None) -> Path | None:
        """Make a backup if one is due, and return its path. Raises `BackupError`.

        Return None if no backup is due, or if another process is making one. `now` is the current time by default.
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
        """Return whether the newest backup is too old.

        If there is no backup yet, a backup is due unless the database is empty. Backups with a time in the future are
        ignored, because the clock was wrong when they were made.
        """
        moment = now or datetime.now(UTC)
        backups = backups_until(moment, self.folder, ending_of(self.database))
        return moment - made_at(backups[-1]) >= self.every if backups else self._holds_something()

    def _holds_something(self) -> bool:
        database = self.database
        return file_holds_something(database) if isinstance(database, Path) else holds_something(database)


def backup_folder(settings: Settings) -> Path:
    """Return the default folder for backups."""
    return settings.instance / "backups"


def database_of(database_url: str) -> Path | URL:
    """Return the path of a SQLite database file, or the URL of a PostgreSQL database."""
    url = make_url(database_url)
    return Path(url.database or "").absolute() if url.get_backend_name() == "sqlite" else url


def schedule_of(settings: Settings, hours: float | None, keep: int) -> Schedule | None:
    """Return the schedule for a backup every `hours` hours, or None if `hours` is None.

    `keep` is the number of backups to keep.
    """
    if hours is None:
        return None
    return Schedule(database_of(settings.database_url), backup_folder(settings), timedelta(hours=hours), keep)


UPGRADE_PART = "upgrade-part"
"""Name of the copy until it is complete."""
NOT_DUMPED = (
    "An older database is copied before it is upgraded, but {said} Or copy the database yourself and start once with "
    "--without-copy."
)


def copy_before_upgrade(settings: Settings, revision: str, now: datetime | None = None) -> Path:
    """Copy the database to the backup folder before an upgrade, and return the path of the copy.

    `revision` is the schema revision of the database. The copy is never deleted, and `scorekeeper restore` can restore
    it. Raises `BackupError` if the copy fails. In that case, no new file is left behind.
    """
    url = make_url(settings.database_url)
    folder = backup_folder(settings)
    with explained(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with held(folder / "lock"):
            start = folder / f"before-upgrade-from-{revision}"
            if url.get_backend_name() == "sqlite":
                path = free_name(start, now or datetime.now(UTC))
                copy_whole(Path(url.database or "").absolute(), folder / UPGRADE_PART, path)
            else:
                path = free_name(start, now or datetime.now(UTC), DUMP)
                _dump(url, folder / UPGRADE_PART, path)
    return path


def _dump(url: URL, part: Path, target: Path) -> None:
    try:
        dump(url, part, target)
    except BackupError as error:
        raise BackupError(NOT_DUMPED.format(said=error)) from error
