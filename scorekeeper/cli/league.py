"""`scorekeeper export-league`, `import-league` and `demo`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click
from flask import Flask
from sqlalchemy import select

from scorekeeper.cli.app import instance_option
from scorekeeper.cli.database import opened
from scorekeeper.leagues.core.access import NoSuchLeagueError
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.members.ownership import handover_path
from scorekeeper.leagues.money import service
from scorekeeper.leagues.transfer import demo as demo_league
from scorekeeper.leagues.transfer import demo_removal
from scorekeeper.leagues.transfer.archive import bring_in, pack, read_archive, unpack
from scorekeeper.web.extensions import db

MOST_BYTES = 200_000_000
"""Of a file that is brought in."""


@click.command("export-league")
@click.argument("league")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.zip")
@instance_option
def export_league(*, league: str, file: Path, instance: Path | None) -> None:
    """Save a league, all of it, as one file.

    LEAGUE is the short word in the address of its page: of …/leagues/c7m4kp2xwd it is c7m4kp2xwd.
    """
    with opened(instance):
        try:
            told = read_archive(db.session(), league)
            db.session.rollback()
            packed = pack(told)
        except NoSuchLeagueError:
            raise click.ClickException(f"There is no league {league} in this score book.") from None
    try:
        with file.open("xb") as target:
            target.write(packed)
    except FileExistsError:
        raise click.ClickException(f"{file} is there already. Choose another name.") from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from error
    click.echo(f"Saved the league to {file}: {len(packed):,} bytes.")


@click.command("import-league")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.zip")
@instance_option
def import_league(*, file: Path, instance: Path | None) -> None:
    """Bring in a league that export-league, or its director's page, saved."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise click.ClickException(f"{file} is too large to be a league.")
        data = file.read_bytes()
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror}.") from error
    with opened(instance) as app:
        archive = unpack(data)
        league = bring_in(archive)
        click.echo(f"Brought in “{archive.head['name']}”: {len(archive.games):,} games.")
        _say_where(app, league)


@click.command()
@click.option("--remove", is_flag=True, help="Remove the demo again, with everything that was done to it.")
@instance_option
def demo(*, remove: bool, instance: Path | None) -> None:
    """Fill a league with three seasons that were never played, to look around in."""
    with opened(instance) as app:
        if remove:
            gone = demo_removal.remove_demo()
            click.echo(f"Removed the demo: {gone:,} games." if gone is not None else "There is no demo here.")
            return
        if db.session.scalars(select(LeagueRow.id).where(LeagueRow.demo)).first() is not None:
            raise click.ClickException("The demo is here already. “scorekeeper demo --remove” removes it.")
        # To make it takes longer than PostgreSQL leaves a transaction open in which nothing is asked.
        db.session.rollback()
        league = bring_in(demo_league.demo_archive(datetime.now(UTC).replace(microsecond=0)))
        service.settle_again(league=league)
        click.echo("Made a league of twenty-four people who do not exist, with three seasons.")
        _say_where(app, league)


def _say_where(app: Flask, league: str) -> None:
    click.echo(f"Its page: /leagues/{league} behind the address of the score book, for everybody.")
    click.echo(f"To direct it, open {handover_path(db.session(), league, str(app.secret_key))} there, once.")
