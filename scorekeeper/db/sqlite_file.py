"""Whether the SQLite file that was opened is still the one under its name.

On Unix an open file lives on when it is deleted or another one is moved over it: SQLite goes on writing to it, and all
of that is gone when the server stops. So before and after each commit the device and inode of the path are compared
with those of the file that was opened. That takes a few microseconds.
"""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

if TYPE_CHECKING:
    from sqlalchemy import Engine

WRITE_AHEAD_LOG = "-wal"
"""Ending of the file beside the database that holds what SQLite wrote last."""
INFO = "database_file"
"""Where a connection keeps the `DatabaseFile` that it belongs to."""

Identity = tuple[int, int]
"""Device and inode."""
Opened = tuple[Identity | None, Identity | None]
"""A database and its write-ahead log."""


class FileGoneError(Exception):
    """The file that is open is no longer the one under its name; the message is for the log."""


class DatabaseFile:
    """The file of an engine, as it was opened first, and its write-ahead log as long as a connection is open."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.opened: Identity | None = None
        self.log: Identity | None = None
        self.connections = 0
        self.lock = Lock()

    def take_over(self, opened: Opened) -> None:
        """Take for ours what another process opened, which keeps a connection of its own for longer than we run.

        What lies under the name now may be another file already.
        """
        self.opened, self.log = opened
        self.connections = 1

    def check(self) -> None:
        """Raise `FileGoneError` if the database or its write-ahead log was moved, deleted or replaced."""
        if self.opened and identity_of(self.path) != self.opened:
            raise FileGoneError(GONE.format(self.path))
        # While a connection is open, SQLite itself does not remove it; the last one may be closing now.
        log = self.log
        if log and identity_of(self.path + WRITE_AHEAD_LOG) != log and self.log == log:
            raise FileGoneError(GONE.format(self.path + WRITE_AHEAD_LOG))

    def connecting(self, *_: object) -> None:
        """Check, before a connection is made, which would make a new file or read the wrong one."""
        self.check()

    def connected(self, connection: Any, record: Any) -> None:
        """Keep what was opened first, and let the connection know this file."""
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # from now on its log is there
        with self.lock:
            self.opened = self.opened or identity_of(self.path)
            self.log = self.log if self.connections else identity_of(self.path + WRITE_AHEAD_LOG)
            self.connections += 1
        record.info[INFO] = self

    def closing(self, _connection: object, record: Any) -> None:
        """Forget the log with the last connection: SQLite removes it then."""
        with self.lock:
            if record.info.pop(INFO, None):
                self.connections -= 1
                self.log = self.log if self.connections else None


GONE = (
    "The open file {} was moved, deleted or replaced, and nothing is saved any more. Leave the server running and see "
    "README, 'The database file is gone'."
)


def watch_file(engine: Engine) -> DatabaseFile | None:
    """Let the connections of `engine` notice when their SQLite file is gone; return that file, None for PostgreSQL.

    Connect what prepares a connection before this.
    """
    url = engine.url
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":", "file:")):
        return None
    file = DatabaseFile(os.path.abspath(url.database))  # noqa: PTH100  compared as text, links left alone
    event.listen(engine, "do_connect", file.connecting)
    event.listen(engine, "connect", file.connected)
    event.listen(engine, "close", file.closing)
    return file


def identity_of(path: str) -> Identity | None:
    """Return which file is under `path`; None if there is none, or none can be seen."""
    try:
        found = os.stat(path)  # noqa: PTH116  asked at every write
    except OSError:
        return None
    return found.st_dev, found.st_ino
