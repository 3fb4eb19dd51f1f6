"""Find or create the home table of a phone, and assign games to home tables.

Games of a league and their rematches have no home table, because their players are people of the league.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.store.access import started_by
from scorekeeper.games.store.game_export import players_by_game
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.people.names import folded
from scorekeeper.people.tables import current_table, make_table, people_called, scores_at, use_table
from scorekeeper.web.extensions import writing

AT_ONCE = 500
"""Maximum number of ids in one query."""


@use_case
def open_home_table(*, device: str, now: datetime | None = None) -> int:
    """Return the row id of the current home table of the phone `device`. The function opens its own transaction.

    A phone that may not score at any home table gets a new one. The games that the phone started before are added to
    the new table.
    """
    with writing() as session:
        return home_table(session, device, now or datetime.now(UTC))


def home_table(session: Session, device: str, now: datetime) -> int:
    """Return the row id of the home table for the next game of the phone `device`.

    A phone that may not score at any home table gets a new one. The games that the phone started before are added to
    the new table. The caller's transaction commits the changes.
    """
    table = current_table(session, device, to_score=True)
    if table is None:
        table = make_table(session, device, now)
        adopt_games(session, table, device, now)
    else:
        use_table(session, table, device, now)
    return table


def table_of_rematch(session: Session, game: int, now: datetime) -> int | None:
    """Return the row id of the home table for a rematch of `game` (row id), or None for a game of a league.

    A rematch stays at the home table of `game`. If the phone that started `game` may no longer score there, the rematch
    goes to that phone's current home table instead.
    """
    row = session.execute(
        select(GameRow.home_table_id, GameRow.device, GameRow.elsewhere, GameRow.players).where(GameRow.id == game)
    ).one()
    home: int | None = row.home_table_id
    if row.elsewhere or _in_leagues(session, row.players) or (home and scores_at(session, home, row.device)):
        return home
    table = home_table(session, row.device, now)
    adopt_games(session, table, row.device, now)  # a game that was taken over from a phone without a table
    return table


def adopt_games(session: Session, table: int, device: str, now: datetime) -> int:
    """Move games without a home table to the home table `table` (row id), and return the number of games moved.

    Only games that the phone `device` started are moved. Games of a league are left alone. The players of the moved
    games become people of the home table, matched by name.
    """
    lonely = select(GameRow.id).where(started_by(device), GameRow.elsewhere.is_(None), GameRow.home_table_id.is_(None))
    games = session.scalars(lonely.order_by(GameRow.id)).all()
    seated = {game: players for some in _some(games) for game, players in players_by_game(session, some).items()}
    in_leagues = _in_leagues(session, {player for players in seated.values() for player in players})
    ours = [game for game, players in seated.items() if in_leagues.isdisjoint(players)]
    for some in _some(ours):
        session.execute(update(GameRow).where(GameRow.id.in_(some)).values(home_table_id=table))
    _adopt_players(session, table, {player for game in ours for player in seated[game]}, now)
    return len(ours)


def _adopt_players(session: Session, table: int, players: Collection[int], now: datetime) -> None:
    names: dict[str, str] = {}
    named: dict[str, list[int]] = {}
    for some in _some(players):
        for player, name in session.execute(select(PlayerRow.id, PlayerRow.name).where(PlayerRow.id.in_(some))):
            names.setdefault(folded(name), name)
            named.setdefault(folded(name), []).append(player)
    people = people_called(session, table, list(names.values()), now)
    for person, key in zip(people, names, strict=True):
        for some in _some(named[key]):
            session.execute(update(PlayerRow).where(PlayerRow.id.in_(some)).values(home_person_id=person.id))


def _in_leagues(session: Session, players: Collection[int]) -> set[int]:
    """Return the ids in `players` (`PlayerRow` ids) that belong to people of a league."""
    query = select(PlayerRow.id).where(PlayerRow.person_id.is_not(None))
    return {player for some in _some(players) for player in session.scalars(query.where(PlayerRow.id.in_(some)))}


def _some(ids: Collection[int]) -> Iterator[Sequence[int]]:
    ordered = sorted(ids)
    for first in range(0, len(ordered), AT_ONCE):
        yield ordered[first : first + AT_ONCE]
