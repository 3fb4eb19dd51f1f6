"""Fill in `GameRow.facts` for games from older versions of the app, which did not have that column."""

from __future__ import annotations

from sqlalchemy import select

from scorekeeper.db.retry import use_case
from scorekeeper.games.logic.statistics.table_games import facts_of
from scorekeeper.games.store.event_store import find, load
from scorekeeper.games.store.models import GameRow
from scorekeeper.web.extensions import writing

AT_ONCE = 50
"""Maximum number of games in one transaction, since other writers wait for it."""


@use_case
def fill_facts() -> int:
    """Fill in the missing `GameRow.facts` of games at home tables, and return the number of games changed.

    The facts are data for statistics, calculated from a replay. One call changes at most `AT_ONCE` games.
    """
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
