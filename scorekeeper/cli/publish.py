"""`scorekeeper publish`."""

import os
import shlex
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import click

from scorekeeper.cli.app import instance_option
from scorekeeper.cli.database import opened
from scorekeeper.db.data_folder import held
from scorekeeper.leagues.publishing.files import NotPublishedError, chosen_clubs
from scorekeeper.leagues.publishing.files import publish as publish_clubs
from scorekeeper.ops.scheduler import NOT_SENT
from scorekeeper.web.locale import LANGUAGES

LONGEST_MINUTES = 5
"""How long the command after publishing may take."""


class NotSentError(click.ClickException):
    """The files are made, but the operator's command after it failed."""

    exit_code = NOT_SENT


def _address(_context: click.Context, _option: click.Parameter, value: str) -> str:
    parts = urlsplit(value)
    if value and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment):
        raise click.BadParameter("it must be an address such as https://example.org/cards.")
    return value.rstrip("/")


def _words(_context: click.Context, _option: click.Parameter, value: str) -> list[str]:
    try:
        return shlex.split(value)
    except ValueError as error:
        raise click.BadParameter(f"{str(error).lower()}.") from error


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--club", "clubs", multiple=True, metavar="NAME", help="Only this club, by the end of its address.")
@click.option(
    "--base-url", "address", default="", callback=_address, metavar="URL", help="Where the files will be on the web."
)
@click.option("--language", type=click.Choice(list(LANGUAGES)), default="en", show_default=True)
@click.option(
    "--then", default="", callback=_words, metavar="COMMAND", help="Run this in FOLDER afterwards, without a shell."
)
@instance_option
def publish(
    *, folder: Path, clubs: tuple[str, ...], address: str, language: str, then: list[str], instance: Path | None
) -> None:
    """Write what public leagues show to strangers into FOLDER, as files that any web space can serve.

    Run it again after a night: only files that changed are written. Without --base-url, the files have no feed, no
    calendar and no poster, because these contain their own address.
    """
    with opened(instance) as app, held(app.config["INSTANCE"] / "publishing"):
        try:
            told = publish_clubs(app, folder, chosen_clubs(clubs, folder), address, language)
        except NotPublishedError as error:
            raise click.ClickException(str(error)) from None
        click.echo(f"{folder}: {told.files:,} files, {told.written:,} written, {told.removed:,} removed.")
        if then:
            send(then, folder)


def send(command: Sequence[str], folder: Path) -> None:
    """Run the operator's command in the folder of the files, where it can't ask anything.

    Raises `NotSentError` if it fails or takes too long. Then it is killed, with the processes that it started.
    """
    try:
        running = subprocess.Popen(  # noqa: S603  the operator's own words, and no shell
            command, cwd=folder, stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as error:
        raise NotSentError(f"Can't run {command[0]}: {error.strerror}.") from error
    with running:
        try:
            status = running.wait(LONGEST_MINUTES * 60)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL) if hasattr(os, "killpg") else running.kill()
            raise NotSentError(f"{command[0]} took more than {LONGEST_MINUTES} minutes and was stopped.") from None
    if status:
        raise NotSentError(f"{command[0]} failed (status {status}).")
