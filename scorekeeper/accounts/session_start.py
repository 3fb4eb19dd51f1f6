"""Start a session with a new token and log it; all ways of signing in call `begin`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from scorekeeper.accounts.audit_log import Caller, forget_old, note
from scorekeeper.accounts.credentials import folded
from scorekeeper.accounts.models import AccountRow, KnownDeviceRow, SessionRow
from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.web.extensions import db


def begin(session: Session, account: int, kind: str, caller: Caller, now: datetime) -> str:
    """Start a session of `account`, and return the token for the session cookie. Doesn't commit.

    The browser's previous session ends. `kind` is the event to log, one of `audit_log.KINDS`.
    """
    forget_old(session, now)
    if caller.session is not None:
        session.execute(update(SessionRow).where(SessionRow.id == caller.session).values(ended_at=now))
    secret = new_secret()
    session.add(
        SessionRow(
            account_id=account,
            secret=hash_of(secret),
            agent=caller.agent,
            made_at=now,
            seen_on=now.date(),
        )
    )
    known = select(KnownDeviceRow.id).where(
        KnownDeviceRow.account_id == account, KnownDeviceRow.device == caller.device
    )
    if session.scalars(known).first() is None:
        session.add(KnownDeviceRow(account_id=account, device=caller.device, since=now))
    note(session, account, kind, caller, now)
    return secret


def end_all(session: Session, account: int, now: datetime, *, but: int | None = None) -> None:
    """End all sessions of an account, except the session with the id `but` if `but` is given."""
    ending = update(SessionRow).where(SessionRow.account_id == account, SessionRow.ended_at.is_(None))
    if but is not None:
        ending = ending.where(SessionRow.id != but)
    session.execute(ending.values(ended_at=now))


def came_before(name: str, device: str | None) -> bool:
    """Return whether the device has been used to sign in to the account called `name` before.

    `device` is the hash of the device's token, or None for a device without a token.
    """
    if device is None:
        return False
    found = select(KnownDeviceRow.id).join(AccountRow, AccountRow.id == KnownDeviceRow.account_id)
    return (
        db.session.scalars(found.where(AccountRow.folded == folded(name), KnownDeviceRow.device == device)).first()
        is not None
    )


def account_named(session: Session, name: str, *, lock: bool = False) -> AccountRow | None:
    """Return the account called `name`, or None if there is no such account.

    Differences in letter case and spacing are ignored. With `lock`, the account's row is locked until the transaction
    ends.
    """
    found = select(AccountRow).where(AccountRow.folded == folded(name))
    return session.scalars(found.with_for_update() if lock else found).first()
