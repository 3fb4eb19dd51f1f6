"""The sets of tables where only the final score was entered: whether they matter, and how many tables lack them."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.models import NightRow, SeasonRow, TableRow
from scorekeeper.leagues.standings.settings import StandingSettings


def asks_for_sets(season: SeasonRow) -> bool:
    """Return whether sets cost money in this season, or the fewest sets break a tie."""
    return sets_cost(season) or "fewest_sets" in StandingSettings.from_json(season.counting).ties


def sets_cost(season: SeasonRow) -> bool:
    """Return whether a set costs money in this season."""
    return bool(season.money.get("per_set"))


def tables_without_sets(session: Session, which: ColumnElement[bool]) -> int:
    """Return how many tables with a final score, on nights matching `which`, have no sets entered; one query."""
    counts = or_(TableRow.hands.is_not(None), NightRow.closed_at.is_(None))
    query = (
        select(func.count())
        .select_from(TableRow)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .join(GameRow, GameRow.id == TableRow.game_id)
        .where(which, NightRow.number > 0, counts, GameRow.ended_by.startswith("final"), TableRow.paper_sets.is_(None))
    )
    return session.scalar(query) or 0
