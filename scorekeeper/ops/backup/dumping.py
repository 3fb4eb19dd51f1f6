"""Make and load dumps of a PostgreSQL database, with PostgreSQL's own programs.

A password is never part of a command line, which every user of the machine can read: the programs get it from the
environment, or find it themselves through PGPASSFILE.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

from scorekeeper.ops.backup.copying import BackupError, forget, move_to_disk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import URL

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
