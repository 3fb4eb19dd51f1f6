"""Repeat jobs in background threads, such as backups and the renewal of certificates.

Remove expired data in the background, about four times a day. Only one of several processes does so each time.

Publish the public pages as files after a night was closed, or when the desk asks for it.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
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
from scorekeeper.web.extensions import (
    PAGES,
    SENDING,
    db,
    give_back,
    note_publication,
    publication,
    take,
    writing,
)
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
    """Start threads that remove expired data and publish pages from time to time until this process ends.

    If there are several processes, only one of them does the work each time.
    """
    repeat(partial(tidy_once, app), "tidying", first=FIRST)
    if app.config["PUBLISH"]:
        repeat(partial(publish_if_due, app), PUBLISHING)


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


published = logging.getLogger("scorekeeper.publish")

PUBLISHING = "publishing"
PUBLISH_LOOK = timedelta(seconds=3)
LONGEST_PUBLISHING = timedelta(minutes=15)
"""How long one process may publish. Then another one may."""
PAUSE = timedelta(minutes=1)
"""Pause after each publishing, so that taps at desks can't keep the machine and the operator's command busy."""
TRY_AGAIN = timedelta(minutes=10)
"""Pause after a failure, such as no internet in the hall."""
NOT_SENT = 3
"""Status with which `scorekeeper publish` ends if the files are made, but the operator's command after it failed."""
LONGEST_OUTPUT = 20_000


def publish_if_due(app: Flask) -> timedelta:
    """Publish the public pages as files if that was asked for. Return how long to wait before the next call.

    If another process is doing so, nothing is done. An error is logged, not raised.
    """
    with app.app_context():
        try:
            if not _is_due() or not take(name=PUBLISHING, lasts=LONGEST_PUBLISHING):
                return PUBLISH_LOOK
            try:
                if asked := _is_due():  # another process may just have published
                    failed = run_publish(app)
                    note_publication(asked=asked, failed=failed, again=datetime.now(UTC) + TRY_AGAIN)
            finally:
                give_back(name=PUBLISHING, now=datetime.now(UTC) + PAUSE)
        except MaintenanceError:
            log.info("Pages are published when saving resumes.")
        except Exception:
            log.exception("Not published")
            return FIRST
        finally:
            db.session.remove()
    return PUBLISH_LOOK


def _is_due() -> datetime | None:
    db.session.rollback()
    state = publication()
    return state.due if state and state.is_running else None


def run_publish(app: Flask) -> str | None:
    """Run `scorekeeper publish` with the operator's arguments, and log its output. Return what failed, or None.

    It is a process of its own and gives way to others, because drawing all pages takes many seconds, during which a
    thread would delay each save.
    """
    nice = shutil.which("nice")
    command = [sys.executable, "-m", "scorekeeper", "publish", *app.config["PUBLISH"]]
    database = {"DATABASE_URL": app.config["SQLALCHEMY_DATABASE_URI"], "SECRET_KEY": app.config["SECRET_KEY"]}
    with tempfile.TemporaryFile() as output:
        try:
            status = subprocess.run(  # noqa: S603  the operator's own words, and no shell
                [*([nice] if nice else []), *command, "--instance", str(app.config["INSTANCE"])],
                env=os.environ | database,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=(LONGEST_PUBLISHING - FIRST).total_seconds(),
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            status = -1
        output.seek(0)
        for line in output.read()[-LONGEST_OUTPUT:].decode(errors="replace").splitlines():
            published.info("%s", line)
    if status != 0:
        published.warning("Not published. Trying again in %s minutes.", TRY_AGAIN.seconds // 60)
    return None if status == 0 else SENDING if status == NOT_SENT else PAGES
