"""Detect that the open SQLite file was deleted or replaced.

On Unix, SQLite could keep writing to a deleted or replaced file, and all of that would be lost when the server stops.
So before and after each commit, the device and inode of the path are compared with those of the open file. That takes a
few microseconds.
"""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

if TYPE_CHECKING:
    from sqlalchemy import Engine

WRITE_AHEAD_LOG = "-wal"
"""Ending of SQLite's write-ahead log, the file next to the database with the latest writes."""
INFO = "database_file"
"""Key of the `DatabaseFile` in the dict `info` of a connection."""

Identity = tuple[int, int]
"""Device and inode number of a file, which identify it whatever its name."""
Opened = tuple[Identity | None, Identity | None]
"""Identities of a database file and of its write-ahead log; None for a file that isn't open."""


class FileGoneError(Exception):
    """The open database file was moved, deleted or replaced. The message is for the log."""


class DatabaseFile:
    """The database file that an engine opened.

    While a connection is open, the file's write-ahead log is watched, too.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.opened: Identity | None = None
        self.log: Identity | None = None
        self.connections = 0
        self.lock = Lock()

    def take_over(self, opened: Opened) -> None:
        """Expect the files that another process opened, even if there are different files at their paths now.

        `opened` has the identities of the database and its write-ahead log. The other process must keep a connection
        open longer than this process does.
        """
        self.opened, self.log = opened
        self.connections = 1

    def check(self) -> None:
        """Raise `FileGoneError` if the database or its write-ahead log was moved, deleted or replaced."""
        if self.opened and identity_of(self.path) != self.opened:
            raise FileGoneError(GONE.format(self.path))
        # SQLite removes the log only with the last connection, which may be closing now.
        log = self.log
        if log and identity_of(self.path + WRITE_AHEAD_LOG) != log and self.log == log:
            raise FileGoneError(GONE.format(self.path + WRITE_AHEAD_LOG))

    def connecting(self, *_: object) -> None:
        """Raise `FileGoneError` if a new connection would open the wrong file.

        The file is wrong if the database was moved, deleted or replaced after it was first opened.
        """
        self.check()

    def connected(self, connection: Any, record: Any) -> None:
        """Count a new connection. At the first connection, remember the identities of the open files."""
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # this creates the log
        with self.lock:
            self.opened = self.opened or identity_of(self.path)
            self.log = self.log if self.connections else identity_of(self.path + WRITE_AHEAD_LOG)
            self.connections += 1
        record.info[INFO] = self

    def closing(self, _connection: object, record: Any) -> None:
        """Count a closed connection.

        SQLite deletes the write-ahead log with the last connection. So after the last connection, forget the log.
        """
        with self.lock:
            if record.info.pop(INFO, None):
                self.connections -= 1
                self.log = self.log if self.connections else None


GONE = (
    "The open file {} was moved, deleted or replaced, so nothing is saved. Leave the server running and see "
    "scorekeeper/server/OPERATING.md, 'The database file is gone'."
)


def watch_file(engine: Engine) -> DatabaseFile | None:
    """Check the SQLite file of `engine` at each new connection, and return that file. Return None for PostgreSQL.

    Call this after adding the listeners that prepare a connection.
    """
    url = engine.url
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":", "file:")):
        return None
    file = DatabaseFile(os.path.abspath(url.database))  # noqa: PTH100  absolute, but without resolving links
    event.listen(engine, "do_connect", file.connecting)
    event.listen(engine, "connect", file.connected)
    event.listen(engine, "close", file.closing)
    return file


def identity_of(path: str) -> Identity | None:
    """Return the device and inode of `path`, or None if they cannot be read."""
    try:
        found = os.stat(path)  # noqa: PTH116  called at every write
    except OSError:
        return None
    return found.st_dev, found.st_ino
