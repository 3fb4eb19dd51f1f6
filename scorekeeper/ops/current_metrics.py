"""Provide the metrics that are measured at the moment when Prometheus asks for them."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scorekeeper import __version__
from scorekeeper.ops.backup.copying import SIDE_FILES
from scorekeeper.ops.backup.folder import PASSED, backups_until, ending_of, made_at
from scorekeeper.ops.backup.locations import database_of
from scorekeeper.ops.health import looker_of
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Flask
    from prometheus_client import Metric
    from sqlalchemy import URL


class Current:
    """Measures the database, the disk, the backups and the certificates of `app`."""

    def __init__(self, app: Flask) -> None:
        self.app = app

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics. A value that can't be read is left out."""
        from prometheus_client.core import GaugeMetricFamily

        instance: Path = self.app.config["INSTANCE"]
        database = database_of(self.app.config["SQLALCHEMY_DATABASE_URI"])
        version = GaugeMetricFamily("scorekeeper_version", "1, with the version.", labels=("version",))
        version.add_metric([__version__], 1)
        yield version
        found = looker_of(self.app).look()
        well = GaugeMetricFamily("scorekeeper_ready", "1 if fine, by what was checked.", labels=("what",))
        for what, is_well in found.items():
            well.add_metric([what], int(is_well))
        yield well
        figures = dict(of_files(instance, database))
        if found["database"]:
            figures |= self.database_size(database)
        for name, value in figures.items():
            yield GaugeMetricFamily(name, WHAT[name], value)

    def database_size(self, database: Path | URL) -> dict[str, float]:
        """Return the size of the database in bytes, by name of the metric, or {} if the database doesn't answer."""
        if isinstance(database, Path):
            files = [database.with_name(database.name + ending) for ending in ("", *SIDE_FILES)]
            return {"scorekeeper_database_bytes": sum(file.stat().st_size for file in files if file.is_file())}
        try:
            with self.app.app_context(), db.engine.connect() as connection:
                size = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        except (DBAPIError, PoolTimeoutError):
            return {}
        return {"scorekeeper_database_bytes": size}


WHAT = {
    "scorekeeper_disk_free_bytes": "Free space in the data folder.",
    "scorekeeper_backups": "Backups in the data folder, without those dated in the future.",
    "scorekeeper_backup_age_seconds": "Seconds since the newest backup.",
    "scorekeeper_backup_bytes": "Size of the newest backup.",
    "scorekeeper_drill_age_seconds": "Seconds since a drill found nothing wrong with a backup.",
    "scorekeeper_certificate_left_seconds": "Seconds until the first of the house's certificates expires.",
    "scorekeeper_database_bytes": "Size of the database.",
}
"""Maps the name of each metric without labels to its description for Prometheus."""


def of_files(instance: Path, database: Path | URL) -> Iterator[tuple[str, float]]:
    """Yield the (name, value) of each metric that is read from files. After the first error, no more metrics follow.

    `instance` is the data folder. `database` decides which file extension the backups have. Backups with a
    time in the future are ignored.
    """
    now = datetime.now(UTC)
    folder = instance / "backups"
    try:
        yield "scorekeeper_disk_free_bytes", shutil.disk_usage(instance).free
        backups = backups_until(now, folder, ending_of(database))
        yield "scorekeeper_backups", len(backups)
        if backups:
            yield "scorekeeper_backup_age_seconds", max(0.0, (now - made_at(backups[-1])).total_seconds())
            yield "scorekeeper_backup_bytes", backups[-1].stat().st_size
        if (folder / PASSED).is_file():
            yield "scorekeeper_drill_age_seconds", now.timestamp() - (folder / PASSED).stat().st_mtime
        certificates = [instance / "tls" / name for name in ("ca.crt", "server.pem")]
        if all(file.is_file() for file in certificates):
            yield "scorekeeper_certificate_left_seconds", min(map(expiry, certificates)) - now.timestamp()
    except (OSError, ValueError):
        return


def expiry(certificate: Path) -> float:
    """Return when a certificate expires, in seconds since 1970. Raises `OSError` or `ValueError`."""
    from cryptography import x509

    return x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc.timestamp()
