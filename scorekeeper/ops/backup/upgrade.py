"""Copy the database before an upgrade, so that the operator can go back."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url

from scorekeeper.db.lock import held
from scorekeeper.ops.backup.copying import BackupError, copy_whole, explained, forget, free_name, move_to_disk
from scorekeeper.ops.backup.locations import backup_folder

if TYPE_CHECKING:
    from sqlalchemy import URL

    from scorekeeper.config import Settings

PART = "upgrade-part"
"""Name of the copy until it is complete."""
NO_PROGRAM = (
    "An older database is copied before it is upgraded, but pg_dump isn't installed. Install the PostgreSQL client, or "
    "copy the database yourself and start once with --without-copy."
)
FAILED = (
    "An older database is copied before it is upgraded, but pg_dump failed ({said}). Copy the database yourself and "
    "start once with --without-copy."
)


def copy_before_upgrade(settings: Settings, revision: str, now: datetime | None = None) -> Path:
    """Copy the database, which is at `revision`, to the backup folder and return the path; it is never deleted.

    `scorekeeper restore` restores a SQLite file, `pg_restore` a PostgreSQL dump. Raises `BackupError`, and then leaves
    no file.
    """
    url = make_url(settings.database_url)
    folder = backup_folder(settings)
    with explained(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with held(folder / "lock"):
            start = folder / f"before-upgrade-from-{revision}"
            if url.get_backend_name() == "sqlite":
                path = free_name(start, now or datetime.now(UTC))
                copy_whole(Path(url.database or "").absolute(), folder / PART, path)
            else:
                path = free_name(start, now or datetime.now(UTC), ".dump")
                dump(url, folder / PART, path)
    return path


def dump(url: URL, part: Path, target: Path) -> None:
    """Dump the PostgreSQL database at `url` through `part` to `target`. Raises `BackupError` and `OSError`."""
    program = shutil.which("pg_dump")
    if program is None:
        raise BackupError(NO_PROGRAM)
    address = url._replace(drivername="postgresql", password=None).render_as_string()
    secret = (
        {"PGPASSWORD": str(url.password)} if url.password else {}
    )  # not on the command line, where every user sees it
    try:
        forget(part)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        subprocess.run(  # noqa: S603  no shell, and no input from phones
            [program, "--format=custom", f"--file={part}", f"--dbname={address}"],
            env={**os.environ, **secret},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            text=True,
        )
        move_to_disk(part, target)
    except subprocess.CalledProcessError as error:
        said = (error.stderr.strip() or "no reason given").splitlines()[-1]
        raise BackupError(FAILED.format(said=said.removeprefix("pg_dump: ").rstrip("."))) from error
    finally:
        forget(part)
