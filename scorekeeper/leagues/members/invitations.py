"""Create, cancel and accept invitations to a role in a league. Each use case is one transaction.

An invitation is a link that gives a role to one account. It can be used only once. The database keeps only a hash of
its token.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.accounts.audit_log import Caller
from scorekeeper.accounts.sign_in import Opened, make_account
from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.core.access import league_at, refuse_off, take_charge
from scorekeeper.leagues.core.audit_log import CALLED, note
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.core.roles import (
    InvitationRow,
    Role,
    give_role,
    is_open,
    role_in,
    role_named,
    word_of,
)
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import check_name
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db, writing

MOST_OPEN = 50
"""Most open invitations of a league."""


class DeadInvitationError(Exception):
    """The invitation is unknown, used, canceled or expired."""


@dataclass(frozen=True, slots=True)
class Invited:
    """An open invitation, with its league and its role."""

    league: str
    """Public id of the league."""
    name: str
    """Name of the league."""
    role: Role
    called: str
    """Name under which the owner invited the person."""


@use_case
def invite(*, league: str, role: Role, called: str, device: str, now: datetime | None = None) -> str:
    """Create an invitation to a role for the person named `called`, and return its token. The token is not stored.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` for an invalid name or too many open
    invitations.
    """
    when = now or datetime.now(UTC)
    word = new_secret()
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        if role is Role.NOBODY:
            raise RuleViolation("role", "Choose a role.", field="role")
        name = _called(called)
        waiting = select(func.count()).where(InvitationRow.league_id == row.id, is_open(when))
        if (session.scalar(waiting) or 0) >= MOST_OPEN:
            message = Phrase("There are already %(most)s open invitations. Cancel one first.", most=MOST_OPEN)
            raise RuleViolation("invitations", message, field="role")
        session.add(
            InvitationRow(league_id=row.id, secret=hash_of(word), role=word_of(role), called=name, made_at=when)
        )
        note(session, row, "invited", device=device, now=when, texts={CALLED: name}, role=word_of(role))
    return word


@use_case
def take_back(*, league: str, invitation: int, device: str, now: datetime | None = None) -> None:
    """Cancel an open invitation (row id). Nothing happens if the invitation was used or canceled, or has expired.

    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        found = session.scalars(
            select(InvitationRow).where(
                InvitationRow.id == invitation, InvitationRow.league_id == row.id, is_open(when)
            )
        ).first()
        if found is None:
            return
        _end(session, row, found, device, when)


def invited(*, word: str, now: datetime | None = None) -> Invited:
    """Return the open invitation with the token `word`, without using it. Raises `DeadInvitationError`."""
    session = db.session()
    row = _open_one(session, word, now or datetime.now(UTC))
    league = session.get_one(LeagueRow, row.league_id)
    return Invited(league.public_id, league.name, role_named(row.role), row.called)


@use_case
def accept(*, word: str, account: int, device: str, now: datetime | None = None) -> str:
    """Give an account (row id) the role of an invitation, and return the league's public id.

    `word` is the token of the invitation. If the account already has this role or a higher role, or if `device` owns
    the league, the invitation stays open. Raises `DeadInvitationError`.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        league, row = _locked(session, word, when)
        before = Role.OWNER if league.device == device else role_in(session, account, league.id)
        if before < role_named(row.role):
            _take(session, league, row, account, device, before, when)
        return league.public_id


@use_case
def accept_anew(*, word: str, name: str, password: str, caller: Caller, now: datetime | None = None) -> Opened:
    """Create an account for an invited person, sign the person in, and give the account the role of the invitation.

    `word` is the token of the invitation. `name` must come from `checked_name`, and `password` must be hashed. Raises
    `DeadInvitationError` or `Refused`.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        league, row = _locked(session, word, when)
        opened = make_account(session, name, password, caller, when)
        _take(session, league, row, opened.account, caller.device, Role.NOBODY, when)
        return opened


def end_invitations(session: Session, league: LeagueRow, device: str, now: datetime) -> None:
    """Cancel all open invitations to a league. The caller's transaction commits the change."""
    waiting = select(InvitationRow).where(InvitationRow.league_id == league.id, is_open(now)).order_by(InvitationRow.id)
    for invitation in session.scalars(waiting).all():
        _end(session, league, invitation, device, now)


def _end(session: Session, league: LeagueRow, invitation: InvitationRow, device: str, now: datetime) -> None:
    invitation.ended_at = now
    texts = {CALLED: invitation.called}
    note(session, league, "invitation_void", device=device, now=now, texts=texts, role=invitation.role)


def _open_one(session: Session, word: str, now: datetime) -> InvitationRow:
    query = select(InvitationRow).where(InvitationRow.secret == hash_of(word), is_open(now))
    row = session.scalars(query.execution_options(populate_existing=True)).first()
    if row is None:
        raise DeadInvitationError
    return row


def _locked(session: Session, word: str, now: datetime) -> tuple[LeagueRow, InvitationRow]:
    """Lock the league of an invitation, and return the league and the invitation. `word` is the invitation's token.

    To avoid a deadlock, the league is locked first. The invitation is then read again. Raises `DeadInvitationError`,
    and `TurnedOffError` if the league is turned off.
    """
    league = session.get_one(LeagueRow, _open_one(session, word, now).league_id, with_for_update=True)
    refuse_off(league)
    return league, _open_one(session, word, now)


def _take(
    session: Session,
    league: LeagueRow,
    row: InvitationRow,
    account: int,
    device: str,
    before: Role,
    now: datetime,
) -> None:
    row.ended_at = now
    give_role(session, account, league.id, role_named(row.role), now, row.called)
    note(
        session,
        league,
        "joined",
        device=device,
        now=now,
        account=account,
        texts={CALLED: row.called},
        role=row.role,
        before=word_of(before),
    )


def _called(name: str) -> str:
    try:
        return check_name(name)
    except RuleViolation as violation:
        missing = violation.code == "name_missing"
        message = N_("Enter the name of the person you're inviting.") if missing else violation.message
        raise RuleViolation(violation.code, message, field="called") from None
