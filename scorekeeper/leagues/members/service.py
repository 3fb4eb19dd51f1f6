"""Change roles in a league, and delete accounts with all their roles."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from scorekeeper.accounts.account_changes import close_account
from scorekeeper.accounts.audit_log import Caller
from scorekeeper.accounts.models import KnownDeviceRow
from scorekeeper.db.retry import use_case
from scorekeeper.games.store.audit import note_all
from scorekeeper.games.store.models import ScorerRow
from scorekeeper.leagues.core.access import is_released, league_at, take_charge
from scorekeeper.leagues.core.audit_log import CALLED, note
from scorekeeper.leagues.core.models import LeagueRow, TableRow, scope_of
from scorekeeper.leagues.core.roles import Role, RoleRow, has_owner, role_named, word_of
from scorekeeper.leagues.members.invitations import end_invitations
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing


@use_case
def change_role(*, league: str, member: int, role: Role, device: str, now: datetime | None = None) -> None:
    """Change the role of a member (id of a `RoleRow`). `Role.NOBODY` removes the role.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` if nobody would own the league afterwards.
    """
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        found = session.scalars(select(RoleRow).where(RoleRow.id == member, RoleRow.league_id == row.id)).first()
        if found is None or role_named(found.role) is role:
            return
        refusal = Phrase("Make someone else an owner first. Otherwise nobody could run the league.")
        _replace(session, row, found, role, device, now or datetime.now(UTC), refusal)


@use_case
def delete_account(*, account: int, caller: Caller, now: datetime | None = None) -> None:
    """Delete an account (row id) and all its roles in leagues.

    Raises `RuleViolation` if a league would have no owner afterwards. The owner can be another account or a device.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        held = session.scalars(select(RoleRow).where(RoleRow.account_id == account).order_by(RoleRow.league_id)).all()
        for member in held:
            league = session.get_one(LeagueRow, member.league_id, with_for_update=True)
            refusal = Phrase(
                "%(league)s: make someone else an owner first. Otherwise nobody could run the league.",
                league=league.name,
            )
            _replace(session, league, member, Role.NOBODY, caller.device, when, refusal)
        close_account(session, account, caller, when)


def _replace(
    session: Session, league: LeagueRow, member: RoleRow, role: Role, device: str, now: datetime, refusal: Phrase
) -> None:
    """Change or remove the role of `member`.

    If the member was an owner, all open invitations are canceled, because the former owner may know their links. A
    league must still have an account or a device as its owner. Otherwise `RuleViolation` is raised with the message
    `refusal`.
    """
    before, called = member.role, member.called
    if role_named(before) is Role.OWNER:
        if is_released(league) and not has_owner(session, league.id, but=member.id):
            raise RuleViolation("last_owner", refusal)
        end_invitations(session, league, device, now)
    if role is Role.NOBODY:
        _remove_phones(session, league, member.account_id, device, now)
        session.delete(member)
    else:
        member.role, member.since = word_of(role), now
    texts, after = {CALLED: called}, word_of(role)
    note(session, league, "role_changed", device=device, now=now, texts=texts, before=before, after=after)


def _remove_phones(session: Session, league: LeagueRow, account: int, device: str, now: datetime) -> None:
    """Stop the phones of an account (row id) from scoring at the league's tables. The league's own device is kept.

    These are the phones that may score because of the account's role, and the phones of this account that scanned a
    table card.
    """
    games = select(TableRow.game_id).where(scope_of(league.id)["tables"])
    devices = select(KnownDeviceRow.device).where(
        KnownDeviceRow.account_id == account, KnownDeviceRow.device != league.device
    )
    away = session.execute(
        update(ScorerRow)
        .where(
            ScorerRow.game_id.in_(games),
            or_(ScorerRow.account_id == account, ScorerRow.device.in_(devices)),
            ScorerRow.revoked_at.is_(None),
        )
        .values(revoked_at=now)
        .returning(ScorerRow.game_id, ScorerRow.seat)
    ).all()
    note_all(session, [(game, seat) for game, seat in away], "sent_away", device=device, now=now)
