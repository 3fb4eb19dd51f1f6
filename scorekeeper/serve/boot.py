"""Before the first request: the folder, the key and the database, made if missing and never made worse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from sqlalchemy.exc import DBAPIError

from scorekeeper import create_app
from scorekeeper.config import PACKAGE
from scorekeeper.extensions import db
from scorekeeper.serve.inspection import BootError, explain, refuse_foreign_database
from scorekeeper.serve.lock import held

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from scorekeeper.config import Settings


def boot(settings: Settings) -> Flask:
    """Return the application with its data ready: folder and key made if missing, database at this version.

    Two servers that start at once on one folder wait for each other. No database connection is left open, so
    the process may fork. Raises `BootError` with a sentence for the person at the terminal; a database that
    cannot be used is left as it was.
    """
    make_folder(settings.instance)
    alembic = Config(PACKAGE / "migrations" / "alembic.ini")
    alembic.set_main_option("script_location", str(PACKAGE / "migrations").replace("%", "%%"))
    try:
        with held(settings.instance / "lock"):
            is_current = refuse_foreign_database(settings.database_url, alembic)
            app = create_app(settings)
            if not is_current:
                bring_forward(app, alembic)
    except OSError as error:
        raise BootError(f"The folder {settings.instance} cannot be used: {error.strerror}.") from error
    return app


def make_folder(folder: Path) -> None:
    """Make `folder` if it is missing. Raises `BootError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise BootError(f"{error.filename} is a file where a folder is needed: choose another --instance.") from error
    except OSError as error:
        raise BootError(f"The folder {folder} cannot be made: {error.strerror}.") from error


def bring_forward(app: Flask, alembic: Config) -> None:
    """Make or migrate the database of `app`. Raises `BootError`."""
    with app.app_context():
        try:
            command.upgrade(alembic, "head")
        except DBAPIError as error:
            raise BootError(explain(error, db.engine.url)) from error
        finally:
            db.engine.dispose()
