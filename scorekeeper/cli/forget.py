"""`scorekeeper forget`: games removed for good, with the names in them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from scorekeeper.cli.app import instance_option
from scorekeeper.cli.database import opened
from scorekeeper.leagues.privacy import forget_games as forgetting
from scorekeeper.leagues.privacy.forget_games import NotToForgetError, forget_deleted, forget_games
from scorekeeper.web.extensions import db


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--deleted", type=click.IntRange(min=0), metavar="DAYS", help="All that were deleted so many days ago.")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@instance_option
def forget(*, games: tuple[str, ...], deleted: int | None, yes: bool, instance: Path | None) -> None:
    """Remove games for good: the names, the hands and their log.

    Deleting a game on its phone only hides it, so that it can be brought back. GAME is the short word in the address of
    a game: of …/games/c7m4kp2xwd it is c7m4kp2xwd. Games of a league stay; there a player can be made anonymous.
    """
    if not games and deleted is None:
        raise click.UsageError("Name a game, or say --deleted DAYS.")
    before = None if deleted is None else datetime.now(UTC) - timedelta(days=deleted)
    with opened(instance):
        try:
            if not yes:
                _ask(games, before)
            gone = forget_games(games=games)
        except NotToForgetError as error:
            raise click.ClickException(
                f"There is no game {error} to forget: it is not here, or belongs to a league. Nothing was removed."
            ) from None
        if before is not None:
            gone += forget_deleted(before=before)
        click.echo(f"Forgot {_count(gone, 'game')}. Backups made before still hold what is gone.")


def _ask(games: tuple[str, ...], before: datetime | None) -> None:
    """Show which games these are, for the word in an address is soon mistyped, and go on only with a yes."""
    found = [*forgetting.named(games=games), *(() if before is None else forgetting.deleted(before=before))]
    for game in found:
        names = ", ".join(game.names)
        click.echo(f"{game.public_id}  {game.started_at:%Y-%m-%d}  {_count(game.hands, 'hand')}  {names}")
    db.session.remove()  # nothing is held while somebody thinks
    if found:
        click.confirm("They cannot be brought back, but from a backup. Go on?", abort=True)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
