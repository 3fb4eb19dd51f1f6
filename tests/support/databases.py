"""Which database the tests run on: a SQLite file in a folder, or one of a PostgreSQL server that belongs to it.

`SCOREKEEPER_TEST_DATABASE=postgresql` chooses the second; the server is started by the first process of pytest
(`tests/conftest.py`) and reached by all the others through `SERVER`.
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
    """Return whether the tests were asked to run on PostgreSQL. Raises `ValueError` for any other database."""
    chosen = os.environ.get(CHOICE, "sqlite")
    if chosen not in {"sqlite", "postgresql"}:
        raise ValueError(f"{CHOICE}={chosen}: choose sqlite or postgresql")
    return chosen == "postgresql"


@contextlib.contextmanager
def chosen(database: str) -> Iterator[None]:
    """Let what is inside run on "sqlite", or on "postgresql" with a server of its own: for scripts without pytest."""
    os.environ[CHOICE] = database
    with contextlib.ExitStack() as around:
        if on_postgresql():
            os.environ[SERVER] = str(around.enter_context(cluster()).folder)
        yield


def server() -> Cluster:
    """Return the PostgreSQL server of this run."""
    return Cluster(Path(os.environ[SERVER]))


def name_for(folder: Path) -> str:
    """Return the name of the PostgreSQL database that belongs to `folder`."""
    return "book_" + hashlib.sha256(str(folder).encode()).hexdigest()[:20]


def url_for(folder: Path) -> str:
    """Return the address of the database for `folder`, which need not exist yet."""
    if on_postgresql():
        return server().url(name_for(folder)).replace("postgresql://", "postgresql+psycopg://")
    return f"sqlite:///{folder / 'scorekeeper.db'}"


def variables_for(folder: Path) -> dict[str, str]:
    """Return the settings with which a command uses the database of `folder`; one of PostgreSQL is made if missing."""
    if not on_postgresql():
        return {}
    with contextlib.suppress(psycopg.errors.DuplicateDatabase):
        server().run("CREATE DATABASE {}", name_for(folder))
    return {"DATABASE_URL": server().url(name_for(folder))}


def copy_book(source: Path, target: Path) -> None:
    """Give the folder `target` a database that is a copy of the one of `source`, which nobody uses now."""
    if on_postgresql():
        words = "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy"
        server().run(words, name_for(target), name_for(source))
    else:
        shutil.copy(source / "scorekeeper.db", target)


def drop_book(folder: Path) -> None:
    """Take the room of the database of `folder` back; a file goes with its folder."""
    if on_postgresql():
        server().run("DROP DATABASE IF EXISTS {} WITH (FORCE)", name_for(folder))
