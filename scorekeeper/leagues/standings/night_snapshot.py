"""Read a night with its tables from the database."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import GameRow
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueRow, NightRow, PersonRow, SeasonRow, TableRow
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.bracket import Bracket, bracket_of
from scorekeeper.leagues.standings.table_results import TableState, byes_of, tables_of
from scorekeeper.web.extensions import db


@dataclass(frozen=True, slots=True)
class Known:
    """A person of a league; if they were merged, the person they became."""

    id: int
    public_id: str
    name: str
    nickname: str
    active: bool
    merged: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """A night as read from the database; pages never get its rows."""

    league: LeagueRow
    season: SeasonRow
    night: NightRow
    plan: NightPlan
    tables: tuple[TableState, ...]
    byes: Mapping[int, tuple[int, ...]]
    people: Mapping[int, Known]
    """Everyone in the league, by id."""
    bracket: Bracket | None = None
    """Of a knockout only."""

    @property
    def last(self) -> int:
        """Return the last round with a seating, 0 for none."""
        return max((table.round for table in self.tables), default=0)

    @property
    def begun(self) -> int:
        """Return the last round that was started, 0 for none."""
        return max((table.round for table in self.tables if table.game), default=0)

    @property
    def now(self) -> int:
        """Return the current round: the last one started or, when all its tables are done, the next one."""
        begun = self.begun
        over = all(table.done for table in self.tables if table.round == begun)
        return min(begun + 1 if over else begun, self.last)


def night_version(night: str) -> str:
    """Return a hash that changes whenever the night's pages do. Raises `NoSuchLeagueError`."""
    session = db.session()
    row = night_at(session, night)
    # Renaming a person or season is in the league's log, like everything done at the desk.
    league = select(SeasonRow.league_id).where(SeasonRow.id == row.season_id).scalar_subquery()
    logged = session.scalar(select(func.max(LeagueEventRow.id)).where(LeagueEventRow.league_id == league))
    # A game's version only grows, and cleared tables had no game.
    games = select(func.sum(GameRow.version)).join(TableRow, TableRow.game_id == GameRow.id)
    # The next night is on the page until its date is over.
    today = datetime.now(UTC).date()
    state = repr((logged, row.version, session.scalar(games.where(TableRow.night_id == row.id)), today))
    return hashlib.sha256(state.encode()).hexdigest()[:12]


def seen(night: str) -> Seen:
    """Return the night with this public id; raises `NoSuchLeagueError`."""
    session = db.session()
    row = night_at(session, night)
    season = session.get_one(SeasonRow, row.season_id)
    league = session.get_one(LeagueRow, season.league_id)
    plan, tables, byes = NightPlan.from_json(row.plan), tables_of(session, row), byes_of(session, row)
    return Seen(
        league=league,
        season=season,
        night=row,
        plan=plan,
        tables=tables,
        byes=byes,
        people=people_of(session, league.id),
        bracket=bracket_of(session, row, tables, byes) if plan.format == KNOCKOUT.key else None,
    )


def people_of(session: Session, league: int) -> Mapping[int, Known]:
    """Return everyone in a league by id; a merged id leads to the person they became."""
    rows = session.scalars(select(PersonRow).where(PersonRow.league_id == league)).all()
    by_id = {row.id: row for row in rows}
    known = {}
    for row in rows:
        real = by_id[row.merged_into or row.id]
        known[row.id] = Known(
            real.id, real.public_id, real.name, real.nickname, real.active, row.merged_into is not None
        )
    return known


def called(people: Mapping[int, Known], ids: Sequence[int]) -> Mapping[int, str]:
    """Return the names shown on a night: nicknames, or full names for people whose nicknames are the same."""
    short = {person: people[person].nickname or people[person].name for person in ids}
    keys = [name.casefold() for name in short.values()]
    return {person: name if keys.count(name.casefold()) == 1 else people[person].name for person, name in short.items()}


def champion_line(at: Seen, names: Mapping[int, str]) -> str:
    """Return who won a knockout: "Champions: Ann and Bob", or "Champion: Ann" of singles.

    Empty until it is decided, and for other formats.
    """
    won = at.bracket.champion if at.bracket else ()
    if not won:
        return ""
    called = join_names([isolated(names[person]) for person in won])
    return _("Champion: %(name)s", name=called) if len(won) == 1 else _("Champions: %(names)s", names=called)


def names_on(at: Seen) -> Mapping[int, str]:
    """Return the names shown on the night for everyone with a seat, a bye or a substitute."""
    ids = {person for table in at.tables for person in (*table.seats, *table.subs.values())}
    ids |= set(at.bracket.champion) if at.bracket else set()
    return called(at.people, sorted(ids.union(*at.byes.values())))
