"""`scorekeeper backup` and `scorekeeper restore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorekeeper import config
from scorekeeper.cli.app import instance_option
from scorekeeper.ops.backup.folder import KEPT, back_up
from scorekeeper.ops.backup.locations import backup_folder, database_of

if TYPE_CHECKING:
    from scorekeeper.config import Settings


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
@click.option("--drill", "drilled", is_flag=True, help="Make none; try the newest one in a temporary database instead.")
def backup(*, instance: Path | None, keep: int, folder: Path | None, drilled: bool) -> None:
    """Back up the database, even while the server runs, and check the copy."""
    settings = config.from_environment(instance=instance)
    folder = folder or backup_folder(settings)
    if drilled:
        _drill(settings, folder)
        return
    made = back_up(database_of(settings.database_url), folder, keep=keep)
    click.echo(f"Backed up to {made}: {made.stat().st_size:,} bytes, checked.")


def _drill(settings: Settings, folder: Path) -> None:
    # It comes with Alembic and the application, which a backup does without.
    from scorekeeper.ops.drill import drill

    done = drill(settings, folder)
    found = done.found
    newest = f", the last from {found.newest:%Y-%m-%d %H:%M} UTC" if found.newest else ""
    click.echo(
        f"Drill passed: {done.backup} was restored in {done.seconds:.1f} s. It has {found.games:,} games and "
        f"{found.events:,} log entries{newest}. Every game was replayed, and no log has a gap."
    )


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@instance_option
@click.option("--anyway", is_flag=True, help="Restore it even if its logs are incomplete.")
def restore(*, file: Path, instance: Path | None, anyway: bool) -> None:
    """Restore a backup, after replaying every game in it.

    The current database is kept under another name. With PostgreSQL, the database to restore into must be empty.
    """
    from scorekeeper.ops.restore import restore as restore_file
    from scorekeeper.ops.restore_dump import restore_dump

    settings = config.from_environment(instance=instance)
    database = database_of(settings.database_url)
    if isinstance(database, Path):
        restored = restore_file(file, database, settings, anyway=anyway)
    else:
        restored = restore_dump(file, settings, anyway=anyway)
    click.echo(f"Restored from {file}: {restored.games:,} games, {restored.events:,} log entries.")
    if restored.before:
        click.echo(f"The previous database is now {restored.before}.")
