"""Copy the database before an upgrade, so that the operator can go back to the older version."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url

from scorekeeper.db.lock import held
from scorekeeper.ops.backup.copying import BackupError, copy_whole, explained, free_name
from scorekeeper.ops.backup.dumping import dump
from scorekeeper.ops.backup.folder import DUMP
from scorekeeper.ops.backup.locations import backup_folder

if TYPE_CHECKING:
    from sqlalchemy import URL

    from scorekeeper.config import Settings

PART = "upgrade-part"
"""Name of the copy until it is complete."""
NOT_DUMPED = (
    "An older database is copied before it is upgraded, but {said} Or copy the database yourself and start once with "
    "--without-copy."
)


def copy_before_upgrade(settings: Settings, revision: str, now: datetime | None = None) -> Path:
    """Copy the database to the backup folder before an upgrade, and return the path of the copy.

    `revision` is the schema revision of the database. The copy is never deleted, and `scorekeeper restore` can restore
    it. Raises `BackupError` if the copy fails. In that case, no new file is left behind.
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
                path = free_name(start, now or datetime.now(UTC), DUMP)
                _dump(url, folder / PART, path)
    return path


def _dump(url: URL, part: Path, target: Path) -> None:
    try:
        dump(url, part, target)
    except BackupError as error:
        raise BackupError(NOT_DUMPED.format(said=error)) from error
