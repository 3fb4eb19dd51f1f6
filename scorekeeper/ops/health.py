"""Is the score book able to work? Looks that cost little, for the program that watches over this one.

`/healthz` and `/readyz` need no cookie, no secret and no page.
"""

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
"""Below this the disk counts as full: a season of a league is a few megabytes, its backup as much again."""
SECONDS_REMEMBERED = 1.0
"""How long an answer stands, so that nobody keeps the database busy by asking."""


class Looker:
    """Looks at the score book of an application, at most once a second."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.lock = threading.Lock()
        self.looked = float("-inf")
        self.found: dict[str, bool] = {}

    def look(self) -> dict[str, bool]:
        """Return for "database", "migrations" and "disk" whether all is well; looks anew after a second.

        While somebody else looks, which takes as long as a database keeps us waiting, it is what was found before.
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
    """Answer `/healthz` and `/readyz` in `app`, from a `Looker` of its own."""
    app.extensions["looker"] = Looker(app)
    app.add_url_rule("/healthz", view_func=healthz)
    app.add_url_rule("/readyz", view_func=readyz)


def looker_of(app: Flask) -> Looker:
    """Return the one that `connect` made."""
    looker: Looker = app.extensions["looker"]
    return looker


def healthz() -> Response:
    """Say that this process answers: if it does not, start it anew."""
    return _plain("ok\n", 200)


def readyz() -> Response:
    """Say for database, migrations and disk whether all is well; 503 where it is not: send nobody here now."""
    found = looker_of(current_app).look()
    lines = "".join(f"{what}: {'ok' if is_well else 'failed'}\n" for what, is_well in found.items())
    return _plain(lines, 200 if all(found.values()) else 503)


def _plain(text: str, status: int) -> Response:
    return Response(text, status, {"Cache-Control": "no-store"}, mimetype="text/plain")


def look() -> dict[str, bool]:
    """Return for "database" (it answers), "migrations" (it is of this version) and "disk" whether all is well."""
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
    """Return the folders of this machine in which there must be room."""
    url = make_url(database_url)
    is_file = url.get_backend_name() == "sqlite"
    return {instance} | ({Path(url.database or "").absolute().parent} if is_file else set())


def database_revision() -> str | None:
    """Return the revision of the database, "" where it has none, None where it does not answer or is gone."""
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
    """Return whether a file can be made in `folder`; it is gone again at once."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            os.write(file.fileno(), b"1")
    except OSError:
        return False
    return True
