"""Which rows belong to a league."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.sql.elements import ColumnElement

from scorekeeper.leagues.core.models import (
    ByeRow,
    LeagueEventRow,
    LeagueTextRow,
    MoneyRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    TableRow,
)


def scope_of(league: int) -> Mapping[str, ColumnElement[bool]]:
    """Return the condition on each part of `PARTS` that it belongs to the league (its id)."""
    nights = (
        select(NightRow.id).join(SeasonRow, SeasonRow.id == NightRow.season_id).where(SeasonRow.league_id == league)
    )
    return {
        "people": PersonRow.league_id == league,
        "seasons": SeasonRow.league_id == league,
        "nights": NightRow.id.in_(nights),
        "present": PresentRow.night_id.in_(nights),
        "tables": TableRow.night_id.in_(nights),
        "seats": SeatRow.table_id.in_(select(TableRow.id).where(TableRow.night_id.in_(nights))),
        "byes": ByeRow.night_id.in_(nights),
        "money": MoneyRow.night_id.in_(nights),
        "log": LeagueEventRow.league_id == league,
        "texts": LeagueTextRow.event_id.in_(select(LeagueEventRow.id).where(LeagueEventRow.league_id == league)),
    }
