"""Keep a director signed in with a cookie of 256 random bits, of which only a hash is stored.

A session ends after `IDLE` without use, and always after `LONGEST`. It is in the database, so signing out ends it in
all processes at once.

Log sign-ins, refused attempts and changes of an account. Lines are added and never changed.

A line is deleted after `KEPT`, and stores only the network of the request, not the full address.

Start a session with a new token and log it; all ways of signing in call `begin`.
"""

from datetime import UTC, date, datetime, timedelta

from flask import Response, current_app, g, has_request_context, request
from msgspec import Struct
from sqlalchemy import ColumnElement, and_, delete, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from scorekeeper.accounts.models import AccountEventRow, AccountRow, KnownDeviceRow, SessionRow
from scorekeeper.accounts.passwords import folded
from scorekeeper.db.database import use_case
from scorekeeper.db.outages import is_outage
from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.i18n.catalog import N_
from scorekeeper.web.extensions import db, writing
from scorekeeper.web.request_log import refused_because
from scorekeeper.web.settings import name_here, sent_cookie, set_cookie

COOKIE = "scorekeeper_account"
IDLE = timedelta(days=30)
"""How long a session lasts without use; a league meets every week or two."""
LONGEST = timedelta(days=180)
"""How long a session lasts at most."""
FRESH = timedelta(minutes=15)
"""How long after signing in a director may change the password and other ways to open the account."""


class SignedIn(Struct, frozen=True):
    """A valid session of a director, as read from the database."""

    id: int
    account: int
    made_at: datetime
    seen_on: date

    def fresh(self, now: datetime) -> bool:
        """Return whether the sign-in is recent enough to change the account: less than `FRESH` before `now`."""
        return now < self.made_at + FRESH


class NotSignedInError(Exception):
    """The request has no valid session, or the sign-in is too old for a change to the account's security."""


def this_session() -> SignedIn | None:
    """Return the valid session of this request, or None if nobody is signed in.

    The session is read from the database once per request.
    """
    if "account_session" not in g:
        secret = sent_cookie(COOKIE)
        g.account_session = _live(hash_of(secret), datetime.now(UTC)) if secret else None
    found: SignedIn | None = g.account_session
    return found


def still_holds(now: datetime) -> ColumnElement[bool]:
    """Return the SQL condition that selects the sessions (`SessionRow`) that are valid at `now`."""
    return and_(
        SessionRow.ended_at.is_(None), SessionRow.made_at > now - LONGEST, SessionRow.seen_on >= (now - IDLE).date()
    )


def send_session(response: Response) -> Response:
    """Set or delete the session cookie in `response`, if this request signed in or out, and return `response`."""
    secret: str | None = g.get("new_account_session")
    if secret is None:
        return response
    if secret:
        set_cookie(response, COOKIE, secret, LONGEST)
    else:
        response.delete_cookie(name_here(COOKIE), path="/", secure=request.is_secure, httponly=True, samesite="Lax")
    return response


def note_use(response: Response) -> Response:
    """Save that the session was used today, at most once a day. Return `response`.

    If nothing can be saved now, the error is logged and the response is sent anyway.
    """
    found: SignedIn | None = g.get("account_session")
    today = datetime.now(UTC).date()
    if found is not None and found.seen_on < today and "new_account_session" not in g:
        try:
            _seen(found.id, today)
        except Exception as error:
            if not is_outage(error) and not isinstance(error, DBAPIError):
                raise
            current_app.logger.warning("It could not be noted that a session was used.")
    return response


@use_case
def renew(*, session_id: int) -> str:
    """Give the session a new token for its cookie, and return that token. The old token stops working.

    Call this when a director gains a role, so that a thief with a copy of the old cookie doesn't gain the role, too.
    The session still ends at the same time.
    """
    secret = new_secret()
    with writing() as session:
        session.execute(update(SessionRow).where(SessionRow.id == session_id).values(secret=hash_of(secret)))
    return secret


@use_case
def _seen(session_id: int, day: date) -> None:
    with writing() as session:
        session.execute(update(SessionRow).where(SessionRow.id == session_id).values(seen_on=day))


def _live(secret: str, now: datetime) -> SignedIn | None:
    columns = (SessionRow.id, SessionRow.account_id, SessionRow.made_at, SessionRow.seen_on)
    found = db.session.execute(select(*columns).where(SessionRow.secret == secret, still_holds(now))).first()
    return None if found is None else SignedIn(*found)


KEPT = timedelta(days=90)

KINDS = {
    "added": N_("The person who runs this server created the account"),
    "signed_up": N_("Account created"),
    "in_password": N_("Signed in with the password"),
    "in_link": N_("Opened with a link from the person who runs this server"),
    "in_code": N_("Opened with the printed code"),
    "no_password": N_("Refused: wrong password"),
    "no_code": N_("Refused: wrong printed code"),
    "out": N_("Signed out"),
    "out_one": N_("Signed out another device"),
    "out_all": N_("Signed out everywhere"),
    "password": N_("Password changed"),
    "code": N_("New code printed"),
    "deleted": N_("Account deleted"),
    "locked": N_("The person who runs this server locked the account"),
    "operator": N_("This account may open the server page"),
    "no_operator": N_("This account may no longer open the server page"),
    "link": N_("The person who runs this server made a link to open the account"),
}
"""By kind of event: the text that the account page shows."""
REFUSALS = {"no_password": "wrong password", "no_code": "wrong code"}
"""By kind of refused attempt, a key of `KINDS`: the reason that is written to the server's log."""


class Caller(Struct, frozen=True):
    """What the account log stores about a request.

    All fields are empty for a command that the operator runs at a terminal.
    """

    device: str = ""
    """Hash of the device's token (`devices.known_device`)."""
    agent: str = ""
    """Browser and system (`devices.agent_words`)."""
    network: str = ""
    """Network of the client's address (`web.request_log.network`)."""
    session: int | None = None
    """Id of the session in which the request was made; None if nobody was signed in. A sign-in ends that session."""


def note(session: Session, account: int | None, kind: str, caller: Caller, now: datetime) -> None:
    """Add a line to the log of an account.

    `kind` is one of `KINDS`. `account` is a row id, or None if no account has the name that was typed. Doesn't commit.
    """
    assert kind in KINDS
    if kind in REFUSALS and has_request_context():
        refused_because(REFUSALS[kind])
    session.add(AccountEventRow(account_id=account, at=now, kind=kind, address=caller.network, agent=caller.agent))


@use_case
def note_refusal(account: int | None, kind: str, caller: Caller) -> None:
    """Log a refused attempt, in a transaction that commits at once.

    `kind` is one of `REFUSALS`. `account` is a row id, or None if no account has the name that was typed.
    """
    with writing() as session:
        note(session, account, kind, caller, datetime.now(UTC))


def forget_old(session: Session, now: datetime) -> None:
    """Delete expired log lines, and sessions that ended long ago. Doesn't commit."""
    session.execute(delete(AccountEventRow).where(AccountEventRow.at < now - KEPT))
    session.execute(delete(SessionRow).where(SessionRow.made_at < now - LONGEST - KEPT))


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
