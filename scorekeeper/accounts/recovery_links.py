"""Open an account without its password: with a link from the operator, or with the printed code.

Each link and each code works once. Opening the account sets a new password, signs out all other devices, and makes a
new printed code.
"""

from __future__ import annotations

import hmac
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from scorekeeper.accounts.audit_log import Caller, note
from scorekeeper.accounts.credentials import Refused, check_new, checked_name
from scorekeeper.accounts.models import AccountRow, KnownDeviceRow
from scorekeeper.accounts.passwords import hashed, turn
from scorekeeper.accounts.session_start import account_named, begin, end_all
from scorekeeper.accounts.sign_in import Opened, name_taken, new_account
from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import hash_of, new_code, new_secret, read_code
from scorekeeper.i18n.catalog import _
from scorekeeper.web.extensions import db, writing

LINK_LASTS = timedelta(days=3)


class NoSuchAccountError(Exception):
    """No account has the given name, or the link no longer works."""


@use_case
def add_account(*, name: str) -> str:
    """Create an account without a password, and return the token of a link that opens the account once.

    Raises `Refused` if the name is taken or isn't valid.
    """
    called = checked_name(name)
    now = datetime.now(UTC)
    with writing() as session:
        if account_named(session, called) is not None:
            raise name_taken()
        account = new_account(called, now)
        session.add(account)
        session.flush()
        note(session, account.id, "added", Caller(), now)
        return _new_link(account, now)


@use_case
def make_link(*, name: str) -> str:
    """Make a link that opens the account called `name` once, and return the token of the link.

    Earlier links of the account stop working. Raises `NoSuchAccountError`.
    """
    now = datetime.now(UTC)
    with writing() as session:
        account = account_named(session, name, lock=True)
        if account is None:
            raise NoSuchAccountError
        note(session, account.id, "link", Caller(), now)
        return _new_link(account, now)


def name_behind(word: str) -> str:
    """Return the name of the account that a link from the operator opens. `word` is the token of the link.

    Raises `NoSuchAccountError` if the link no longer works.
    """
    return _behind(db.session(), word, datetime.now(UTC)).name


def open_by_link(*, word: str, password: str, caller: Caller) -> Opened:
    """Set a new password for an account with a link from the operator, and sign in. `word` is the link's token.

    Raises `NoSuchAccountError` if the link no longer works, and `Refused` if the password isn't acceptable.
    """
    check_new(password, name_behind(word))
    with turn(known=True):
        made = hashed(password)
    return _open_by_link(word, made, caller, datetime.now(UTC))


@use_case
def _open_by_link(word: str, password: str, caller: Caller, now: datetime) -> Opened:
    with writing() as session:
        return _open(session, _behind(session, word, now, lock=True), "in_link", password, caller, now)


def open_by_code(*, name: str, code: str, password: str, caller: Caller) -> Opened:
    """Set a new password for the account called `name`, given its printed code, and sign in.

    Raises `Refused` if the password isn't acceptable, and also if the name or the code is wrong, with the same message
    for both. The password is hashed only if the code is right, so guessing codes costs the server little.
    """
    check_new(password, name)
    made = None
    if is_right_code(name=name, code=code):
        with turn(known=True):
            made = hashed(password)
    opened = _try_code(name, code, made, caller, datetime.now(UTC))
    if opened is None:
        raise Refused("code", _("Wrong name or code. Each code works once. If you've used yours, enter the new one."))
    return opened


def is_right_code(*, name: str, code: str) -> bool:
    """Return whether `code` is the printed code of the account called `name`."""
    return _is_right(account_named(db.session(), name), code)


@use_case
def _try_code(name: str, code: str, password: str | None, caller: Caller, now: datetime) -> Opened | None:
    with writing() as session:
        account = account_named(session, name, lock=True)
        if not _is_right(account, code) or account is None or password is None:
            note(session, None if account is None else account.id, "no_code", caller, now)
            return None
        return _open(session, account, "in_code", password, caller, now)


def _is_right(account: AccountRow | None, code: str) -> bool:
    kept = None if account is None else account.recovery
    return hmac.compare_digest(kept or hash_of(new_secret()), hash_of(read_code(code)))


def _open(session: Session, account: AccountRow, kind: str, password: str, caller: Caller, now: datetime) -> Opened:
    code = new_code()
    account.password, account.recovery = password, hash_of(code)
    account.opening = account.opening_until = None
    end_all(session, account.id, now)
    # Forget known devices, too: a previous intruder must not keep a separate limit for guessing.
    session.execute(delete(KnownDeviceRow).where(KnownDeviceRow.account_id == account.id))
    return Opened(begin(session, account.id, kind, caller, now), code, account.id)


def _new_link(account: AccountRow, now: datetime) -> str:
    word = new_secret()
    account.opening, account.opening_until = hash_of(word), now + LINK_LASTS
    return word


def _behind(session: Session, word: str, now: datetime, *, lock: bool = False) -> AccountRow:
    found = select(AccountRow).where(AccountRow.opening == hash_of(word), AccountRow.opening_until > now)
    account = session.scalars(found.with_for_update() if lock else found).first()
    if account is None:
        raise NoSuchAccountError
    return account
