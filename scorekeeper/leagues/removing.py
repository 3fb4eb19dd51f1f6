"""The demo, removed again. Nothing else of a league is ever deleted.

Its games are deleted too, not only marked: a newcomer who has seen enough wants a score book that is empty, and a demo
that is made again must not meet the one before. The log of a game only grows, and the database sees to it. So for
this one transaction, which no other can look into, it is told not to; SQLite and PostgreSQL both take that back with
everything else should anything go wrong.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from sqlalchemy import delete, select, text, update
from sqlalchemy.orm import Session

from scorekeeper.extensions import writing
from scorekeeper.games.models import EventRow, GameRow, PlayerRow, ScoreLinkRow, ScorerRow
from scorekeeper.games.whole import players_of
from scorekeeper.leagues.models import HandRow, LeagueRow, NightRow, PersonRow, TableRow, TallyRow
from scorekeeper.leagues.roles import RoleRow
from scorekeeper.leagues.rows import PARTS, scope_of
from scorekeeper.retrying import use_case

TRIGGER = "game_event_no_delete"


@use_case
def remove_demo() -> int | None:
    """Delete every league that `scorekeeper demo` made, and return how many games that were; None without one."""
    with writing() as session:
        leagues = session.scalars(select(LeagueRow.id).where(LeagueRow.demo).with_for_update()).all()
        if not leagues:
            return None
        return sum(_remove(session, league) for league in leagues)


def _remove(session: Session, league: int) -> int:
    scope = scope_of(league)
    tables = session.execute(select(TableRow.id, TableRow.game_id).where(scope["tables"])).all()
    games = [game for _table, game in tables if game is not None]
    of_league = select(TableRow.id).where(scope["tables"])
    session.execute(delete(HandRow).where(HandRow.table_id.in_(of_league)))
    session.execute(delete(TallyRow).where(TallyRow.night_id.in_(select(NightRow.id).where(scope["nights"]))))
    session.execute(update(PersonRow).where(scope["people"]).values(merged_into=None))
    for name, model in reversed(list(PARTS.items())):
        session.execute(delete(model).where(scope[name]))
    session.execute(delete(RoleRow).where(RoleRow.league_id == league))
    session.execute(delete(LeagueRow).where(LeagueRow.id == league))
    for first in range(0, len(games), 500):
        _remove_games(session, games[first : first + 500])
    return len(games)


def _remove_games(session: Session, games: list[int]) -> None:
    players = players_of(session, games)
    session.execute(delete(ScorerRow).where(ScorerRow.game_id.in_(games)))
    session.execute(delete(ScoreLinkRow).where(ScoreLinkRow.game_id.in_(games)))
    # A game that was played again after one of these stays, and so do those of its players.
    session.execute(update(GameRow).where(GameRow.rematch_of.in_(games)).values(rematch_of=None))
    with _log_may_shrink(session):
        session.execute(delete(EventRow).where(EventRow.game_id.in_(games)))
    session.execute(delete(GameRow).where(GameRow.id.in_(games)))
    again = {player for row in session.scalars(select(GameRow.players)) for player in row} & players
    session.execute(delete(PlayerRow).where(PlayerRow.id.in_(players - again)))


@contextlib.contextmanager
def _log_may_shrink(session: Session) -> Iterator[None]:
    """Let the rows of the log be deleted, in this transaction."""
    if session.get_bind().dialect.name == "sqlite":
        made = session.scalar(
            text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = :name"), {"name": TRIGGER}
        )
        session.execute(text(f"DROP TRIGGER {TRIGGER}"))
        yield
        session.connection().exec_driver_sql(str(made))
    else:
        session.execute(text("ALTER TABLE game_event DISABLE TRIGGER game_event_no_change"))
        yield
        session.execute(text("ALTER TABLE game_event ENABLE TRIGGER game_event_no_change"))
