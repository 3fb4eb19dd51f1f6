"""What goes with an account that is deleted."""

from __future__ import annotations

from sqlalchemy import select

from scorekeeper.accounts.queries import name_of
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.core.roles import RoleRow, role_named
from scorekeeper.leagues.members.deletion_pages import Held, LeavingPage
from scorekeeper.leagues.members.queries import label_of
from scorekeeper.web.extensions import db


def leaving_page(account: int, error: str = "") -> LeavingPage:
    """Return what the account (its id) is to which leagues, and why it cannot be deleted, if so."""
    query = (
        select(LeagueRow.public_id, LeagueRow.name, RoleRow.role)
        .join(LeagueRow, LeagueRow.id == RoleRow.league_id)
        .where(RoleRow.account_id == account)
        .order_by(LeagueRow.id)
    )
    held = tuple(Held(league, name, label_of(role_named(role))) for league, name, role in db.session.execute(query))
    return LeavingPage(name_of(account), held, error)
