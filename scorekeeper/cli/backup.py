"""`scorekeeper backup` and `scorekeeper restore`."""

from __future__ import annotations

from pathlib import Path

import click

from scorekeeper import config
from scorekeeper.cli.app import instance_option
from scorekeeper.ops.backup.copying import KEPT, back_up
from scorekeeper.ops.backup.locations import BACKING_UP, RESTORING, backup_folder, file_to


@click.command()
@instance_option
@click.option("--keep", type=click.IntRange(1), default=KEPT, show_default=True, help="Backups to keep.")
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for the backups. [default: backups/ beside the data]",
)
def backup(*, instance: Path | None, keep: int, folder: Path | None) -> None:
    """Back up the database, even while the server runs, and check the copy."""
    settings = config.from_environment(instance=instance)
    made = back_up(file_to(settings, BACKING_UP), folder or backup_folder(settings), keep=keep)
    click.echo(f"Backed up to {made}: {made.stat().st_size:,} bytes, checked.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@instance_option
@click.option("--anyway", is_flag=True, help="Restore it even if its logs are incomplete.")
def restore(*, file: Path, instance: Path | None, anyway: bool) -> None:
    """Restore a backup. The current database is kept under another name.

    Every game in the backup is replayed first.
    """
    # It comes with Alembic and the application, which a backup does without.
    from scorekeeper.ops import restore as restoring

    settings = config.from_environment(instance=instance)
    restored = restoring.restore(file, file_to(settings, RESTORING), settings, anyway=anyway)
    click.echo(f"Restored from {file}: {restored.games:,} games, {restored.events:,} log entries.")
    if restored.before:
        click.echo(f"The previous database is now {restored.before}.")
