"""Find all names that a person ever had in a league, and the person's `PlayerRow`s in games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import PlayerRow
from scorekeeper.games.store.redaction import typed_names, with_company
from scorekeeper.leagues.core.models import LeagueTextRow, PersonRow, TableRow, scope_of
from scorekeeper.people.names import folded


@dataclass(frozen=True, slots=True)
class Called:
    """All names that a person ever had in a league, and the person's `PlayerRow`s in games."""

    people: Sequence[PersonRow]
    """The row of the person, and the rows that were merged into it."""
    others: frozenset[str]
    """Names and nicknames of everyone else in the league."""
    names: frozenset[str]
    players: frozenset[int]
    """Ids of the `PlayerRow`s of the person."""
    games: frozenset[int]
    """Ids of all games in which people of the league may have played."""


def called(session: Session, person: PersonRow) -> Called:
    """Return all names that a person ever had, and their `PlayerRow`s in games.

    The person must not be merged into another.
    """
    everybody = session.scalars(select(PersonRow).where(PersonRow.league_id == person.league_id)).all()
    mine = [person, *(row for row in everybody if row.merged_into == person.id)]
    own = {row.id for row in mine}
    others = frozenset(name for row in everybody if row.id not in own for name in (row.name, row.nickname) if name)
    names = {name for row in mine for name in (row.name, row.nickname) if name}
    names.update(session.scalars(select(LeagueTextRow.text).where(LeagueTextRow.person_id.in_(own))))
    of_league = select(TableRow.game_id).where(TableRow.game_id.is_not(None), scope_of(person.league_id)["tables"])
    games = with_company(session, [game for game in session.scalars(of_league) if game is not None])
    # A name typed at a table that matched nobody then may be theirs now.
    typed = {folded(name) for name in names}
    players = {player: name for player, name in typed_names(session, games).items() if folded(name) in typed}
    sat = select(PlayerRow.id, PlayerRow.name).where(PlayerRow.person_id.in_(own))
    players.update(session.execute(sat).all())
    names.update(players.values())
    return Called(mine, others, frozenset(names), frozenset(players), frozenset(with_company(session, games, players)))
