"""Carry out the operator's commands for accounts: lock an account, sign it out everywhere, or make it an operator's."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from scorekeeper.accounts.audit_log import Caller, note
from scorekeeper.accounts.models import AccountRow, KnownDeviceRow
from scorekeeper.accounts.recovery_links import NoSuchAccountError
from scorekeeper.accounts.session_start import account_named, end_all
from scorekeeper.db.retry import use_case
from scorekeeper.web.extensions import writing


@use_case
def lock(*, name: str) -> None:
    """Lock the account called `name`, so that nobody can sign in to it any longer.

    This ends all sessions of the account, and deletes its password, printed code and known devices. It may no longer
    open the operator's page. The account can be opened again only with a new link from
    `recovery_links.make_link`. Raises `NoSuchAccountError`.
    """
    now = datetime.now(UTC)
    with writing() as session:
        account = _named(session, name)
        account.password = account.recovery = account.opening = account.opening_until = account.is_operator = None
        session.execute(delete(KnownDeviceRow).where(KnownDeviceRow.account_id == account.id))
        end_all(session, account.id, now)
        note(session, account.id, "locked", Caller(), now)


@use_case
def sign_out(*, name: str | None) -> int:
    """End all sessions of the account called `name`, and return the number of accounts signed out.

    If `name` is None, all accounts are signed out. Raises `NoSuchAccountError`.
    """
    now = datetime.now(UTC)
    with writing() as session:
        everybody = select(AccountRow.id).where(AccountRow.name != "").order_by(AccountRow.id)
        accounts = list(session.scalars(everybody)) if name is None else [_named(session, name).id]
        for account in accounts:
            end_all(session, account, now)
            note(session, account, "out_all", Caller(), now)
        return len(accounts)


@use_case
def set_operator(*, name: str, may: bool) -> None:
    """Let the account called `name` open the operator's page, or end that. Raises `NoSuchAccountError`.

    To gain the right, the account must sign in again: a copy of an old cookie must not gain it, too.
    """
    now = datetime.now(UTC)
    with writing() as session:
        account = _named(session, name)
        account.is_operator = may or None
        if may:
            end_all(session, account.id, now)
        note(session, account.id, "operator" if may else "no_operator", Caller(), now)


def _named(session: Session, name: str) -> AccountRow:
    account = account_named(session, name, lock=True)
    if account is None:
        raise NoSuchAccountError
    return account
