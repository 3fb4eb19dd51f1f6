"""A league is kept in the account of its director, who directs it then from wherever they are signed in."""

from __future__ import annotations

from datetime import UTC, datetime

from scorekeeper.accounts.who import Actor
from scorekeeper.extensions import writing
from scorekeeper.leagues.access import NotDirectorError, league_at, take_charge
from scorekeeper.leagues.ledger import note
from scorekeeper.leagues.roles import OWNER, RoleRow, owns
from scorekeeper.retrying import use_case


@use_case
def keep_in_account(*, league: str, actor: Actor, now: datetime | None = None) -> None:
    """Let the account that is signed in own the league, besides the device that directs it.

    Done twice, it is done once. Raises `NoSuchLeagueError`, and `NotDirectorError` for who does not direct it or is not
    signed in.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, actor.device)
        if actor.account is None:
            raise NotDirectorError
        if owns(session, actor.account, row.id):
            return
        session.add(RoleRow(league_id=row.id, account_id=actor.account, role=OWNER, since=when))
        note(session, row, "kept_in_account", device=actor.device or "", now=when)
