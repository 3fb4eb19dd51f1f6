"""Run `scorekeeper serve`: create missing data, then serve until stopped."""

from __future__ import annotations

import gc
from multiprocessing import get_context
from typing import TYPE_CHECKING

import click
from msgspec import structs

from scorekeeper import config
from scorekeeper.cli.app import instance_option
from scorekeeper.ops import logs, metrics
from scorekeeper.ops.backup.schedule import KEPT, schedule_of
from scorekeeper.ops.boot import WAIT_SECONDS, boot, refuse_other_key, serving
from scorekeeper.server.listen import THIS_MACHINE, WHOLE_HOUSE, banner, bind, reachable_addresses
from scorekeeper.server.worker import Plan, open_book, run

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from scorekeeper.config import Settings
    from scorekeeper.db.outages import Opened


@click.command()
@click.option("--lan", is_flag=True, help="Let phones on the network connect. Same as --host 0.0.0.0.")
@click.option("--host", metavar="ADDRESS", help=f"Address to listen on. [default: {THIS_MACHINE}, this machine only]")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free port.")
@click.option("--tls", is_flag=True, help="HTTPS with a self-made certificate; --port then offers it and redirects.")
@click.option("--tls-port", type=click.IntRange(0, 65535), default=8443, show_default=True, help="Port for HTTPS.")
@instance_option
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Worker processes.")
@click.option("--threads", type=click.IntRange(1, 64), default=16, show_default=True, help="Threads per worker.")
@click.option("--access-log", is_flag=True, help="Print a line for each request.")
@click.option(
    "--backup-every", type=click.FloatRange(0, min_open=True), metavar="HOURS", help="Back up every so many hours."
)
@click.option("--backup-keep", type=click.IntRange(1), default=KEPT, show_default=True, help="Backups to keep.")
@click.option("--without-copy", is_flag=True, help="Upgrade an older database without backing it up first.")
@click.option("--new-key", is_flag=True, help="Start although the secret key isn't that of earlier servers.")
def serve(
    *,
    lan: bool,
    host: str | None,
    port: int,
    tls: bool,
    tls_port: int,
    instance: Path | None,
    workers: int,
    threads: int,
    access_log: bool,
    backup_every: float | None,
    backup_keep: int,
    without_copy: bool,
    new_key: bool,
) -> None:
    """Run the server for phones and browsers."""
    gc.disable()  # until the server answers
    host = host or (WHOLE_HOUSE if lan else THIS_MACHINE)
    settings = config.from_environment(instance=instance)
    # Imported on first use: without them, a start loads neither Alembic nor cryptography.
    if settings.publish:
        from scorekeeper.cli.publish import publish

        publish.make_context("SCOREKEEPER_PUBLISH", list(settings.publish))  # a mistake is said at the start
    logs.set_up(as_json=settings.json_log)
    backups = schedule_of(settings, backup_every, backup_keep)
    listener = bind(host, port)
    click.get_current_context().with_resource(serving(settings))
    secure = None
    if tls:
        from scorekeeper.server.certificates import prepare

        secure = prepare(host, tls_port, settings.instance)
    app, opened = opened_book(settings, copy_first=not without_copy)
    refuse_other_key(app, accept=new_key)
    port = listener.getsockname()[1]
    trust = secure.trust if secure else None
    plan = Plan(
        settings=structs.replace(settings, secret_key=app.config["SECRET_KEY"]),  # the folder may be gone by then
        host=host,
        port=port,
        threads=threads,
        access_log=access_log,
        banner=banner(host, port, reachable_addresses(host), settings, trust),
        banner_turn=get_context("spawn").Semaphore(1),
        backups=backups,
        trust=trust,
        door=listener if secure else None,
        opened=opened,
    )
    run(app, secure.listener if secure else listener, plan, workers, secure.context if secure else None)


def opened_book(settings: Settings, *, copy_first: bool) -> tuple[Flask, Opened | None]:
    """Create or upgrade the database, and return the application and the identities of the open SQLite files.

    The identities are those of the database file and of its write-ahead log, or None for PostgreSQL. Progress is
    printed. An old database is copied before the upgrade, unless `copy_first` is False. If the settings ask for
    metrics, this also starts to serve the metrics.
    """
    if settings.metrics:
        bind(*settings.metrics, "SCOREKEEPER_METRICS").close()
        click.get_current_context().with_resource(metrics.shared_figures())
    app = boot(settings, copy_first=copy_first, wait=WAIT_SECONDS, tell=click.echo)
    opened = open_book(app)
    if settings.metrics:
        metrics.serve(app, *settings.metrics)
    return app, opened
