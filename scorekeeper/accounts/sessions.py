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
from scorekeeper.db.outages import is_outage
from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.web.cookies import name_here, sent_cookie, set_cookie
from scorekeeper.web.extensions import db, writing

COOKIE = "scorekeeper_account"
IDLE = timedelta(days=30)
"""How long a session lasts without use; a league meets every week or two."""
LONGEST = timedelta(days=180)
"""How long a session lasts at most."""
FRESH = timedelta(minutes=15)
"""How long after signing in a director may change the password and other ways to open the account."""


@dataclass(frozen=True, slots=True)
class SignedIn:
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
