"""Change accounts: signing up, in and out, passwords, recovery, and what the operator does.

Sign up, in and out with a password.

A password is hashed before the transaction starts: hashing is slow, and the database must not wait for it.

Change the password or printed code, sign out everywhere, or delete the account.

A deleted account keeps its id, because the append-only logs of leagues refer to it; those logs show the name that an
owner of the league gave to the director. The account's own log expires like any other (`audit_log.KEPT`).

Open an account without its password: with a link from the operator, or with the printed code.

Each link and each code works once. Opening the account sets a new password, signs out all other devices, and makes a
new printed code.

Carry out the operator's commands for accounts: lock an account, sign it out everywhere, or make it an operator's.
"""

import hmac
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from scorekeeper.accounts.models import AccountRow, KnownDeviceRow, SessionRow
from scorekeeper.accounts.passwords import Refused, check_new, checked_name, folded, hashed, matches, outdated, turn
from scorekeeper.accounts.sessions import Caller, account_named, begin, end_all, note, note_refusal
from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import hash_of, new_code, new_secret, read_code
from scorekeeper.i18n.catalog import _
from scorekeeper.web.extensions import db, writing


class Opened(Struct, frozen=True):
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
def sign_out_by_operator(*, name: str | None) -> int:
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
