"""Answer `/healthz` and `/readyz` for a monitoring program. Both are cheap and need no cookie."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Response, current_app
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scorekeeper.db.schema_version import newest_revision
from scorekeeper.db.sqlite_file import FileGoneError
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.db.sqlite_file import DatabaseFile

LEAST_FREE_BYTES = 50 * 1024 * 1024
"""Below this the disk counts as full: a season takes a few megabytes, and its backup as much again."""
SECONDS_REMEMBERED = 1.0
"""How long a result is reused, so that requests can't keep the database busy."""


class Looker:
    """Checks an application's database, migrations and disk, at most once a second."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.lock = threading.Lock()
        self.looked = float("-inf")
        self.found: dict[str, bool] = {}

    def look(self) -> dict[str, bool]:
        """Return whether "database", "migrations" and "disk" are fine, as checked at most a second ago.

        While another thread checks, return the previous result.
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
    """Answer `/healthz` and `/readyz` in `app`, with the results of a new `Looker`."""
    app.extensions["looker"] = Looker(app)
    app.add_url_rule("/healthz", view_func=healthz)
    app.add_url_rule("/readyz", view_func=readyz)


def looker_of(app: Flask) -> Looker:
    """Return the `Looker` of `app`."""
    looker: Looker = app.extensions["looker"]
    return looker


def healthz() -> Response:
    """Answer that this process runs; without an answer, a monitor restarts it."""
    return _plain("ok\n", 200)


def readyz() -> Response:
    """Answer whether database, migrations and disk are fine; 503 if not, so that no traffic is sent here."""
    found = looker_of(current_app).look()
    lines = "".join(f"{what}: {'ok' if is_well else 'failed'}\n" for what, is_well in found.items())
    return _plain(lines, 200 if all(found.values()) else 503)


def _plain(text: str, status: int) -> Response:
    return Response(text, status, {"Cache-Control": "no-store"}, mimetype="text/plain")


def look() -> dict[str, bool]:
    """Return whether "database" (it answers), "migrations" (it has this version) and "disk" are fine."""
    revision = database_revision()
    return {
        "database": revision is not None,
        "migrations": revision == newest_revision(),
        "disk": all(
            can_write(folder) and shutil.disk_usage(folder).free >= LEAST_FREE_BYTES
            for folder in data_folders(current_app.config["INSTANCE"], current_app.config["SQLALCHEMY_DATABASE_URI"])
        ),
    }


def data_folders(instance: Path, database_url: str) -> set[Path]:
    """Return the local folders that need free space."""
    url = make_url(database_url)
    is_file = url.get_backend_name() == "sqlite"
    return {instance} | ({Path(url.database or "").absolute().parent} if is_file else set())


def database_revision() -> str | None:
    """Return the revision of the database, "" if it has none, None if it doesn't answer or is gone."""
    file: DatabaseFile | None = current_app.extensions["database_file"]
    try:
        if file:
            file.check()
        with db.engine.connect() as connection:
            found: Any = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    except FileGoneError:
        return None
    except (DBAPIError, PoolTimeoutError) as error:
        has_no_table = "no such table" in str(error) or "UndefinedTable" in str(error)
        return "" if has_no_table else None
    return str(found or "")


def can_write(folder: Path) -> bool:
    """Return whether a temporary file can be made in `folder`."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            os.write(file.fileno(), b"1")
    except OSError:
        return False
    return True
