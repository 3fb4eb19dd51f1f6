"""A table of a night as a phone sees it."""

from __future__ import annotations

from sqlalchemy import select

from scorekeeper.extensions import db
from scorekeeper.games.access import Standing as Admitted
from scorekeeper.games.access import standing_of
from scorekeeper.games.log import find
from scorekeeper.games.models import GameRow
from scorekeeper.games.snapshot import new_tap_id
from scorekeeper.language import _
from scorekeeper.leagues.access import NoSuchLeagueError, night_at, role_of
from scorekeeper.leagues.cards import opens
from scorekeeper.leagues.models import NightRow, TableRow
from scorekeeper.leagues.pages.card import CardPage, TablePage
from scorekeeper.leagues.queries.night import Seen, names_on, seen, table_view
from scorekeeper.leagues.results import Standing
from scorekeeper.leagues.roles import Role


def card_page(night: str, number: int, word: str, *, key: str, address: str) -> CardPage | None:
    """Return what the card of a table opens, None where its word opens nothing (any more).

    Raises `NoSuchLeagueError` where there is no such night.
    """
    if not opens(word, night_at(db.session(), night), number, key):
        return None
    at = seen(night)
    tables = _on_the_card(at, number)
    names = names_on(at)
    return CardPage(
        night_id=night,
        title=_("Table %(number)s", number=number),
        number=number,
        tables=tuple(table_view(table, names) for table in tables),
        waits=bool(tables) and all(table.done for table in tables),
        address=address,
        client_id=new_tap_id(),
    )


def table_page(night: str, table: int, device: str | None, *, error: str = "") -> TablePage:
    """Return the page of a table (its id); raises `NoSuchLeagueError`."""
    at = seen(night)
    told = next((each for each in at.tables if each.id == table), None)
    if told is None:
        raise NoSuchLeagueError
    session = db.session()
    game = find(session, told.game) if told.game else None
    scores = game is not None and standing_of(session, game, device) >= Admitted.SCORES
    closed = at.night.closed_at is not None
    return TablePage(
        night_id=night,
        night=_("%(league)s, night %(number)s", league=at.league.name, number=at.night.number),
        title=_("Round %(round)s, table %(table)s", round=told.round, table=told.number),
        table=table_view(told, names_on(at)),
        may_score=scores,
        may_start=not told.game and not closed and role_of(at.league, device) >= Role.HELPER,
        may_confirm=scores and told.done and not closed,
        closed=closed,
        client_id=new_tap_id(),
        version=told.version,
        error=error,
    )


def table_of(game: str) -> tuple[str, int] | None:
    """Return the night (its address) and the table (its id) of a game; None for one that no league plays."""
    query = select(NightRow.public_id, TableRow.id).join(TableRow, TableRow.night_id == NightRow.id)
    row = (
        db.session()
        .execute(query.join(GameRow, GameRow.id == TableRow.game_id).where(GameRow.public_id == game))
        .first()
    )
    return None if row is None else (row[0], row[1])


def _on_the_card(at: Seen, number: int) -> tuple[Standing, ...]:
    """The table of that number that is played now, and the one after it where the table could move on already.

    A round that others have begun after is over for the card: a table that wanted paper is entered at the desk.
    """
    of_number = [table for table in at.tables if table.number == number and table.round >= max(at.begun, 1)]
    open_ones = [table for table in of_number if not table.done]
    if not open_ones:
        return tuple(of_number[-1:])
    return tuple(open_ones[: 1 if open_ones[0].game else 2])
