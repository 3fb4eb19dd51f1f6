"""Delete the demo leagues. No other league is deleted as a whole.

The games are deleted and not only hidden, so that the database is empty again and a new demo can be made. While games
are deleted, the database triggers that make their logs append-only are off.
"""

from __future__ import annotations

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.append_only import opened
from scorekeeper.db.retry import use_case
from scorekeeper.games.store.models import PlayerRow
from scorekeeper.games.store.redaction import remove_games
from scorekeeper.leagues.core.models import (
    HandRow,
    LeagueRow,
    NightRow,
    PersonalLinkRow,
    PersonRow,
    TableRow,
    TallyRow,
    scope_of,
)
from scorekeeper.leagues.core.roles import InvitationRow, RoleRow
from scorekeeper.leagues.transfer.archive_rows import PARTS
from scorekeeper.web.extensions import writing


@use_case
def remove_demo() -> int | None:
    """Delete all leagues that `scorekeeper demo` made, and return how many games they had.

    Return None if there is no such league.
    """
    with writing() as session:
        leagues = session.scalars(select(LeagueRow.id).where(LeagueRow.demo).with_for_update()).all()
        if not leagues:
            return None
        return sum(remove_league(session, league) for league in leagues)


def remove_league(session: Session, league: int) -> int:
    """Delete a league and its games, and return how many games it had. `league` is its id.

    This runs in the caller's transaction.
    """
    scope = scope_of(league)
    tables = session.execute(select(TableRow.id, TableRow.game_id).where(scope["tables"])).all()
    games = [game for _table, game in tables if game is not None]
    of_league = select(TableRow.id).where(scope["tables"])
    session.execute(delete(HandRow).where(HandRow.table_id.in_(of_league)))
    session.execute(delete(TallyRow).where(TallyRow.night_id.in_(select(NightRow.id).where(scope["nights"]))))
    session.execute(update(PersonRow).where(scope["people"]).values(merged_into=None))
    people = select(PersonRow.id).where(scope["people"])
    session.execute(update(PlayerRow).where(PlayerRow.person_id.in_(people)).values(person_id=None))
    session.execute(delete(PersonalLinkRow).where(PersonalLinkRow.person_id.in_(people)))
    with opened(session, "league_event"):
        for name, model in reversed(list(PARTS.items())):
            session.execute(delete(model).where(scope[name]))
    session.execute(delete(RoleRow).where(RoleRow.league_id == league))
    session.execute(delete(InvitationRow).where(InvitationRow.league_id == league))
    session.execute(delete(LeagueRow).where(LeagueRow.id == league))
    remove_games(session, games)
    return len(games)
