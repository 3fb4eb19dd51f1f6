"""Copy a SQLite file while it is in use, and check the copy before it gets its final name.

Make and load dumps of a PostgreSQL database, with PostgreSQL's own programs.

A password is never part of a command line, which every user of the machine can read: the programs get it from the
environment, or find it themselves through PGPASSFILE.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from scorekeeper.config import OperatorError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import URL


STAMP = "%Y%m%dT%H%M%SZ"
SIDE_FILES = ("-wal", "-shm", "-journal")
"""Endings of the names of files that SQLite may put beside a database."""


DAMAGED = "The database is damaged, so no copy was made."


class BackupError(OperatorError):
    """A backup could not be made or restored."""


def holds_something(database: Path) -> bool:
    """Return whether the SQLite file `database` contains a game or a league, or True if that can't be found out."""
    if not database.is_file():
        return True
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?{how_to_open(database)}", uri=True)) as book:
            query = "SELECT EXISTS (SELECT 1 FROM game) OR EXISTS (SELECT 1 FROM league)"
            return bool(book.execute(query).fetchone()[0])
    except (sqlite3.Error, UnicodeDecodeError):
        return True


def copy_whole(source: Path, part: Path, target: Path) -> None:
    """Copy the SQLite file `source` to `target` and sync the copy to disk. `source` may be in use.

    The copy is at the path `part` until it is complete and checked. Raises `sqlite3.Error` or `OSError`, or
    `BackupError` if the copy is damaged. If an error is raised, no new file is left behind.
    """
    try:
        forget(part)  # left by a process that was killed
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?{how_to_open(source)}", uri=True)) as original,
            closing(sqlite3.connect(part, isolation_level=None)) as copy,
        ):
            original.backup(copy)
            settle(copy, source)
        move_to_disk(part, target)
    except BaseException:
        forget(part)
        raise


def how_to_open(database: Path) -> str:
    """Return the parameters of a SQLite URI that can open `database`, even in a read-only folder."""
    # Side files are part of the database. A file without them in a read-only folder can be read as it is.
    alone = not any(database.with_name(database.name + suffix).exists() for suffix in SIDE_FILES)
    return "mode=ro&immutable=1" if alone and not os.access(database.parent, os.W_OK) else "mode=rw"


def settle(copy: sqlite3.Connection, name: Path) -> None:
    """Turn the open database `copy` into a single file without a write-ahead log, and check that it is intact.

    `name` is the path of the original, which the error message mentions. Raises `BackupError` if the database is
    damaged.
    """
    copy.execute("PRAGMA journal_mode = DELETE")
    faults = copy.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",)
    if faults or copy.execute("PRAGMA foreign_key_check").fetchone():
        raise BackupError(f"{name} is damaged, so no copy was made.")


def move_to_disk(part: Path, target: Path) -> None:
    """Sync the file `part` to disk, and rename it to `target`. Raises `OSError`.

    After a power failure, `target` is either complete or doesn't exist.
    """
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Sync the file names in `folder` to disk. Nothing is done on Windows, which syncs file names without this call.

    Raises `OSError`.
    """
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def forget(database: Path) -> None:
    """Delete the file `database` and its side files, if they exist."""
    for suffix in ("", *SIDE_FILES):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the disk inside the block into a `BackupError`.

    The message of the `BackupError` is a sentence for the operator, which usually names `folder`.
    """
    try:
        yield
    except UnicodeDecodeError as error:  # SQLite's message quotes the damage
        raise BackupError(DAMAGED) from error
    except (sqlite3.Error, OSError) as error:
        raise BackupError(_sentence(error, folder)) from error


def _sentence(error: sqlite3.Error | OSError, folder: Path) -> str:
    full = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG} if os.name != "nt" else {errno.ENOSPC}
    said = str(error)
    if (isinstance(error, OSError) and error.errno in full) or "disk is full" in said:
        return f"The disk is full. Nothing was written to {folder}. Make room, or choose another folder."
    if "disk I/O error" in said:
        return f"The disk reported an error. Nothing was written to {folder}. The disk may be too full or broken."
    if "malformed" in said or "not a database" in said:
        return DAMAGED
    return f"The folder {folder} can't be used: {getattr(error, 'strerror', None) or said}."


def free_name(start: Path, now: datetime, ending: str = ".db") -> Path:
    """Return a path that doesn't exist yet, made of `start`, the time `now` and `ending`.

    If the path already exists, seconds are added to the time until there is a free path.
    """
    path = start.with_name(f"{start.name}-{now:{STAMP}}{ending}")
    return free_name(start, now + timedelta(seconds=1), ending) if path.exists() else path


