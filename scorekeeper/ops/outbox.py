"""Send the messages of leagues, by mail and to chat services, in background threads."""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.db.maintenance import MaintenanceError
from scorekeeper.leagues.outbox.delivery import deliver
from scorekeeper.leagues.outbox.service import MAIL, WEBHOOK
from scorekeeper.ops.scheduler import repeat
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from flask import Flask

log = logging.getLogger(__name__)

EVERY = timedelta(seconds=5)
"""Time between two checks for messages to send."""


def start(app: Flask) -> None:
    """Start a thread for each channel that is turned on (mail, webhooks).

    The threads send messages until this process ends. With separate threads, a slow chat server doesn't delay mail.
    Several processes may run such threads, because each message is claimed by only one of them.
    """
    for channel, on in ((MAIL, app.config["MAIL"] is not None), (WEBHOOK, app.config["WEBHOOKS"])):
        if on:
            repeat(partial(send_due, app, channel), f"outbox {channel}", first=EVERY)


def send_due(app: Flask, channel: str) -> timedelta:
    """Send the messages of `channel` that are due. Return how long to wait before the next call.

    An error is logged, not raised.
    """
    with app.app_context():
        try:
            deliver(channel, app.config)
        except MaintenanceError:
            log.info("Messages wait until saving resumes.")
        except Exception:
            log.exception("Messages were not sent")
        finally:
            db.session.remove()
    return EVERY
