"""Find tables where only the final score was entered, not how often each side was set (failed to make its bid)."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import ngettext
from scorekeeper.leagues.core.models import NightRow, SeasonRow, TableRow
from scorekeeper.leagues.standings.settings import StandingSettings


def asks_for_sets(season: SeasonRow) -> bool:
    """Return whether the season needs to know how often each side was set in each game.

    The season needs these numbers if each set costs money, or if "fewest sets" is one of its tie-breakers.
    """
    return sets_cost(season) or "fewest_sets" in StandingSettings.from_json(season.counting).ties


def sets_cost(season: SeasonRow) -> bool:
    """Return whether players pay for each set in this season. A side is set if it fails to make its bid."""
    return bool(season.money.get("per_set"))


def tables_without_sets(session: Session, which: ColumnElement[bool]) -> int:
    """Return at how many tables only the final score was entered, not the number of sets of each side.

    `which` is an SQL condition that selects the nights. Takes one query.
    """
    counts = or_(TableRow.hands.is_not(None), NightRow.closed_at.is_(None))
    query = (
        select(func.count())
        .select_from(TableRow)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .join(GameRow, GameRow.id == TableRow.game_id)
        .where(which, NightRow.number > 0, counts, GameRow.ended_by.startswith("final"), TableRow.paper_sets.is_(None))
    )
    return session.scalar(query) or 0


def sets_missing(session: Session, season: SeasonRow, which: ColumnElement[bool]) -> str:
    """Return a sentence that says for how many tables the number of sets wasn't entered.

    `which` is an SQL condition that selects the nights to check. Return an empty string if no numbers are missing, or
    if the season doesn't need these numbers.
    """
    missing = tables_without_sets(session, which) if asks_for_sets(season) else 0
    if not missing:
        return ""
    return ngettext(
        "One table has no sets entered, so the set totals are incomplete.",
        "%(num)s tables have no sets entered, so the set totals are incomplete.",
        missing,
    )
