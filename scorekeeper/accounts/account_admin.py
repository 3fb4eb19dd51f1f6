"""Sign an account out everywhere or lock it, for the operator."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from scorekeeper.accounts.audit_log import Caller, note
from scorekeeper.accounts.models import AccountRow, KnownDeviceRow, PasskeyRow
from scorekeeper.accounts.recovery_links import NoSuchAccountError
from scorekeeper.accounts.session_start import account_named, end_all
from scorekeeper.db.retry import use_case
from scorekeeper.web.extensions import writing


@use_case
def lock(*, name: str) -> None:
    """Lock the account and end its sessions, until `recovery_links.make_link` opens it again.

    Delete its passkeys. Raises `NoSuchAccountError`.
    """
    now = datetime.now(UTC)
    with writing() as session:
        account = _named(session, name)
        account.password = account.recovery = account.opening = account.opening_until = None
        for row in (PasskeyRow, KnownDeviceRow):
            session.execute(delete(row).where(row.account_id == account.id))
        end_all(session, account.id, now)
        note(session, account.id, "locked", Caller(), now)


@use_case
def sign_out(*, name: str | None) -> int:
    """End all sessions of a director, or of everyone if `name` is None; return the number of accounts.

    Raises `NoSuchAccountError`.
    """
    now = datetime.now(UTC)
    with writing() as session:
        everybody = select(AccountRow.id).where(AccountRow.name != "").order_by(AccountRow.id)
        accounts = list(session.scalars(everybody)) if name is None else [_named(session, name).id]
        for account in accounts:
            end_all(session, account, now)
            note(session, account, "out_all", Caller(), now)
        return len(accounts)


def _named(session: Session, name: str) -> AccountRow:
    account = account_named(session, name, lock=True)
    if account is None:
        raise NoSuchAccountError
    return account
