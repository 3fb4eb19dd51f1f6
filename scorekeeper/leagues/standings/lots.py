"""Save the random draws in the standings when a night is closed. The standings can then show the time of each draw.

The order of a draw depends only on the season and on the tied people (`ties.Lots`); the league's log
only adds the time. The time of a draw is that of the first log line that has the draw. It stays the same if the night
is reopened, or if the league is imported on another server.
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
"""Kind of the log line about draws. Its data has the season's public id (`season`) and a list of `Lot` (`lots`)."""

Lot = tuple[tuple[str, ...], ...]
"""The tied players or teams of a random draw, in the drawn order. Each is a tuple of the public ids of its people."""


def lots_in(rows: Iterable[StandingRow], tags: Mapping[int, str]) -> list[Lot]:
    """Return the random draws in the standings that aren't in the league's log yet, from the best rank to the worst.

    `tags` has each person's public id, by the person's row id.
    """
    return [_lot(tie, tags) for tie in ties_of(rows) if tie.rule == "draw" and tie.drawn_at is None]


def with_times(
    session: Session, season: SeasonRow, rows: Sequence[StandingRow], tags: Mapping[int, str]
) -> tuple[StandingRow, ...]:
    """Return `rows` with the time of each random draw filled in.

    `tags` has each person's public id, by the person's row id. Takes one query if there are any draws, otherwise none.
    """
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
