"""Answer `/healthz` and `/readyz` for a monitoring program. Both pages are cheap and need no cookie."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Response, current_app
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scorekeeper.db.outages import READ_VERSION, FileGoneError, fits
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.db.outages import DatabaseFile

LEAST_FREE_BYTES = 50 * 1024 * 1024
"""Free space below which the disk counts as full: a season takes a few megabytes, and its backup as much again."""
IS_STANDBY = "SELECT pg_is_in_recovery()"
SECONDS_REMEMBERED = 1.0
"""How long a result is used again, so that many requests can't keep the database busy."""


class Looker:
    """Checks the database, its migrations, and the disk of an application, but at most once a second."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.lock = threading.Lock()
        self.looked = float("-inf")
        self.found: dict[str, bool] = {}

    def look(self) -> dict[str, bool]:
        """Return a dict that says whether "database", "migrations" and "disk" are fine.

        The result may be up to a second old. If another thread is checking now, return the previous result.
        """
        if not self.lock.acquire(blocking=not self.found):
            return self.found
        try:
            if time.monotonic() - self.looked >= SECONDS_REMEMBERED:
                with self.app.app_context():
                    self.found = look()
                self.looked = time.monotonic()
            return self.found
        finally:
            self.lock.release()


def connect(app: Flask) -> None:
    """Add the pages `/healthz` and `/readyz` to `app`."""
    app.extensions["looker"] = Looker(app)
    app.add_url_rule("/healthz", view_func=healthz)
    app.add_url_rule("/readyz", view_func=readyz)


def looker_of(app: Flask) -> Looker:
    """Return the `Looker` of `app`."""
    looker: Looker = app.extensions["looker"]
    return looker


def healthz() -> Response:
    """Answer that this process is running. A monitoring program can restart a process that doesn't answer."""
    return _plain("ok\n", 200)


def readyz() -> Response:
    """Answer whether the database, its migrations and the disk are fine.

    If any of these has failed, the status is 503, so that a proxy sends no requests to this server.
    """
    found = looker_of(current_app).look()
    lines = "".join(f"{what}: {'ok' if is_well else 'failed'}\n" for what, is_well in found.items())
    return _plain(lines, 200 if all(found.values()) else 503)


def _plain(text: str, status: int) -> Response:
    return Response(text, status, {"Cache-Control": "no-store"}, mimetype="text/plain")


def look() -> dict[str, bool]:
    """Check whether "database", "migrations" and "disk" are fine, and return the results by these names.

    The database must take writes, its schema must let this version write, and the disk must be writable and have
    free space.
    """
    may_write = takes_writes()
    return {
        "database": may_write is not None,
        "migrations": bool(may_write),
        "disk": all(
            can_write(folder) and shutil.disk_usage(folder).free >= LEAST_FREE_BYTES
            for folder in data_folders(current_app.config["INSTANCE"], current_app.config["SQLALCHEMY_DATABASE_URI"])
        ),
    }


def data_folders(instance: Path, database_url: str) -> set[Path]:
    """Return the local folders that hold data: `instance`, and the folder of the database for SQLite."""
    url = make_url(database_url)
    is_file = url.get_backend_name() == "sqlite"
    return {instance} | ({Path(url.database or "").absolute().parent} if is_file else set())


def takes_writes() -> bool | None:
    """Return whether this version may write to the database, or None if the database is gone or takes no writes."""
    file: DatabaseFile | None = current_app.extensions["database_file"]
    try:
        if file:
            file.check()
        with db.engine.connect() as connection:
            if connection.dialect.name == "postgresql" and connection.exec_driver_sql(IS_STANDBY).scalar():
                return None
            return fits(connection, connection.exec_driver_sql(READ_VERSION).scalar())
    except FileGoneError:
        return None
    except (DBAPIError, PoolTimeoutError) as error:
        has_no_table = "no such table" in str(error) or "UndefinedTable" in str(error)
        return False if has_no_table else None


def can_write(folder: Path) -> bool:
    """Return whether a temporary file can be written in `folder`."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            os.write(file.fileno(), b"1")
    except OSError:
        return False
    return True
