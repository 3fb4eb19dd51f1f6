"""Define the view models of the account pages.

Read the data of the account page.
"""

from datetime import UTC, date, datetime
from types import SimpleNamespace

from msgspec import Struct
from sqlalchemy import select

from scorekeeper.accounts.models import AccountEventRow, AccountRow, SessionRow
from scorekeeper.accounts.sessions import KEPT, KINDS, REFUSALS, SignedIn, still_holds
from scorekeeper.i18n.catalog import _
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text


class SessionLine(Struct, frozen=True):
    """A line of the account page: a browser in which the director is signed in."""

    id: int
    agent: str
    since: datetime
    seen_on: str
    here: bool


class EventLine(Struct, frozen=True):
    at: datetime
    what: str
    refused: bool
    where: str
    """Browser and network, each left out if unknown."""


MOST_LINES = 100
"""Largest number of log lines on the page."""


def account_page(signed_in: SignedIn, *, notice: str = "") -> SimpleNamespace:
    """Return the page of the account that is signed in. `notice` is a message for the top of the page, or ""."""
    now = datetime.now(UTC)
    account = db.session.get_one(AccountRow, signed_in.account)
    return SimpleNamespace(
        name=account.name,
        fresh=signed_in.fresh(now),
        sessions=_sessions(signed_in, now),
        events=_events(signed_in.account, now),
        notice=notice,
        operator=bool(account.is_operator),
    )


def is_operator(account: int) -> bool:
    """Return whether the account with the row id `account` may open the operator's page."""
    return bool(db.session.get_one(AccountRow, account).is_operator)


def name_of(account: int) -> str:
    """Return the name of the account with the row id `account`, as it was typed."""
    return db.session.get_one(AccountRow, account).name


def _sessions(signed_in: SignedIn, now: datetime) -> tuple[SessionLine, ...]:
    rows = db.session.scalars(
        select(SessionRow)
        .where(SessionRow.account_id == signed_in.account, still_holds(now))
        .order_by(SessionRow.seen_on.desc(), SessionRow.id.desc())
    )
    lines = [
        SessionLine(row.id, row.agent or _("Unknown browser"), row.made_at, _day(row.seen_on), row.id == signed_in.id)
        for row in rows
    ]
    return tuple(sorted(lines, key=lambda line: not line.here))


def _day(day: date | None) -> str:
    return "" if day is None else day_text(day)


def _events(account: int, now: datetime) -> tuple[EventLine, ...]:
    rows = db.session.scalars(
        select(AccountEventRow)
        .where(AccountEventRow.account_id == account, AccountEventRow.at > now - KEPT)
        .order_by(AccountEventRow.at.desc(), AccountEventRow.id.desc())
        .limit(MOST_LINES)
    )
    return tuple(
        EventLine(
            row.at,
            _(KINDS.get(row.kind, row.kind)),
            row.kind in REFUSALS,
            ", ".join(filter(None, (row.agent, row.address))),
        )
        for row in rows
    )
