"""Write `GameRow.facts` for games that were last changed before the app wrote it with every change."""

from __future__ import annotations

from sqlalchemy import select

from scorekeeper.db.retry import use_case
from scorekeeper.games.logic.statistics.table_games import facts_of
from scorekeeper.games.store.event_store import find, load
from scorekeeper.games.store.models import GameRow
from scorekeeper.web.extensions import writing

AT_ONCE = 50
"""Most games in one transaction, because other writers wait for it."""


@use_case
def fill_facts() -> int:
    """Write `GameRow.facts` of up to `AT_ONCE` games of home tables that have none, and return how many there were."""
    with writing() as session:
        query = select(GameRow).where(
            GameRow.home_table_id.is_not(None), GameRow.facts.is_(None), GameRow.deleted_at.is_(None)
        )
        rows = session.scalars(query.limit(AT_ONCE).with_for_update()).all()
        for row in rows:
            found = find(session, row.public_id)
            assert found is not None
            row.facts = facts_of(load(session, found).game)
        return len(rows)
