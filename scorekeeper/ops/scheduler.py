"""Repeat jobs in background threads, such as backups and the renewal of certificates.

Remove expired data in the background, about four times a day. Only one of several processes does so each time.
"""

from __future__ import annotations

import logging
import threading
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import delete, update

from scorekeeper.accounts.devices import LASTS
from scorekeeper.accounts.models import AccountRow, KnownDeviceRow
from scorekeeper.accounts.sessions import KEPT, forget_old
from scorekeeper.db.database import use_case
from scorekeeper.db.outages import MaintenanceError
from scorekeeper.games.services.deletion import delete_unused_games
from scorekeeper.leagues.core.models import UploadRow
from scorekeeper.leagues.core.roles import INVITATION_LASTS, InvitationRow
from scorekeeper.leagues.transfer.league_file import KEPT as UPLOADS_KEPT
from scorekeeper.web.extensions import db, take, writing
from scorekeeper.web.form_answers import LASTS as ANSWERS_LAST
from scorekeeper.web.form_answers import FormAnswerRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from scorekeeper.web.rate_limit import Limiter


def repeat(job: Callable[[], timedelta], name: str, *, first: timedelta = timedelta(0)) -> None:
    """Run `job` again and again in a new thread called `name`. The job returns the pause before its next run.

    The first run is after the pause `first`. A job must handle its own errors. After an error, it isn't run again.
    """

    def run() -> None:
        pause = first
        while True:
            time.sleep(pause.total_seconds())
            pause = job()

    threading.Thread(target=run, name=name, daemon=True).start()


log = logging.getLogger(__name__)

FIRST = timedelta(minutes=1)
"""Pause after the start, so that the first pages don't have to wait."""
EVERY = timedelta(hours=6)
LOOK_EVERY = timedelta(minutes=10)
"""How often a process checks whether expired data is to be removed now."""
TURN = "tidying"


@use_case
def tidy(*, now: datetime | None = None) -> None:
    """Delete expired data, such as sessions, links, uploads, answers to forms, and invitations."""
    moment = now or datetime.now(UTC)
    with writing() as session:
        forget_old(session, moment)
        session.execute(delete(KnownDeviceRow).where(KnownDeviceRow.since < moment - LASTS))
        session.execute(delete(FormAnswerRow).where(FormAnswerRow.made_at < moment - ANSWERS_LAST))
        session.execute(delete(UploadRow).where(UploadRow.made_at < moment - UPLOADS_KEPT))
        session.execute(delete(InvitationRow).where(InvitationRow.made_at < moment - INVITATION_LASTS - KEPT))
        over = update(AccountRow).where(AccountRow.opening_until < moment)
        session.execute(over.values(opening=None, opening_until=None))


def start(app: Flask) -> None:
    """Start a thread that removes expired data from time to time until this process ends.

    If there are several processes, only one of them does the work each time.
    """
    repeat(partial(tidy_once, app), "tidying", first=FIRST)


def tidy_once(app: Flask) -> timedelta:
    """Do the regular cleanup if it is due. Return how long to wait before the next call.

    The cleanup removes expired data, unused games, and expired counts of rate limits. If another process did the
    cleanup recently, nothing is done. An error is logged, not raised.
    """
    limiter: Limiter | None = app.extensions.get("limiter")
    with app.app_context():
        try:
            if not take(name=TURN, lasts=EVERY - LOOK_EVERY):
                return LOOK_EVERY
            tidy()
            delete_unused_games()
            if limiter is not None:
                limiter.storage.sweep()
        except MaintenanceError:
            log.info("Expired data is removed when saving resumes.")
        except Exception:
            log.exception("Expired data was not removed")
        finally:
            db.session.remove()
    return LOOK_EVERY
