"""What somebody was ever called in a league, and who they are at its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import PlayerRow
from scorekeeper.games.store.redaction import typed_names, with_company
from scorekeeper.leagues.core.models import LeagueTextRow, PersonRow, TableRow, scope_of
from scorekeeper.leagues.people.identity import folded


@dataclass(frozen=True, slots=True)
class Called:
    """Somebody of a league: their names, and who they are at its tables."""

    people: Sequence[PersonRow]
    """Their own row, and those merged into it."""
    others: frozenset[str]
    """What everybody else of the league is called."""
    names: frozenset[str]
    players: frozenset[int]
    """Ids of `PlayerRow`."""
    games: frozenset[int]
    """All games at which somebody of the league may have sat."""


def called(session: Session, person: PersonRow) -> Called:
    """Return what is known of a person who was not merged into another."""
    everybody = session.scalars(select(PersonRow).where(PersonRow.league_id == person.league_id)).all()
    mine = [person, *(row for row in everybody if row.merged_into == person.id)]
    own = {row.id for row in mine}
    others = frozenset(name for row in everybody if row.id not in own for name in (row.name, row.nickname) if name)
    names = {name for row in mine for name in (row.name, row.nickname) if name}
    names.update(session.scalars(select(LeagueTextRow.text).where(LeagueTextRow.person_id.in_(own))))
    of_league = select(TableRow.game_id).where(TableRow.game_id.is_not(None), scope_of(person.league_id)["tables"])
    games = with_company(session, [game for game in session.scalars(of_league) if game is not None])
    # A name that a table wrote down, and that was nobody's then, may be theirs since.
    typed = {folded(name) for name in names}
    players = {player: name for player, name in typed_names(session, games).items() if folded(name) in typed}
    sat = select(PlayerRow.id, PlayerRow.name).where(PlayerRow.person_id.in_(own))
    players.update(session.execute(sat).all())
    names.update(players.values())
    return Called(mine, others, frozenset(names), frozenset(players), frozenset(with_company(session, games, players)))
