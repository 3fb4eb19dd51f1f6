"""A league is kept in the account of its director, who directs it then from wherever they are signed in."""

from __future__ import annotations

from datetime import UTC, datetime

from scorekeeper.accounts.actor import Actor
from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.access import NotAllowedError, league_at, take_charge
from scorekeeper.leagues.core.audit_log import note
from scorekeeper.leagues.core.roles import Role, give_role, role_in
from scorekeeper.web.extensions import writing


@use_case
def keep_in_account(*, league: str, actor: Actor, now: datetime | None = None) -> bool:
    """Let the account that is signed in own the league, besides the device that directs it.

    Return whether that is a right it had not before. Done twice, it is done once. Raises `NoSuchLeagueError`, and
    `NotAllowedError` for who does not own it or is not signed in.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, actor.device, Role.OWNER)
        if actor.account is None:
            raise NotAllowedError
        if role_in(session, actor.account, row.id) is Role.OWNER:
            return False
        give_role(session, actor.account, row.id, Role.OWNER, when)
        note(session, row, "kept_in_account", device=actor.device or "", now=when)
        return True
