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
@click.option("--keep", type=click.IntRange(1), default=KEPT, show_default=True, help="How many backups stay.")
@click.option("--to", "folder", type=click.Path(path_type=Path), metavar="DIR", help="[default: backups/ of the data]")
def backup(*, instance: Path | None, keep: int, folder: Path | None) -> None:
    """Copy the score book, also while it is open, and check the copy."""
    settings = config.from_environment(instance=instance)
    made = back_up(file_to(settings, BACKING_UP), folder or backup_folder(settings), keep=keep)
    click.echo(f"Backed up to {made}: {made.stat().st_size:,} bytes, checked.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@instance_option
@click.option("--anyway", is_flag=True, help="Also one whose logs are not whole.")
def restore(*, file: Path, instance: Path | None, anyway: bool) -> None:
    """Put a backup in the place of the score book, which is kept under another name.

    Every game in it is replayed first.
    """
    # It comes with Alembic and the application, which a backup does without.
    from scorekeeper.ops import restore as restoring

    settings = config.from_environment(instance=instance)
    restored = restoring.restore(file, file_to(settings, RESTORING), settings, anyway=anyway)
    click.echo(f"Restored from {file}: {restored.games:,} games, {restored.events:,} entries in their logs.")
    if restored.before:
        click.echo(f"The score book that was there is now {restored.before}.")
