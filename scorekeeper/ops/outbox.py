"""Send the messages of leagues in the background, as long as this process runs."""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.leagues.outbox.delivery import deliver
from scorekeeper.leagues.outbox.service import MAIL, WEBHOOK
from scorekeeper.ops.scheduler import repeat
from scorekeeper.web.extensions import db

if TYPE_CHECKING:
    from flask import Flask

log = logging.getLogger(__name__)

EVERY = timedelta(seconds=5)
"""Longest time until a released message is sent."""


def start(app: Flask) -> None:
    """Send messages in a thread for each channel that is on; slow chats then don't hold up mail.

    Several processes may do so at once: each message is claimed by one of them.
    """
    for channel, on in ((MAIL, app.config["MAIL"] is not None), (WEBHOOK, app.config["WEBHOOKS"])):
        if on:
            repeat(partial(send_due, app, channel), f"outbox {channel}", first=EVERY)


def send_due(app: Flask, channel: str) -> timedelta:
    """Send the messages of `channel` that are due; return how long to wait before the next call.

    An error is logged, not raised.
    """
    with app.app_context():
        try:
            deliver(channel, app.config)
        except Exception:
            log.exception("Messages were not sent")
        finally:
            db.session.remove()
    return EVERY
