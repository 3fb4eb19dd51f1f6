"""Run a PostgreSQL server for tests on a socket that only its user can access, and delete all its files at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS_TO_START = 30
UNSAFE = ("fsync=off", "full_page_writes=off", "max_connections=300")
"""Settings that make the server faster and allow more connections.

A power cut could destroy the data, but the tests keep no data anyway.
"""


def programs() -> Path | None:
    """Return the folder with the programs of the newest PostgreSQL on this machine, or None if none is installed."""
    # Debian keeps those of each version in a folder of its own, out of the search path.
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(on_path).resolve().parent if on_path else None


@cache
def as_whom() -> dict[str, Any]:
    """Return arguments for functions of `subprocess` that make them run a program as PostgreSQL's user.

    PostgreSQL refuses to run as root. If this process doesn't run as root, no arguments are needed.
    """
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@dataclass
class Cluster:
    """A PostgreSQL server; `folder` contains its data, its socket and its log."""

    folder: Path
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def url(self, database: str) -> str:
        """Return the URL of the database called `database` on this server, in the form of the variable DATABASE_URL."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def start(self) -> None:
        """Start the server and wait until it responds. Raises `AssertionError` with the server's log if it doesn't."""
        options = [word for setting in UNSAFE for word in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self._program("postgres"), "-D", self.folder / "data", "-k", self.folder, "-h", "", *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                **as_whom(),
            )
        until = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                self.run("SELECT 1")
                break
            except psycopg.OperationalError:
                assert time.monotonic() < until, (self.folder / "log").read_text()
                assert self.process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.02)

    def stop(self) -> None:
        """Stop the server immediately, which closes open connections."""
        if self.process is not None:
            self.process.send_signal(2)  # SIGINT: roll back, disconnect, shut down
            self.process.wait(timeout=SECONDS_TO_START)
            self.process = None

    def run(self, statement: str, *names: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run an SQL statement as the superuser and return its rows.

        Each `{}` in `statement` is replaced by the next of `names`, quoted as an SQL name.
        """
        words = sql.SQL(statement).format(*map(sql.Identifier, names))
        with psycopg.connect(self.url(database), autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(words)
            return cursor.fetchall() if cursor.description else []

    def tool(self, name: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run the PostgreSQL program `name` as the server's user and return the completed process.

        Raises an error if the program fails.
        """
        return subprocess.run(
            [self._program(name), *words], cwd=self.folder, capture_output=True, text=True, check=True, **as_whom()
        )

    def _program(self, name: str) -> Path:
        folder = programs()
        assert folder is not None, "PostgreSQL is not installed: apt-get install postgresql"
        return folder / name


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Yield a new server without databases, which is deleted with its data after the `with` block."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper-", dir=memory if os.access(memory, os.W_OK) else None))
    whom = as_whom()
    if whom:
        os.chown(folder, whom["user"], whom["group"])
    server = Cluster(folder)
    try:
        server.tool(
            "initdb",
            "--no-sync",
            "-D",
            folder / "data",
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
        )
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)
