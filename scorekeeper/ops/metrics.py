"""Count requests for Prometheus, and serve the metrics on a separate port that needs no password.

Phones don't reach that port. Each process writes its metrics to files in a shared folder; the main process adds them
up.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import QueuePool

from scorekeeper.db.database import MOST_CONNECTIONS
from scorekeeper.ops.current_metrics import Current
from scorekeeper.ops.scheduler import repeat
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Flask
    from prometheus_client import CollectorRegistry, Metric

    from scorekeeper.ops.load import Loads

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
