"""Measure the server for Prometheus.

Provide the metrics that are measured at the moment when Prometheus asks for them.

Count requests for Prometheus, and serve the metrics on a separate port that needs no password.

Phones don't reach that port. Each process writes its metrics to files in a shared folder; the main process adds them
up.

Count the requests that are running in a thread, and those that wait for one.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct, field
from sqlalchemy import QueuePool, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scorekeeper import __version__
from scorekeeper.db.database import MOST_CONNECTIONS
from scorekeeper.ops.backup.copying import SIDE_FILES
from scorekeeper.ops.backup.schedule import PASSED, backups_until, database_of, ending_of, made_at
from scorekeeper.ops.health import looker_of
from scorekeeper.ops.scheduler import repeat
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from flask import Flask
    from prometheus_client import CollectorRegistry, Metric
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


FOLDER = "PROMETHEUS_MULTIPROC_DIR"
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper limits of the buckets in which durations are counted, in seconds."""
BETWEEN_SAMPLES = timedelta(seconds=1)


@contextmanager
def shared_figures() -> Iterator[None]:
    """Make a folder for the metrics of this process and its child processes, and delete it at the end of the block.

    Enter the block before `connect` is first called. That call imports the Prometheus library, which decides during
    the import where to store metrics.
    """
    made_by = os.getpid()
    folder = tempfile.mkdtemp(prefix="scorekeeper-metrics-")
    os.environ[FOLDER] = folder
    try:
        yield
    finally:
        if os.getpid() == made_by:
            shutil.rmtree(folder, ignore_errors=True)


def connect(app: Flask, loads: Loads) -> None:
    """Start to count the requests of `app`, and to measure its threads and database connections once a second."""
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
        "Seconds until the response began, by route. A thread had the request by then.",
        ("route",),
        buckets=BUCKETS,
        registry=registry,
    )
    waited = Histogram(
        "scorekeeper_thread_wait_seconds",
        "Seconds that a request waited for a thread.",
        ("kind",),
        buckets=BUCKETS,
        registry=registry,
    )

    def count(route: str, method: str, status: int, seconds: float) -> None:
        asked.labels(route, method if method in METHODS else "other", str(status)).inc()
        took.labels(route).observe(seconds)

    app.extensions["metrics"] = count
    loads.read.waited = waited.labels("read").observe
    loads.write.waited = waited.labels("write").observe
    sample(app, loads, registry)


def sample(app: Flask, loads: Loads, registry: CollectorRegistry) -> None:
    """Start a thread that measures the request threads and the connection pool once a second."""
    from prometheus_client import Gauge

    def gauge(name: str, what: str, *labels: str) -> Gauge:
        return Gauge(name, what, labels, registry=registry, multiprocess_mode="livesum")

    processes = gauge("scorekeeper_processes", "Processes that answer requests.")
    threads = gauge("scorekeeper_threads", "Threads for requests, by kind: read (GET, HEAD) or write.", "kind")
    running = gauge("scorekeeper_requests_running", "Requests that have a thread.", "kind")
    waiting = gauge("scorekeeper_requests_waiting", "Requests that wait for a thread.", "kind")
    connections = gauge("scorekeeper_pool_connections", "Open database connections, in_use or idle.", "state")
    size = gauge("scorekeeper_pool_size", "Database connections that are kept open.")
    overflow = gauge("scorekeeper_pool_overflow", "Open database connections beyond those that are kept.")
    limit = gauge("scorekeeper_pool_limit", "Most database connections that may be open.")
    with app.app_context():
        engine = db.engine

    def look() -> timedelta:
        pool = engine.pool
        assert isinstance(pool, QueuePool)
        for kind, load in (("read", loads.read), ("write", loads.write)):
            threads.labels(kind).set(load.threads)
            running.labels(kind).set(load.running)
            waiting.labels(kind).set(load.waiting)
        connections.labels("in_use").set(pool.checkedout())
        connections.labels("idle").set(pool.checkedin())
        size.set(pool.size())
        overflow.set(max(0, pool.overflow()))
        limit.set(MOST_CONNECTIONS)
        processes.set(1)
        return BETWEEN_SAMPLES

    repeat(look, "metrics")


def serve(app: Flask, address: str, port: int) -> None:
    """Start a thread that serves the metrics of all processes at `address` and `port`. Raises `OSError`."""
    from prometheus_client import CollectorRegistry, start_http_server

    registry = CollectorRegistry()
    registry.register(OfAllProcesses())
    registry.register(Current(app))
    start_http_server(port, address, registry)


class OfAllProcesses:
    """Collects the metrics that all processes have written.

    After a process has ended, its counters are kept, but its gauges aren't.
    """

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics, added up over all processes."""
        from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

        alive = {os.getpid(), *(child.pid for child in multiprocessing.active_children())}
        for file in Path(os.environ[FOLDER]).glob("gauge_live*_*.db"):
            number = int(file.stem.rpartition("_")[2])
            if number not in alive:
                mark_process_dead(number)  # type: ignore[no-untyped-call]
        yield from MultiProcessCollector(None).collect()  # type: ignore[no-untyped-call]


class Ticket(Struct):
    """A request that is being counted, from its arrival to the end of its response."""

    arrived: float = field(default_factory=perf_counter)
    begun: bool = False
    left: bool = False


class Load:
    """Counts the requests of one group of threads. All methods can be called from any thread."""

    def __init__(self) -> None:
        self.threads = 0
        self.waiting = 0
        self.running = 0
        self.waited: Callable[[float], object] = str
        """Function that is called for each request with the seconds that it waited for a thread."""
        self._lock = Lock()

    def arrive(self) -> Ticket:
        """Count a new request as waiting for a thread, and return its ticket."""
        with self._lock:
            self.waiting += 1
        return Ticket()

    def begin(self, ticket: Ticket) -> None:
        """Count a waiting request as running. If the request was already given up, do nothing."""
        with self._lock:
            if ticket.left:
                return
            ticket.begun = True
            self.waiting -= 1
            self.running += 1
        self.waited(perf_counter() - ticket.arrived)

    def leave(self, ticket: Ticket) -> None:
        """Stop counting a request that was answered or given up."""
        with self._lock:
            ticket.left = True
            if ticket.begun:
                self.running -= 1
            else:
                self.waiting -= 1


class Loads(Struct, frozen=True):
    """The load of a server process: one group of threads for GET and HEAD requests, and one for all other requests."""

    read: Load = field(default_factory=Load)
    """The group that answers GET and HEAD requests."""
    write: Load = field(default_factory=Load)
    """The group that answers all other requests."""
