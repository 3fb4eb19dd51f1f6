"""`scorekeeper maintenance on`, `off` and `state`: pause and resume saving while the server runs."""

from __future__ import annotations

import time
from pathlib import Path

import click

from scorekeeper.cli.app import instance_option
from scorekeeper.cli.database import opened
from scorekeeper.db.maintenance import SECONDS_REMEMBERED
from scorekeeper.web.installation import LONGEST_SENTENCE, await_others, paused_because, turn_maintenance


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
