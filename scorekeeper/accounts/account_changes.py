"""What a director changes: the password, the printed code, where else they are signed in; and the end of an account.

The number of an account that is deleted stays, for the logs of leagues, which only grow, refer to it; there it is
called what an owner called it. Its own log runs out like any other (`audit_log.KEPT`).
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from scorekeeper.accounts.audit_log import Caller, note, note_refusal
from scorekeeper.accounts.credentials import Refused, check_new
from scorekeeper.accounts.models import AccountRow, KnownDeviceRow, PasskeyRow, SessionRow
from scorekeeper.accounts.passwords import hashed, matches
from scorekeeper.accounts.session_start import end_all
from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import hash_of, new_code
from scorekeeper.i18n.catalog import _
from scorekeeper.web.extensions import db, writing

GONE = "\n"
"""Begins what stands where the folded name was: in no name is there a new line."""


def change_password(*, account: int, now_known: str, password: str, caller: Caller) -> None:
    """Change the password and sign out everywhere else. Raises `Refused` where the one known now is wrong."""
    row = db.session.get_one(AccountRow, account)
    kept = row.password
    if not matches(kept, now_known):
        note_refusal(account, "no_password", caller)
        raise wrong_password()
    check_new(password, row.name)
    _change_password(account, kept, hashed(password), caller, datetime.now(UTC))


@use_case
def _change_password(account: int, kept: str | None, password: str, caller: Caller, now: datetime) -> None:
    with writing() as session:
        row = session.get_one(AccountRow, account, with_for_update=True)
        if row.password != kept:
            raise wrong_password()
        row.password = password
        end_all(session, account, now, but=caller.session)
        note(session, account, "password", caller, now)


@use_case
def renew_code(*, account: int, caller: Caller) -> str:
    """Return a new code to print; the one from before opens nothing."""
    now = datetime.now(UTC)
    with writing() as session:
        code = new_code()
        session.get_one(AccountRow, account, with_for_update=True).recovery = hash_of(code)
        note(session, account, "code", caller, now)
        return code


@use_case
def sign_out_everywhere(*, account: int, caller: Caller) -> None:
    """End every session of the account, this one too."""
    now = datetime.now(UTC)
    with writing() as session:
        end_all(session, account, now)
        note(session, account, "out_all", caller, now)


def close_account(session: Session, account: int, caller: Caller, now: datetime) -> None:
    """Delete the account (its id). The caller's transaction commits it, after it let go of what the account had."""
    row = session.get_one(AccountRow, account, with_for_update=True)
    row.name, row.folded, row.handle = "", f"{GONE}{account}", f"{GONE}{account}"
    row.password = row.recovery = row.opening = row.opening_until = None
    for opens in (PasskeyRow, KnownDeviceRow, SessionRow):
        session.execute(delete(opens).where(opens.account_id == account))
    note(session, account, "deleted", caller, now)


def wrong_password() -> Refused:
    """Return what is said where the password that is known now is wrong."""
    return Refused("current-password", _("That's not your current password. Try again."))
