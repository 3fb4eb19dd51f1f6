"""View models of the operator's page.

Read what the operator's page shows.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flask import Flask
from msgspec import Struct, field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper import __version__
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.leagues.core.models import ClubRow, LeagueRow, NightRow, PersonRow, SeasonRow, TableRow
from scorekeeper.ops.backup.schedule import backups_until, database_of, ending_of, made_at
from scorekeeper.ops.health import looker_of
from scorekeeper.ops.metrics import Current, of_files
from scorekeeper.web.extensions import db, paused_because
from scorekeeper.web.locale import day_text
from scorekeeper.web.text import unaccented


class ServerState(Struct, frozen=True):
    """How the server is doing. What can't be found out is None."""

    version: str
    wrong: tuple[str, ...]
    """Each part of the server that has failed, in words; empty if all is well."""
    database: int | None
    """Size of the database in bytes."""
    free: int | None
    """Free disk space in bytes."""
    backup: datetime | None
    """When the newest backup was made."""
    paused_because: str | None
    """The sentence for players in maintenance mode, which may be empty; None if the mode is off."""


class LeagueSize(Struct, frozen=True):
    """A league and how much it has stored."""

    id: str
    name: str
    made_at: datetime
    slug: str
    """Readable part of its public address; empty if the league isn't public."""
    off_because: str | None
    """Why the league is turned off; None if it is on."""
    players: int
    seasons: int
    nights: int
    games: int
    """Tables of all rounds, with or without a result."""
    last_night: str
    """Date of the latest night in the reader's language, or empty."""


class ServerPage(Struct, frozen=True):
    state: ServerState
    leagues: tuple[LeagueSize, ...]
    found: int
    """How many leagues the search found, on all pages."""
    number: int
    """Number of the page, from 1."""
    more: bool
    """Whether there is another page after this one."""
    search: str
    fresh: bool
    """Whether the operator signed in recently enough to change something."""
    errors: dict[str, str] = field(default_factory=dict)
    """Error messages, by id of a league."""


class DirectorLink(Struct, frozen=True):
    """The link with which a new director opens their account."""

    name: str
    url: str
    code: str
    """QR code of the link, as SVG."""
    days: int
    note: str
    """A warning that the address works only on this machine, or empty."""


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
