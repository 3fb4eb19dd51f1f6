"""Remove expired data: soon after the start, then four times a day."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import delete, update

from scorekeeper.accounts.audit_log import KEPT, forget_old
from scorekeeper.accounts.devices import LASTS
from scorekeeper.accounts.models import AccountRow, KnownDeviceRow
from scorekeeper.db.retry import use_case
from scorekeeper.games.services.table_facts import fill_facts
from scorekeeper.games.services.table_history import delete_unused
from scorekeeper.leagues.core.models import SubscriberRow
from scorekeeper.leagues.core.roles import INVITATION_LASTS, InvitationRow
from scorekeeper.ops.scheduler import repeat
from scorekeeper.web.extensions import db, writing

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.web.rate_limit import Limiter

log = logging.getLogger(__name__)

FIRST = timedelta(minutes=1)
"""Time after the start, when the first pages have been read."""
UNCONFIRMED = timedelta(days=7)
"""How long a mail address is kept that nobody confirms."""
EVERY = timedelta(hours=6)


@use_case
def tidy(*, now: datetime | None = None) -> None:
    """Remove expired account log lines, sessions, devices, links, invitations and mail addresses."""
    moment = now or datetime.now(UTC)
    with writing() as session:
        forget_old(session, moment)
        session.execute(delete(KnownDeviceRow).where(KnownDeviceRow.since < moment - LASTS))
        session.execute(delete(InvitationRow).where(InvitationRow.made_at < moment - INVITATION_LASTS - KEPT))
        never_confirmed = (SubscriberRow.confirmed_at.is_(None), SubscriberRow.made_at < moment - UNCONFIRMED)
        session.execute(delete(SubscriberRow).where(*never_confirmed))
        over = update(AccountRow).where(AccountRow.opening_until < moment)
        session.execute(over.values(opening=None, opening_until=None))


def start(app: Flask) -> None:
    """Remove expired data in a thread until this process ends. Several processes may do so at once."""
    repeat(partial(tidy_once, app), "tidying", first=FIRST)


def tidy_once(app: Flask) -> timedelta:
    """Remove expired data and unused games; return how long to wait before the next call.

    An error is logged, not raised.
    """
    limiter: Limiter | None = app.extensions.get("limiter")
    with app.app_context():
        try:
            tidy()
            while fill_facts():
                pass
            delete_unused()
            if limiter is not None:
                limiter.storage.sweep()
        except Exception:
            log.exception("Expired data was not removed")
        finally:
            db.session.remove()
    return EVERY
