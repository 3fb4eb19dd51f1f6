"""Find the database that is backed up, and the folder for its backups."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url

from scorekeeper.ops.backup.schedule import Schedule

if TYPE_CHECKING:
    from sqlalchemy import URL

    from scorekeeper.config import Settings


def backup_folder(settings: Settings) -> Path:
    """Return the default folder for backups."""
    return settings.instance / "backups"


def database_of(database_url: str) -> Path | URL:
    """Return the path of a SQLite database file, or the URL of a PostgreSQL database."""
    url = make_url(database_url)
    return Path(url.database or "").absolute() if url.get_backend_name() == "sqlite" else url


def schedule_of(settings: Settings, hours: float | None, keep: int) -> Schedule | None:
    """Return the schedule for a backup every `hours` hours, or None if `hours` is None.

    `keep` is the number of backups to keep.
    """
    if hours is None:
        return None
    return Schedule(database_of(settings.database_url), backup_folder(settings), timedelta(hours=hours), keep)
