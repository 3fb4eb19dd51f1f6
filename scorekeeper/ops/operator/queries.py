"""Read what the operator's page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper import __version__
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.leagues.core.models import ClubRow, LeagueRow, NightRow, PersonRow, SeasonRow, TableRow
from scorekeeper.ops.backup.folder import backups_until, ending_of, made_at
from scorekeeper.ops.backup.locations import database_of
from scorekeeper.ops.current_metrics import Current, of_files
from scorekeeper.ops.health import looker_of
from scorekeeper.ops.operator.pages import LeagueSize, ServerPage, ServerState
from scorekeeper.web.extensions import db
from scorekeeper.web.installation import paused_because
from scorekeeper.web.locale import day_text
from scorekeeper.web.text import unaccented

SIZE = 50
"""Leagues per page."""
WRONG = {
    "database": N_("The database doesn't answer."),
    "migrations": N_("The database belongs to another version of the program."),
    "disk": N_("The disk is full or can't be written."),
}
"""What to say about each part of the server that has failed."""


def server_page(app: Flask, *, search: str, number: int, fresh: bool, errors: Mapping[str, str]) -> ServerPage:
    """Return page `number` (from 1) of the leagues that have `search` in their name or as their id, newest first.

    The search ignores letter case and accents. The names of all leagues are read, because the database can't ignore
    accents; the sizes are counted only for the leagues on the page. `fresh` and `errors` are passed on.
    """
    session = db.session()
    wanted = unaccented(search)
    rows = session.execute(select(LeagueRow.id, LeagueRow.name, LeagueRow.public_id)).all()
    found = sorted((row.id for row in rows if wanted in unaccented(row.name) or search == row.public_id), reverse=True)
    number = max(1, min(number, -(-len(found) // SIZE)))
    shown = found[(number - 1) * SIZE : number * SIZE]
    more = len(found) > number * SIZE
    return ServerPage(
        server_state(app), league_sizes(session, shown), len(found), number, more, search, fresh, dict(errors)
    )


def server_state(app: Flask) -> ServerState:
    """Return how the server is doing."""
    instance: Path = app.config["INSTANCE"]
    database = database_of(app.config["SQLALCHEMY_DATABASE_URI"])
    figures = dict(of_files(instance, database)) | Current(app).database_size(database)
    backups = backups_until(datetime.now(UTC), instance / "backups", ending_of(database))
    return ServerState(
        version=__version__,
        wrong=tuple(_(WRONG[what]) for what, is_well in looker_of(app).look().items() if not is_well),
        database=_whole(figures.get("scorekeeper_database_bytes")),
        free=_whole(figures.get("scorekeeper_disk_free_bytes")),
        backup=made_at(backups[-1]) if backups else None,
        paused_because=paused_because(),
    )


def league_sizes(session: Session, leagues: Sequence[int]) -> tuple[LeagueSize, ...]:
    """Return the leagues with these row ids in the same order, and how much each has stored. Takes five queries."""
    rows = {
        row.id: (row, slug)
        for row, slug in session.execute(
            select(LeagueRow, ClubRow.slug)
            .outerjoin(ClubRow, (ClubRow.league_id == LeagueRow.id) & ClubRow.is_open)
            .where(LeagueRow.id.in_(leagues))
        )
    }
    of_season = SeasonRow.league_id
    held = (NightRow.season_id == SeasonRow.id, NightRow.number > 0)
    people = select(PersonRow.league_id, func.count()).where(PersonRow.merged_into.is_(None))
    players = _counted(session, people, PersonRow.league_id, leagues)
    seasons = _counted(session, select(of_season, func.count()), of_season, leagues)
    nights = select(of_season, func.count(), func.max(NightRow.day)).join(NightRow, held[0] & held[1])
    days = {league: (count, day_text(last)) for league, count, last in _grouped(session, nights, of_season, leagues)}
    tables = select(of_season, func.count()).join(NightRow, held[0] & held[1])
    games = _counted(session, tables.join(TableRow, TableRow.night_id == NightRow.id), of_season, leagues)
    return tuple(
        LeagueSize(
            row.public_id,
            row.name,
            row.made_at,
            slug if slug and row.off_because is None else "",
            row.off_because,
            players.get(row.id, 0),
            seasons.get(row.id, 0),
            days.get(row.id, (0, ""))[0],
            games.get(row.id, 0),
            days.get(row.id, (0, ""))[1],
        )
        for row, slug in (rows[league] for league in leagues if league in rows)
    )


def _grouped(session: Session, query: Any, league: Any, leagues: Sequence[int]) -> Any:
    return session.execute(query.where(league.in_(leagues)).group_by(league)).all()


def _counted(session: Session, query: Any, league: Any, leagues: Sequence[int]) -> dict[int, int]:
    return {row[0]: row[1] for row in _grouped(session, query, league, leagues)}


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)
