"""`scorekeeper check`: find problems and say how to fix them."""

from __future__ import annotations

from pathlib import Path

import click

from scorekeeper import config
from scorekeeper.cli.app import instance_option
from scorekeeper.ops.check import Finding, Kind, findings, wrong
from scorekeeper.ops.external_check import seen_from_outside


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
