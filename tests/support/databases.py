"""Choose the database of the tests: a SQLite file in a folder, or a PostgreSQL database that belongs to the folder.

`SCOREKEEPER_TEST_DATABASE=postgresql` chooses PostgreSQL. The first process of pytest starts the PostgreSQL server
(`tests/conftest.py`), and all others find that server by the environment variable `SERVER`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from tests.support.postgresql import Cluster, cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

CHOICE = "SCOREKEEPER_TEST_DATABASE"
SERVER = "SCOREKEEPER_TEST_SERVER"


def on_postgresql() -> bool:
    """Return whether the tests run on PostgreSQL.

    Raises `ValueError` if the environment variable `CHOICE` names an unknown database.
    """
    chosen = os.environ.get(CHOICE, "sqlite")
    if chosen not in {"sqlite", "postgresql"}:
        raise ValueError(f"{CHOICE}={chosen}: choose sqlite or postgresql")
    return chosen == "postgresql"


@contextlib.contextmanager
def chosen(database: str) -> Iterator[None]:
    """Use `database` inside the `with` block, for scripts without pytest.

    `database` is "sqlite", or "postgresql" with a new server.
    """
    os.environ[CHOICE] = database
    with contextlib.ExitStack() as around:
        if on_postgresql():
            os.environ[SERVER] = str(around.enter_context(cluster()).folder)
        yield


def server() -> Cluster:
    """Return the PostgreSQL server that this run of the tests uses."""
    return Cluster(Path(os.environ[SERVER]))


def name_for(folder: Path) -> str:
    """Return the name of the PostgreSQL database that belongs to `folder`."""
    return "book_" + hashlib.sha256(str(folder).encode()).hexdigest()[:20]


def url_for(folder: Path) -> str:
    """Return the SQLAlchemy URL of the database for `folder`; the database may not exist yet."""
    if on_postgresql():
        return server().url(name_for(folder)).replace("postgresql://", "postgresql+psycopg://")
    return f"sqlite:///{folder / 'scorekeeper.db'}"


def variables_for(folder: Path) -> dict[str, str]:
    """Return environment variables that make a command use the database of `folder`.

    On PostgreSQL, the database is created if it doesn't exist. On SQLite, no variables are needed.
    """
    if not on_postgresql():
        return {}
    with contextlib.suppress(psycopg.errors.DuplicateDatabase):
        server().run("CREATE DATABASE {}", name_for(folder))
    return {"DATABASE_URL": server().url(name_for(folder))}


def copy_book(source: Path, target: Path) -> None:
    """Copy the database of the folder `source` to the folder `target`; no program may be using `source`."""
    if on_postgresql():
        words = "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy"
        server().run(words, name_for(target), name_for(source))
    else:
        shutil.copy(source / "scorekeeper.db", target)


def drop_book(folder: Path) -> None:
    """Delete the PostgreSQL database of `folder`.

    On SQLite, do nothing, because the database is a file that is deleted with the folder.
    """
    if on_postgresql():
        server().run("DROP DATABASE IF EXISTS {} WITH (FORCE)", name_for(folder))
