"""Sign up, in and out with a password.

A password is hashed before the transaction starts: hashing is slow, and the database must not wait for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.accounts.audit_log import Caller, note, note_refusal
from scorekeeper.accounts.credentials import Refused, check_new, checked_name, folded
from scorekeeper.accounts.models import AccountRow, SessionRow
from scorekeeper.accounts.passwords import hashed, matches, outdated
from scorekeeper.accounts.session_start import account_named, begin
from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import hash_of, new_code
from scorekeeper.i18n.catalog import _
from scorekeeper.web.extensions import db, writing


@dataclass(frozen=True, slots=True)
class Opened:
    """The new session and the new printed code of a director who has just opened their account."""

    secret: str
    """Token of the new session, for the cookie."""
    code: str
    """The new printed code, to be shown once."""
    account: int


def sign_up(*, name: str, password: str, caller: Caller) -> Opened:
    """Create an account and sign in.

    Raises `Refused` if the name or password isn't acceptable, or the name is taken.
    """
    called = checked_name(name)
    check_new(password, called)
    if account_named(db.session(), called) is not None:
        raise name_taken()
    return _sign_up(called, hashed(password), caller, datetime.now(UTC))


@use_case
def _sign_up(name: str, password: str, caller: Caller, now: datetime) -> Opened:
    with writing() as session:
        return make_account(session, name, password, caller, now)


def make_account(session: Session, name: str, password: str, caller: Caller, now: datetime) -> Opened:
    """Create an account, sign its director in, and return the new session and printed code.

    `name` comes from `checked_name`, and `password` is a hash. Doesn't commit. Raises `Refused` if the name is taken.
    """
    if account_named(session, name) is not None:
        raise name_taken()
    code = new_code()
    account = new_account(name, now)
    account.password, account.recovery = password, hash_of(code)
    session.add(account)
    session.flush()
    note(session, account.id, "signed_up", caller, now)
    return Opened(begin(session, account.id, "in_password", caller, now), code, account.id)


def sign_in(*, name: str, password: str, caller: Caller) -> str | None:
    """Sign a director in and return the token of the new session, or None if the name or password is wrong.

    Checking an unknown name takes as long as checking a wrong password. So nobody can find out which names exist.
    """
    found = account_named(db.session(), name)
    kept = None if found is None else found.password
    right = matches(kept, password)
    if found is None or kept is None or not right:
        note_refusal(None if found is None else found.id, "no_password", caller)
        return None
    better = hashed(password) if outdated(kept) else kept
    return _sign_in(found.id, kept, better, caller, datetime.now(UTC))


@use_case
def _sign_in(account: int, kept: str, better: str, caller: Caller, now: datetime) -> str | None:
    with writing() as session:
        row = session.get_one(AccountRow, account, with_for_update=True)
        if row.password != kept:  # changed during the check
            note(session, account, "no_password", caller, now)
            return None
        row.password = better
        return begin(session, account, "in_password", caller, now)


@use_case
def sign_out(*, session_id: int, account: int, caller: Caller) -> None:
    """End the session `session_id` if it belongs to the account; otherwise do nothing.

    A session that has ended stops working in all processes at once.
    """
    now = datetime.now(UTC)
    with writing() as session:
        found = session.scalars(select(SessionRow).where(SessionRow.id == session_id).with_for_update()).first()
        if found is None or found.account_id != account or found.ended_at is not None:
            return
        found.ended_at = now
        note(session, account, "out" if session_id == caller.session else "out_one", caller, now)


def new_account(name: str, now: datetime) -> AccountRow:
    """Return a new account, to which nobody can sign in yet: it has no password. `name` comes from `checked_name`."""
    return AccountRow(name=name, folded=folded(name), made_at=now)


def name_taken() -> Refused:
    """Return the error for a name that is taken."""
    return Refused("name", _("That name is taken. Add a last name or a town."))
