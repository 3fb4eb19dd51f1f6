"""Find the person with a given name in a league."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.store.hooks import acquaintance
from scorekeeper.leagues.core.models import PersonRow
from scorekeeper.people.names import folded


@acquaintance
def person_called(session: Session, beside: Sequence[int], name: str) -> int | None:
    """Return the row id of the person with this name or nickname; None if nobody or more than one person has it.

    `beside` has the row ids of people at the same table. Only their league is searched.
    """
    leagues = select(PersonRow.league_id).where(PersonRow.id.in_(beside))
    rows = session.scalars(select(PersonRow).where(PersonRow.league_id.in_(leagues)))
    meant = {row.merged_into or row.id for row in rows if folded(name) in (folded(row.name), folded(row.nickname))}
    return meant.pop() if len(meant) == 1 else None
