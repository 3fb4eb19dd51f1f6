"""`scorekeeper forget`: delete games for good, with the names in them."""

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
