"""Somebody deletes their account, and with it all that they are to leagues."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import select

from scorekeeper.accounts.account_changes import close_account
from scorekeeper.accounts.audit_log import Caller
from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.access import is_released
from scorekeeper.leagues.core.audit_log import CALLED, note
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.core.roles import Role, RoleRow, has_owner, role_named, word_of
from scorekeeper.leagues.members.invitations import end_invitations, send_phones_away
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing


@use_case
def delete_account(*, account: int, caller: Caller, now: datetime | None = None) -> None:
    """Take every role of the account (its id) away, as an owner could, and delete it.

    A league that its device directs goes on by that. Raises `RuleViolation` where nobody could direct a league then.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        held = session.scalars(select(RoleRow).where(RoleRow.account_id == account).order_by(RoleRow.league_id)).all()
        for role in held:
            league = session.get_one(LeagueRow, role.league_id, with_for_update=True)
            if role_named(role.role) is Role.OWNER:
                if is_released(league) and not has_owner(session, league.id, but=role.id):
                    message = Phrase(
                        "%(league)s: make somebody else an owner first, for nobody could direct it.", league=league.name
                    )
                    raise RuleViolation("last_owner", message)
                end_invitations(session, league, caller.device, when)
            send_phones_away(session, league, account, caller.device, when)
            session.delete(role)
            note(
                session,
                league,
                "role_changed",
                device=caller.device,
                now=when,
                texts={CALLED: role.called},
                before=role.role,
                after=word_of(Role.NOBODY),
            )
        close_account(session, account, caller, when)
