"""Find the database to back up and the folder for backups."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url

from scorekeeper.ops.backup.copying import BackupError
from scorekeeper.ops.backup.schedule import Schedule

if TYPE_CHECKING:
    from scorekeeper.config import Settings

BACKING_UP = "pg_dump --format=custom --file=FILE {url}"
RESTORING = "pg_restore --clean --if-exists --single-transaction --no-owner --dbname={url} FILE"


def backup_folder(settings: Settings) -> Path:
    """Return the default folder for backups."""
    return settings.instance / "backups"


def file_to(settings: Settings, instead: str) -> Path:
    """Return the SQLite file of the database.

    Raises `BackupError` for PostgreSQL; the message names the command to use `instead`.
    """
    url = make_url(settings.database_url)
    if url.get_backend_name() == "sqlite":
        return Path(url.database or "").absolute()
    address = url._replace(drivername="postgresql", password=None).render_as_string()
    raise BackupError(f"This database is in PostgreSQL. Use `{instead.format(url=repr(address))}` instead.")


def schedule_of(settings: Settings, hours: float | None, keep: int) -> Schedule | None:
    """Return the schedule for a backup every `hours` hours, None if `hours` is None.

    Raises `BackupError` for PostgreSQL.
    """
    if hours is None:
        return None
    return Schedule(file_to(settings, BACKING_UP), backup_folder(settings), timedelta(hours=hours), keep)