SIGNATURE = b"PGDMP"
"""The first bytes of a dump."""
CONNECT_SECONDS = "10"
NOT_INSTALLED = "{program} isn't installed. Install the PostgreSQL client, no older than the PostgreSQL server."
FAILED = "{program} failed: {said}."
REVISION = re.compile(r"^COPY (?:\S+\.)?alembic_version \(version_num\) FROM stdin;\n(\w+)$", re.MULTILINE)


def dump(url: URL, part: Path, target: Path, *, check: Callable[[Path], object] = str) -> None:
    """Dump the database at `url` to the file `target`, which only its owner can read.

    The dump shows the database at one moment, even if phones keep writing. The file is at the path `part` until the
    dump is complete and `check(part)` has returned. Raises `BackupError`, `OSError`, or an error from `check`. If an
    error is raised, no new file is left behind.
    """
    address, secret = without_password(url)
    try:
        forget(part)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        run("pg_dump", "--format=custom", f"--file={part}", f"--dbname={address}", secret=secret)
        check(part)
        move_to_disk(part, target)
    finally:
        forget(part)


def load(file: Path, url: URL) -> None:
    """Load the dump `file` into the empty database at `url`, completely or not at all. Raises `BackupError`."""
    address, secret = without_password(url)
    words = ("--no-owner", "--exit-on-error", "--single-transaction", f"--dbname={address}", str(file))
    run("pg_restore", *words, secret=secret)


def read_whole(file: Path) -> None:
    """Read the dump `file` to its end. Raises `BackupError` if it is damaged or cut off."""
    run("pg_restore", f"--file={os.devnull}", str(file))


LOCKED_KEY = (
    "DATABASE_URL has an sslpassword, which other users of this machine could read during a backup. Use a key without "
    "a password, in a file that only Scorekeeper's user can read."
)


def is_dump(file: Path) -> bool:
    """Return whether `file` begins like a PostgreSQL dump. Raises `OSError`."""
    with file.open("rb") as opened:
        return opened.read(len(SIGNATURE)) == SIGNATURE


def revision_in(file: Path) -> str:
    """Return the schema revision in the dump `file`, or "" if it has none. Raises `BackupError`."""
    told = run("pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(file))
    found = REVISION.search(told)
    return found[1] if found else ""


def version_of(program: str) -> int:
    """Return the major version of an installed PostgreSQL program. Raises `BackupError`."""
    found = re.search(r"\d+", run(program, "--version"))
    return int(found[0]) if found else 0


def without_password(url: URL) -> tuple[str, dict[str, str]]:
    """Return the address of a database without its password, and a dict with the password as an environment variable.

    PostgreSQL's programs get the password this way, because everyone on this machine can read the arguments of a
    command. If there is no password, the dict is empty. Raises `BackupError` if the address has the password of a TLS
    key (`sslpassword`), because there is no environment variable for such a password.
    """
    if "sslpassword" in url.query:
        raise BackupError(LOCKED_KEY)
    password = url.password or url.query.get("password")
    bare = url._replace(drivername="postgresql", password=None).difference_update_query(["password"])
    return bare.render_as_string(), {"PGPASSWORD": str(password)} if password else {}


def run(program: str, *words: str, secret: dict[str, str] | None = None) -> str:
    """Run one of PostgreSQL's programs, and return its output.

    `words` are the program's arguments. `secret` has additional environment variables. Raises `BackupError` if the
    program isn't installed, or with the first error that it printed. Raises `OSError` if the disk is full.
    """
    found = shutil.which(program)
    if found is None:
        raise BackupError(NOT_INSTALLED.format(program=program))
    try:
        ended = subprocess.run(  # noqa: S603  no shell, and no input from phones
            [found, *words],
            env={"PGCONNECT_TIMEOUT": CONNECT_SECONDS, **os.environ, **(secret or {}), "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            text=True,
            errors="replace",
        )
    except subprocess.CalledProcessError as error:
        if os.strerror(errno.ENOSPC) in error.stderr:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise BackupError(FAILED.format(program=program, said=reason_in(error.stderr))) from error
    return ended.stdout


def reason_in(printed: str) -> str:
    """Return the first error message in the output of a program, without the period at its end.

    If there is no error message, return the last line.
    """
    lines = printed.strip().splitlines() or ["no reason given"]
    line = next((line for line in lines if "error: " in line), lines[-1])
    return re.sub(r"^\w+: (error: )?", "", line).rstrip(".")
