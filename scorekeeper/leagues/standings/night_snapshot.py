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
from scorekeeper.leagues.standings.bracket import Bracket, bracket_of, night_picture
from scorekeeper.leagues.standings.pages import BracketRound
from scorekeeper.leagues.standings.table_results import TableState, begun_of, byes_of, tables_of
from scorekeeper.web.extensions import db


@dataclass(frozen=True, slots=True)
class Known:
    """A person of a league. For a merged person, the fields describe the person they were merged into."""

    id: int
    public_id: str
    name: str
    nickname: str
    active: bool
    merged: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """A snapshot of a night, as read from the database.

    A snapshot contains database rows, so only code that reads the database may use it. Pages get view models instead.
    """

    league: LeagueRow
    season: SeasonRow
    night: NightRow
    plan: NightPlan
    tables: tuple[TableState, ...]
    byes: Mapping[int, tuple[int, ...]]
    people: Mapping[int, Known]
    """Everyone in the league, by id."""
    bracket: Bracket | None = None
    """The bracket of a knockout; None for other formats, or if the teams can't form one."""

    @property
    def last(self) -> int:
        """Return the number of the last round that has a seating, or 0 if no round has one."""
        return max((table.round for table in self.tables), default=0)

    @property
    def begun(self) -> int:
        """Return the number of the last round that was started, or 0 if no round was started."""
        return begun_of(self.night, self.tables)

    @property
    def now(self) -> int:
        """Return the number of the current round.

        The current round is the last round that was started. Once all tables of the last started round are done, the
        next round is the current one, if it has a seating.
        """
        begun = self.begun
        over = all(table.done for table in self.tables if table.round == begun)
        return min(begun + 1 if over else begun, self.last)


def night_version(night: str) -> str:
    """Return a hash that changes whenever the night's pages change. Raises `NoSuchLeagueError`."""
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
    """Return a snapshot of the night with this public id. Raises `NoSuchLeagueError`."""
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
    """Return everyone in a league by id. For the id of a merged person, return the person they were merged into."""
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
    """Return a dict from each person's id in `ids` to the name that is shown for the person on a night.

    A person's nickname is shown if they have one and nobody else is shown under the same name. Otherwise, their full
    name is shown.
    """
    short = {person: people[person].nickname or people[person].name for person in ids}
    keys = [name.casefold() for name in short.values()]
    return {person: name if keys.count(name.casefold()) == 1 else people[person].name for person, name in short.items()}


def champion_line(at: Seen, names: Mapping[int, str]) -> str:
    """Return who won a knockout, as "Champions: Ann and Bob", or as "Champion: Ann" in singles.

    Return an empty string until the knockout is decided, and for a night that isn't a knockout.
    """
    won = at.bracket.champion if at.bracket else ()
    if not won:
        return ""
    called = join_names([isolated(names[person]) for person in won])
    return _("Champion: %(name)s", name=called) if len(won) == 1 else _("Champions: %(names)s", names=called)


def bracket_on(at: Seen, names: Mapping[int, str]) -> tuple[BracketRound, ...]:
    """Return the picture of a knockout's bracket, or () for a night that isn't one. `names` are those of `names_on`."""
    return night_picture(at.bracket, at.tables, lambda person: names.get(person) or at.people[person].name)


def names_on(at: Seen) -> Mapping[int, str]:
    """Return the names shown on the night, by id of the person.

    Names are returned for all seated players, for people with a bye, for regulars who have a substitute, and for the
    champions.
    """
    ids = {person for table in at.tables for person in (*table.seats, *table.subs.values())}
    ids |= set(at.bracket.champion) if at.bracket else set()
    return called(at.people, sorted(ids.union(*at.byes.values())))
