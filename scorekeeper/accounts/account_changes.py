"""Change the password or printed code, sign out everywhere, or delete the account.

A deleted account keeps its id, because the append-only logs of leagues refer to it; those logs show the name that an
owner of the league gave to the director. The account's own log expires like any other (`audit_log.KEPT`).
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from scorekeeper.accounts.audit_log import Caller, note, note_refusal
from scorekeeper.accounts.credentials import Refused, check_new
from scorekeeper.accounts.models import AccountRow, KnownDeviceRow, SessionRow
from scorekeeper.accounts.passwords import hashed, matches
from scorekeeper.accounts.session_start import end_all
from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import hash_of, new_code
from scorekeeper.i18n.catalog import _
from scorekeeper.web.extensions import db, writing

GONE = "\n"
"""First character of `AccountRow.folded` for a deleted account. The account's id follows.

No other folded name contains a line break.
"""


def change_password(*, account: int, now_known: str, password: str, caller: Caller) -> None:
    """Change the password, and end all sessions of the account except the caller's.

    `now_known` is the current password as the director typed it. Raises `Refused` if `now_known` is wrong, or if the
    new password isn't acceptable.
    """
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
    """Make a new printed code for the account, and return the code. The previous code stops working."""
    now = datetime.now(UTC)
    with writing() as session:
        code = new_code()
        session.get_one(AccountRow, account, with_for_update=True).recovery = hash_of(code)
        note(session, account, "code", caller, now)
        return code


@use_case
def sign_out_everywhere(*, account: int, caller: Caller) -> None:
    """End all sessions of the account, including that of this request."""
    now = datetime.now(UTC)
    with writing() as session:
        end_all(session, account, now)
        note(session, account, "out_all", caller, now)


def close_account(session: Session, account: int, caller: Caller, now: datetime) -> None:
    """Delete the personal data, password and sessions of an account, but keep its row and its log.

    `account` is the row id. The account's roles in leagues are not removed. Doesn't commit.
    """
    row = session.get_one(AccountRow, account, with_for_update=True)
    row.name, row.folded = "", f"{GONE}{account}"
    row.password = row.recovery = row.opening = row.opening_until = row.is_operator = None
    for opens in (KnownDeviceRow, SessionRow):
        session.execute(delete(opens).where(opens.account_id == account))
    note(session, account, "deleted", caller, now)


def wrong_password() -> Refused:
    """Return the error for a wrong current password."""
    return Refused("current-password", _("That's not your current password. Try again."))
