"""`scorekeeper publish`."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import click

from scorekeeper.cli.app import instance_option
from scorekeeper.cli.database import opened
from scorekeeper.leagues.publishing.files import NotPublishedError, chosen_clubs
from scorekeeper.leagues.publishing.files import publish as publish_clubs
from scorekeeper.web.locale import LANGUAGES


def _address(_context: click.Context, _option: click.Parameter, value: str) -> str:
    parts = urlsplit(value)
    if value and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment):
        raise click.BadParameter("it must be an address such as https://example.org/cards.")
    return value.rstrip("/")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--club", "clubs", multiple=True, metavar="NAME", help="Only this club, by the end of its address.")
@click.option(
    "--base-url", "address", default="", callback=_address, metavar="URL", help="Where the files will be on the web."
)
@click.option("--language", type=click.Choice(list(LANGUAGES)), default="en", show_default=True)
@instance_option
def publish(*, folder: Path, clubs: tuple[str, ...], address: str, language: str, instance: Path | None) -> None:
    """Write what public leagues show to strangers into FOLDER, as files that any web space can serve.

    Run it again after a night: only files that changed are written. Without --base-url, the files have no feed, no
    calendar and no poster, because these contain their own address.
    """
    with opened(instance) as app:
        try:
            told = publish_clubs(app, folder, chosen_clubs(clubs), address, language)
        except NotPublishedError as error:
            raise click.ClickException(str(error)) from None
    click.echo(f"{folder}: {told.files:,} files, {told.written:,} written, {told.removed:,} removed.")
