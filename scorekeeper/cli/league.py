"""`scorekeeper export-league`, `import-league` and `demo`.

`scorekeeper forget`: delete games for good, with the names in them.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
from flask import Flask
from sqlalchemy import select

from scorekeeper.cli.app import instance_option
from scorekeeper.cli.database import opened
from scorekeeper.leagues.core.access import NoSuchLeagueError
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.members.service import handover_path
from scorekeeper.leagues.money import service
from scorekeeper.leagues.privacy import service as forgetting
from scorekeeper.leagues.privacy.service import NotToForgetError, forget_deleted, forget_games
from scorekeeper.leagues.transfer import demo as demo_league
from scorekeeper.leagues.transfer.archive import bring_in, pack, read_archive, unpack
from scorekeeper.web.extensions import db

MOST_BYTES = 200_000_000
"""Largest size of a file to import, in bytes."""


@click.command("export-league")
@click.argument("league")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.zip")
@instance_option
def export_league(*, league: str, file: Path, instance: Path | None) -> None:
    """Export a whole league to a file.

    LEAGUE is the id in the address of the league's page. For example, the id in …/leagues/c7m4kp2xwd is c7m4kp2xwd.
    """
    with opened(instance):
        try:
            told = read_archive(db.session(), league)
            db.session.rollback()
            packed = pack(told)
        except NoSuchLeagueError:
            raise click.ClickException(f"There is no league {league} in this database.") from None
    try:
        with file.open("xb") as target:
            target.write(packed)
    except FileExistsError:
        raise click.ClickException(f"{file} already exists. Choose another name.") from None
    except OSError as error:
        raise click.ClickException(f"Can't write {file}: {error.strerror}.") from error
    click.echo(f"Exported the league to {file}: {len(packed):,} bytes.")


@click.command("import-league")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.zip")
@instance_option
def import_league(*, file: Path, instance: Path | None) -> None:
    """Import a league that was exported with export-league or on the league's page."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise click.ClickException(f"{file} is too large to be a league.")
        data = file.read_bytes()
    except OSError as error:
        raise click.ClickException(f"Can't read {file}: {error.strerror}.") from error
    with opened(instance) as app:
        archive = unpack(data)
        league = bring_in(archive)
        click.echo(f"Imported “{archive.head['name']}”: {len(archive.games):,} games.")
        _say_where(app, league)


@click.command()
@click.option("--remove", is_flag=True, help="Remove the demo, with everything added to it.")
@instance_option
def demo(*, remove: bool, instance: Path | None) -> None:
    """Create a demo league with three made-up seasons."""
    with opened(instance) as app:
        if remove:
            gone = demo_league.remove_demo()
            click.echo(f"Removed the demo: {gone:,} games." if gone is not None else "There is no demo here.")
            return
        if db.session.scalars(select(LeagueRow.id).where(LeagueRow.demo)).first() is not None:
            raise click.ClickException("The demo is already here. “scorekeeper demo --remove” removes it.")
        # Making it takes longer than PostgreSQL keeps an idle transaction open.
        db.session.rollback()
        league = bring_in(demo_league.demo_archive(datetime.now(UTC).replace(microsecond=0)))
        service.settle_again(league=league)
        click.echo("Created a league of twenty-four made-up people, with three seasons.")
        _say_where(app, league)


def _say_where(app: Flask, league: str) -> None:
    click.echo(f"Its page: /leagues/{league} on this server, for everyone.")
    click.echo(f"To manage it, open {handover_path(db.session(), league, str(app.secret_key))} there once.")


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--deleted", type=click.IntRange(min=0), metavar="DAYS", help="All games deleted at least this many days ago."
)
@click.option("--yes", is_flag=True, help="Don't ask first.")
@instance_option
def forget(*, games: tuple[str, ...], deleted: int | None, yes: bool, instance: Path | None) -> None:
    """Delete games for good: the names, the hands and the history.

    Deleting a game on its phone only hides it, so that it can be restored. GAME is the id in the address of a game. For
    example, the id in …/games/c7m4kp2xwd is c7m4kp2xwd. League games can't be deleted; make a player anonymous instead.
    """
    if not games and deleted is None:
        raise click.UsageError("Give a game, or --deleted DAYS.")
    before = None if deleted is None else datetime.now(UTC) - timedelta(days=deleted)
    with opened(instance):
        try:
            if not yes:
                _ask(games, before)
            gone = forget_games(games=games)
        except NotToForgetError as error:
            raise click.ClickException(
                f"Can't forget {error}: there is no such game here, or it belongs to a league. Nothing was deleted."
            ) from None
        if before is not None:
            gone += forget_deleted(before=before)
        click.echo(f"Forgot {_count(gone, 'game')}. Older backups still contain them.")


def _ask(games: tuple[str, ...], before: datetime | None) -> None:
    """List the games to delete, and ask for confirmation, because a game's id is easily mistyped.

    `games` are the ids of games to delete. If `before` is given, games that were deleted on a phone before that time
    are listed, too. Aborts unless the answer is yes.
    """
    found = [*forgetting.named(games=games), *(() if before is None else forgetting.deleted(before=before))]
    for game in found:
        names = ", ".join(game.names)
        click.echo(f"{game.public_id}  {game.started_at:%Y-%m-%d}  {_count(game.hands, 'hand')}  {names}")
    db.session.remove()  # end the transaction while waiting for the answer
    if found:
        click.confirm("They cannot be brought back, but from a backup. Go on?", abort=True)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
