"""Keep a director signed in with a cookie of 256 random bits, of which only a hash is stored.

A session ends after `IDLE` without use, and always after `LONGEST`. It is in the database, so signing out ends it in
all processes at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from flask import Response, current_app, g, request
from sqlalchemy import ColumnElement, and_, select, update
from sqlalchemy.exc import DBAPIError

from scorekeeper.accounts.models import SessionRow
from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.web.cookies import name_here, sent_cookie, set_cookie
from scorekeeper.web.extensions import db, writing

COOKIE = "scorekeeper_account"
IDLE = timedelta(days=30)
"""How long an unused session lasts; a league meets every week or two."""
LONGEST = timedelta(days=180)
"""How long a session lasts at most."""
FRESH = timedelta(minutes=15)
"""How long after signing in a director may change how the account is opened."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A valid session."""

    id: int
    account: int
    made_at: datetime
    seen_on: date

    def fresh(self, now: datetime) -> bool:
        """Return whether the sign-in is recent enough to change the account."""
        return now < self.made_at + FRESH


class NotSignedInError(Exception):
    """Nobody is signed in here, or not recently enough to change how the account is opened."""


def this_session() -> SignedIn | None:
    """Return the session of this request, or None. Read once per request."""
    if "account_session" not in g:
        secret = sent_cookie(COOKIE)
        g.account_session = _live(hash_of(secret), datetime.now(UTC)) if secret else None
    found: SignedIn | None = g.account_session
    return found


def still_holds(now: datetime) -> ColumnElement[bool]:
    """Return the SQL condition for sessions that are valid at `now`."""
    return and_(
        SessionRow.ended_at.is_(None), SessionRow.made_at > now - LONGEST, SessionRow.seen_on >= (now - IDLE).date()
    )


def send_session(response: Response) -> Response:
    """Return `response`, with the cookie after a sign-in and without it after a sign-out."""
    secret: str | None = g.get("new_account_session")
    if secret is None:
        return response
    if secret:
        set_cookie(response, COOKIE, secret, LONGEST)
    else:
        response.delete_cookie(name_here(COOKIE), path="/", secure=request.is_secure, httponly=True, samesite="Lax")
    return response


def note_use(response: Response) -> Response:
    """Record once a day that the session was used, and return `response`; ignore a full disk."""
    found: SignedIn | None = g.get("account_session")
    today = datetime.now(UTC).date()
    if found is not None and found.seen_on < today and "new_account_session" not in g:
        try:
            _seen(found.id, today)
        except DBAPIError:
            current_app.logger.warning("It could not be noted that a session was used.")
    return response


@use_case
def renew(*, session_id: int) -> str:
    """Return a new token for the session's cookie; the old one stops working.

    A director who gains a role must not share it with someone who had their cookie before. How long the session lasts
    doesn't change.
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
