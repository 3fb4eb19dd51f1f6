"""Save random draws when a night is closed, so that standings can say when each of them was made.

The order of a draw depends only on the season and on the tied people (`ties.Lots`), so the log adds no chance, only the
time. A draw keeps the time of its first line, also after a night is reopened or the league is imported elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import LeagueEventRow, SeasonRow
from scorekeeper.leagues.standings.rows import StandingRow, Tie
from scorekeeper.leagues.standings.table import ties_of

KIND = "lots_drawn"
"""Kind of the line in the log: `season` is its public id, `lots` the draws, each as the units in the drawn order."""

Lot = tuple[tuple[str, ...], ...]
"""The units of a draw in the drawn order, each as the public ids of its people."""


def lots_in(rows: Iterable[StandingRow], tags: Mapping[int, str]) -> list[Lot]:
    """Return the random draws in the standings that aren't in the league's log yet, from the top down."""
    return [_lot(tie, tags) for tie in ties_of(rows) if tie.rule == "draw" and tie.drawn_at is None]


def with_times(
    session: Session, season: SeasonRow, rows: Sequence[StandingRow], tags: Mapping[int, str]
) -> tuple[StandingRow, ...]:
    """Return `rows` with the times of their random draws; one query if there are any."""
    if not any(tie.rule == "draw" for row in rows for tie in row.ties):
        return tuple(rows)
    times = _times(session, season)

    def timed(tie: Tie) -> Tie:
        return replace(tie, drawn_at=times.get(_lot(tie, tags))) if tie.rule == "draw" else tie

    return tuple(replace(row, ties=tuple(map(timed, row.ties))) if row.ties else row for row in rows)


def _lot(tie: Tie, tags: Mapping[int, str]) -> Lot:
    return tuple(tuple(sorted(tags[person] for person in unit)) for unit in tie.units)


def _times(session: Session, season: SeasonRow) -> Mapping[Lot, datetime]:
    query = (
        select(LeagueEventRow.at, LeagueEventRow.data)
        .where(LeagueEventRow.league_id == season.league_id, LeagueEventRow.kind == KIND)
        .order_by(LeagueEventRow.id.desc())
    )
    lines = [(at, data) for at, data in session.execute(query) if data.get("season") == season.public_id]
    # The oldest line comes last and wins.
    return {tuple(tuple(unit) for unit in lot): at for at, data in lines for lot in data.get("lots", ())}
