"""Prepare the data folder, the secret key and the database before the first request."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from scorekeeper import create_app
from scorekeeper.config import PACKAGE, SettingsError
from scorekeeper.db.data_folder import held
from scorekeeper.db.outages import newest_revision
from scorekeeper.ops.backup.copying import BackupError
from scorekeeper.ops.backup.schedule import copy_before_upgrade
from scorekeeper.ops.inspection import BootError, NoAnswerError, explain, is_there, name_of, refuse_foreign_database
from scorekeeper.web.extensions import agree_on_key, db

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from alembic.config import Config
    from flask import Flask

    from scorekeeper.config import Settings


NEW = "Made a new, empty database: {}"
GONE = " If there was one before, stop now and put it back, or restore a backup with scorekeeper restore."
WAITING = "{} Waiting up to {} s for it."
WAIT_SECONDS = 30
"""How long a start waits for PostgreSQL, which may itself be starting on the same machine."""
RETRY_SECONDS = 1
OTHER_KEY = (
    "The servers before this one had another secret key, so codes and links would work on some machines only. Set the "
    "same SECRET_KEY on all of them, or copy the file secret_key. If you changed the key on purpose, start once with "
    "--new-key."
)
OPEN = "A server of an older version is running. Stop it first, then start this version."


def boot(
    settings: Settings,
    *,
    copy_first: bool = True,
    alone: bool = False,
    wait: float = 0,
    tell: Callable[[str], None] | None = None,
) -> Flask:
    """Prepare the data folder, the secret key and the database, and return the application.

    A missing folder, key or database is created. An older database is upgraded. If `copy_first` is true, the older
    database is copied first. With `alone`, an older database that a server is using is refused, not upgraded. `wait`
    is the maximum number of seconds to wait for PostgreSQL. `tell` is called with a sentence for the operator if the
    database was copied or created, or if PostgreSQL must be waited for.

    If two servers start in the same folder at once, one waits until the other is ready. No database connection stays
    open. Raises `BootError` with a sentence for the person at the terminal. A database that can't be used or copied
    isn't changed.
    """
    make_folder(settings.instance)
    await_database(settings, wait, tell or str)
    try:
        with ExitStack() as stack:
            stack.enter_context(held(settings.instance / "lock"))
            revision = refuse_foreign_database(settings.database_url)
            lost = not revision and is_gone(settings)
            app = create_app(settings)
            if revision != newest_revision():
                if revision and alone:
                    keep_closed(settings, stack)
                copy = copy_before_upgrade(settings, revision) if revision and copy_first else None
                bring_forward(app)
                if copy and tell:
                    tell(f"The database was upgraded to this version. A copy from before is in {copy}")
                if not revision and tell:
                    tell(NEW.format(name_of(make_url(settings.database_url))) + (GONE if lost else ""))
    except (BackupError, SettingsError) as error:
        raise BootError(str(error)) from error
    except OSError as error:
        raise BootError(f"The folder {settings.instance} can't be used: {error.strerror}.") from error
    return app


def await_database(settings: Settings, seconds: float, tell: Callable[[str], object]) -> None:
    """Wait until PostgreSQL answers, for `seconds` at most. `tell` is called once with the reason for the wait.

    Returns at once for SQLite, and also if the database has any other problem.
    """
    until = time.monotonic() + seconds
    told = False
    while time.monotonic() < until:
        try:
            refuse_foreign_database(settings.database_url)
        except NoAnswerError as error:
            if not told:
                tell(WAITING.format(error, round(seconds)))
            told = True
            time.sleep(RETRY_SECONDS)
        except BootError:
            return
        else:
            return


def is_gone(settings: Settings) -> bool:
    """Return whether the SQLite database has disappeared.

    The first start creates both a database and a secret key. If there is only a key, the database has disappeared.
    """
    url = make_url(settings.database_url)
    if url.get_backend_name() != "sqlite" or is_there(Path(str(url.database))):
        return False
    return os.path.isfile(settings.instance / "secret_key")  # noqa: PTH113


def refuse_other_key(app: Flask, *, accept: bool) -> None:
    """Raise `BootError` if earlier servers on the same PostgreSQL database used another secret key than `app`.

    If two machines used different keys, codes and links from the first wouldn't work on the second. With `accept`, no
    error is raised, and the key of `app` becomes the right key from now on. SQLite isn't checked, because only one
    machine uses a SQLite database.
    """
    with app.app_context():
        if db.engine.dialect.name != "sqlite" and not agree_on_key(anew=accept):
            raise BootError(OTHER_KEY)


def keep_closed(settings: Settings, stack: ExitStack) -> None:
    """Keep servers from opening the database until `stack` is closed.

    Raises `BootError` if a server has it open already.
    """
    try:
        stack.enter_context(held(settings.instance / "serving", wait=False))
    except BlockingIOError as error:
        raise BootError(OPEN) from error


@contextmanager
def serving(settings: Settings) -> Iterator[None]:
    """Hold a lock inside the block, so that commands such as `scorekeeper restore` can tell that a server is running.

    If a backup is being restored, wait until the restore is done. Raises `BootError` if the folder can't be used.
    """
    make_folder(settings.instance)
    with ExitStack() as stack:
        try:
            stack.enter_context(held(settings.instance / "serving", shared=True))
        except OSError as error:
            raise BootError(f"The folder {settings.instance} can't be used: {error.strerror}.") from error
        yield


def alembic_config() -> Config:
    """Return the Alembic configuration for our migrations."""
    from alembic.config import Config

    alembic = Config(PACKAGE / "migrations" / "alembic.ini")
    alembic.set_main_option("script_location", str(PACKAGE / "migrations").replace("%", "%%"))
    return alembic


def make_folder(folder: Path) -> None:
    """Create `folder` if it is missing. Only its owner can open it. Raises `BootError`."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise BootError(f"{error.filename} is a file, but a folder is needed. Choose another --instance.") from error
    except OSError as error:
        raise BootError(f"The folder {folder} can't be made: {error.strerror}.") from error


def bring_forward(app: Flask) -> None:
    """Create the database tables of `app`, or upgrade them to this version. Raises `BootError`."""
    from alembic import command

    with app.app_context():
        try:
            command.upgrade(alembic_config(), "head")
        except DBAPIError as error:
            raise BootError(explain(error, db.engine.url)) from error
        finally:
            db.engine.dispose()
