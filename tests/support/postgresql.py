"""A PostgreSQL server of the tests' own: on a socket that only its user reaches, thrown away at the end."""

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
"""Settings under which the machine must not lose power: none of its data is meant to stay."""


def programs() -> Path | None:
    """Return the folder of PostgreSQL's newest programs, None where none are installed."""
    # Debian keeps those of each version in a folder of its own, out of the search path.
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(on_path).resolve().parent if on_path else None


@cache
def _as_whom() -> dict[str, Any]:
    """The user that runs PostgreSQL, which refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@dataclass
class Cluster:
    """A server and its data; `folder` holds the data, the socket and the log."""

    folder: Path
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def url(self, database: str) -> str:
        """Return the address of one of its databases, as the setting DATABASE_URL takes it."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def start(self) -> None:
        """Start the server and wait until it answers. Raises `AssertionError` with its log if it does not."""
        options = [word for setting in UNSAFE for word in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self._program("postgres"), "-D", self.folder / "data", "-k", self.folder, "-h", "", *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                **_as_whom(),
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
        """Stop the server at once; those who are connected are cut off."""
        if self.process is not None:
            self.process.send_signal(2)  # SIGINT: roll back, disconnect, shut down
            self.process.wait(timeout=SECONDS_TO_START)
            self.process = None

    def run(self, statement: str, *names: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement of the superuser's, `{}` in it standing for quoted `names`, and return its rows."""
        words = sql.SQL(statement).format(*map(sql.Identifier, names))
        with psycopg.connect(self.url(database), autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(words)
            return cursor.fetchall() if cursor.description else []

    def tool(self, name: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run one of PostgreSQL's programs as the user of the server and return what came of it."""
        return subprocess.run(
            [self._program(name), *words], cwd=self.folder, capture_output=True, text=True, check=True, **_as_whom()
        )

    def _program(self, name: str) -> Path:
        folder = programs()
        assert folder is not None, "PostgreSQL is not installed: apt-get install postgresql"
        return folder / name


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Give a new server with no databases of ours; it and its data are gone afterwards."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper-", dir=memory if os.access(memory, os.W_OK) else None))
    whom = _as_whom()
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
