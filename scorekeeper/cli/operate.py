"""`scorekeeper backup` and `scorekeeper restore`.

`scorekeeper maintenance on`, `off` and `state`: pause and resume saving while the server runs.

`scorekeeper check`: find problems and say how to fix them.
"""

import time
from pathlib import Path

import click

from scorekeeper import config
from scorekeeper.cli.app import instance_option
from scorekeeper.cli.database import opened
from scorekeeper.config import Settings
from scorekeeper.db.outages import SECONDS_REMEMBERED
from scorekeeper.ops.backup.schedule import KEPT, back_up, backup_folder, database_of
from scorekeeper.ops.check import Finding, Kind, findings, seen_from_outside, wrong
from scorekeeper.web.extensions import LONGEST_SENTENCE, await_others, paused_because, turn_maintenance


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
    from scorekeeper.ops.restore import restore_dump

    settings = config.from_environment(instance=instance)
    database = database_of(settings.database_url)
    if isinstance(database, Path):
        restored = restore_file(file, database, settings, anyway=anyway)
    else:
        restored = restore_dump(file, settings, anyway=anyway)
    click.echo(f"Restored from {file}: {restored.games:,} games, {restored.events:,} log entries.")
    if restored.before:
        click.echo(f"The previous database is now {restored.before}.")


@click.group()
def maintenance() -> None:
    """Pause saving, so that you can work on the server. Players can still look, and phones keep their hands."""


@maintenance.command()
@click.option("--because", default="", metavar="TEXT", help="What players read, at most 200 characters.")
@instance_option
def on(*, because: str, instance: Path | None) -> None:
    """Pause saving on all servers that use this database. When the command ends, nothing is being saved."""
    if len(because) > LONGEST_SENTENCE:
        raise click.BadParameter(f"Use at most {LONGEST_SENTENCE} characters.", param_hint="--because")
    with opened(instance):
        turn_maintenance(because=because.strip())
        time.sleep(2 * SECONDS_REMEMBERED)
        await_others()
    click.echo("Saving is paused. Resume it with “scorekeeper maintenance off”.")


@maintenance.command()
@instance_option
def off(*, instance: Path | None) -> None:
    """Resume saving."""
    with opened(instance):
        turn_maintenance(because=None)
    click.echo("Saving has resumed.")


@maintenance.command()
@instance_option
def state(*, instance: Path | None) -> None:
    """Say whether saving is paused."""
    with opened(instance):
        because = paused_because()
    click.echo("Saving isn't paused." if because is None else f"Saving is paused. {because}".rstrip())


@click.command()
@instance_option
@click.option("--url", metavar="URL", help="Also test the server at this address, as a phone would.")
@click.pass_context
def check(context: click.Context, instance: Path | None, url: str | None) -> None:
    """Check for problems and say how to fix them. Changes nothing.

    Checks the settings, the database and its version, the disk, backups, the clock and HTTPS. The exit status is 1 if
    something is wrong.
    """
    found: list[Finding] = []

    def say(finding: Finding) -> None:
        found.append(finding)
        click.echo(f"{finding.kind.value:8}{finding.what:15}{finding.says}")

    try:
        settings = config.from_environment(instance=instance)
    except config.SettingsError as error:
        say(wrong("configuration", str(error)))
    else:
        for finding in findings(settings):
            say(finding)
    if url:
        for finding in seen_from_outside(url):
            say(finding)
    context.exit(int(any(finding.kind is Kind.WRONG for finding in found)))
