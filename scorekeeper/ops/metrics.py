"""Metrics for Prometheus, on a separate port that phones don't reach, and so without a password.

Each process writes its metrics to files in a shared folder; the main process adds them up.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scorekeeper import __version__
from scorekeeper.ops.backup.copying import backups_in, made_at
from scorekeeper.ops.health import looker_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from flask import Flask
    from prometheus_client import Metric

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds."""


@contextmanager
def shared_figures() -> Iterator[None]:
    """Make a folder for the metrics of this process and those it starts; only this one removes it.

    Enter it before the first `connect`: the client library decides on import where metrics are kept.
    """
    made_by = os.getpid()
    folder = tempfile.mkdtemp(prefix="scorekeeper-metrics-")
    os.environ[FOLDER] = folder
    try:
        yield
    finally:
        if os.getpid() == made_by:
            shutil.rmtree(folder, ignore_errors=True)


def connect(app: Flask) -> None:
    """Count the requests of `app`."""
    from prometheus_client import CollectorRegistry, Counter, Histogram

    registry = CollectorRegistry()  # the library's own registry covers only one process
    asked = Counter(
        "scorekeeper_requests",
        "Requests by route, method and status.",
        ("route", "method", "status"),
        registry=registry,
    )
    took = Histogram(
        "scorekeeper_request_seconds",
        "Seconds until the response began, by route.",
        ("route",),
        buckets=BUCKETS,
        registry=registry,
    )

    def count(route: str, method: str, status: int, seconds: float) -> None:
        asked.labels(route, method if method in METHODS else "other", str(status)).inc()
        took.labels(route).observe(seconds)

    app.extensions["metrics"] = count


def serve(app: Flask, address: str, port: int) -> None:
    """Serve the metrics of all processes of `app` in a thread until this process ends. Raises `OSError`."""
    from prometheus_client import CollectorRegistry, start_http_server
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(Now(app))
    start_http_server(port, address, registry)


class Now:
    """Collects the metrics that are read on request and are the same in every process."""

    def __init__(self, app: Flask) -> None:
        self.app = app

    def collect(self) -> Iterable[Metric]:
        """Yield the version, the state of `/readyz`, free disk space, and the age of the newest backup."""
        from prometheus_client.core import GaugeMetricFamily

        version = GaugeMetricFamily("scorekeeper_version", "1, with the version.", labels=("version",))
        version.add_metric([__version__], 1)
        yield version
        well = GaugeMetricFamily("scorekeeper_ready", "1 if fine, by what was checked.", labels=("what",))
        for what, is_well in looker_of(self.app).look().items():
            well.add_metric([what], int(is_well))
        yield well
        instance: Path = self.app.config["INSTANCE"]
        yield GaugeMetricFamily(
            "scorekeeper_disk_free_bytes", "Free space in the data folder.", shutil.disk_usage(instance).free
        )
        backups = backups_in(instance / "backups")
        if backups:
            age = (datetime.now(UTC) - made_at(backups[-1])).total_seconds()
            yield GaugeMetricFamily("scorekeeper_backup_age_seconds", "Seconds since the newest backup.", age)
