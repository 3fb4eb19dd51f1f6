"""Send what waits in the outbox: claim a message in one transaction, send it outside of any, save what became of it.

Each attempt is made by one process, because a claim changes the state under a lock. If the process ends between claim
and result, the message stays "being sent" and becomes "unknown" after `STALE`; it isn't sent again by itself, because
it may have arrived.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from scorekeeper.config import MailServer
from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.models import LeagueRow, NightRow, OutboxRow, SubscriberRow, WebhookRow
from scorekeeper.leagues.outbox.channels import OutgoingMessage, body_of, headers_of
from scorekeeper.leagues.outbox.links import UNSUBSCRIBE, token
from scorekeeper.leagues.outbox.mail import mail_of, send_mail
from scorekeeper.leagues.outbox.outcome import Attempt, State, after, failed, unknown
from scorekeeper.leagues.outbox.service import WEBHOOK
from scorekeeper.leagues.outbox.targets import read_target
from scorekeeper.leagues.outbox.texts import CONFIRM
from scorekeeper.leagues.outbox.web_post import post
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db, writing

log = logging.getLogger(__name__)

STALE = timedelta(minutes=5)
"""Longer than any attempt can take."""
MOST_AT_ONCE = 100
"""Messages sent before the next pause."""


@dataclass(frozen=True, slots=True)
class Job:
    """A claimed message, with everything needed to send it."""

    row: int
    """Id of the `OutboxRow`."""
    attempt: int
    message: OutgoingMessage
    address: str
    kind: str = ""
    """Kind of the webhook."""
    secret: str = ""
    leave: str = ""
    """Link to unsubscribe, empty if the mail needs none."""


def deliver(channel: str, config: Mapping[str, Any], *, now: datetime | None = None) -> int:
    """Send the messages of a channel that are due, at most `MOST_AT_ONCE`, and return their number.

    `config` is the Flask configuration.
    """
    for sent in range(MOST_AT_ONCE):
        job = claim(channel=channel, key=str(config["SECRET_KEY"]), now=now) if is_due(channel, now) else None
        if job is None:
            return sent
        outcome = attempt(job, config)
        finish(job=job, outcome=outcome, now=now)
        if outcome.error:
            log.warning("Message %s, attempt %s: %s", job.row, job.attempt, outcome.stored)
    return MOST_AT_ONCE


def is_due(channel: str, now: datetime | None = None) -> bool:
    """Return whether a message is due, or is still "being sent" by a process that ended; one read, no lock."""
    when = now or datetime.now(UTC)
    session = db.session()
    session.rollback()
    query = select(OutboxRow.id).where(OutboxRow.channel == channel, _due(when)).limit(1)
    found = session.scalars(query).first() is not None
    session.rollback()
    return found


@use_case
def claim(*, channel: str, key: str, now: datetime | None = None) -> Job | None:
    """Take the next message that is due, for this process alone; None if there is none.

    Messages whose recipient is gone are canceled. Those still "being sent" by a process that ended become "unknown".
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        stale = (OutboxRow.channel == channel, OutboxRow.state == State.SENDING, OutboxRow.next_at < when - STALE)
        lost = {"state": State.UNKNOWN, "error": "stopped", "text": ""}
        session.execute(update(OutboxRow).where(*stale).values(lost))
        query = (
            select(OutboxRow)
            .where(OutboxRow.channel == channel, OutboxRow.state == State.WAITING, OutboxRow.next_at <= when)
            .order_by(OutboxRow.next_at, OutboxRow.id)
            .with_for_update(skip_locked=True)
        )
        for row in session.scalars(query.limit(MOST_AT_ONCE)):
            job = _job(session, row, key, when)
            if job is None:
                row.state, row.text = State.CANCELED, ""
                continue
            row.state, row.attempts, row.next_at = State.SENDING, row.attempts + 1, when
            return job
        return None


def attempt(job: Job, config: Mapping[str, Any]) -> Attempt:
    """Send a claimed message and return the outcome. An error in our own code counts as "unknown"."""
    try:
        return _post(job, config) if job.kind else _mail(job, config["MAIL"])
    except Exception:
        log.exception("Message %s was not sent", job.row)
        return unknown("broken")


@use_case
def finish(*, job: Job, outcome: Attempt, now: datetime | None = None) -> None:
    """Save the outcome of an attempt, unless the message was released again since."""
    when = now or datetime.now(UTC)
    state, pause = after(outcome, job.attempt)
    values: dict[str, Any] = {"state": state, "error": outcome.stored, "next_at": when + pause}
    if state is not State.WAITING:
        values["text"] = ""
    mine = (OutboxRow.id == job.row, OutboxRow.attempts == job.attempt)
    with writing() as session:
        session.execute(
            update(OutboxRow).where(*mine, OutboxRow.state.in_((State.SENDING, State.UNKNOWN))).values(values)
        )


def _due(when: datetime) -> Any:
    return or_(
        (OutboxRow.state == State.WAITING) & (OutboxRow.next_at <= when),
        (OutboxRow.state == State.SENDING) & (OutboxRow.next_at < when - STALE),
    )


def _job(session: Session, row: OutboxRow, key: str, now: datetime) -> Job | None:
    league = session.get_one(LeagueRow, row.league_id)
    night = None if row.night_id is None else session.get_one(NightRow, row.night_id)
    message = OutgoingMessage(
        id=f"{row.recipient}-{row.id}",
        kind=row.kind,
        subject=row.subject,
        text=row.text,
        league=league.public_id,
        league_name=league.name,
        night="" if night is None else night.public_id,
        at=now,
    )
    attempt = row.attempts + 1
    if row.channel == WEBHOOK:
        hook = session.scalars(select(WebhookRow).where(WebhookRow.public_id == row.recipient)).first()
        return None if hook is None else Job(row.id, attempt, message, hook.address, hook.kind, hook.secret)
    person = session.scalars(select(SubscriberRow).where(SubscriberRow.public_id == row.recipient)).first()
    if person is None or (row.kind != CONFIRM and person.confirmed_at is None):
        return None
    leave = (
        ""
        if row.kind == CONFIRM
        else row.site + UNSUBSCRIBE + token(UNSUBSCRIBE, person.public_id, person.address, key)
    )
    return Job(row.id, attempt, message, person.address, leave=leave)


def _post(job: Job, config: Mapping[str, Any]) -> Attempt:
    if not config["WEBHOOKS"]:
        return failed("off")
    try:
        target = read_target(job.address, config["WEBHOOK_HOSTS"])
    except RuleViolation:  # the operator's list was shorter then
        return failed("private")
    body = body_of(job.kind, job.message, job.address)
    return post(target, body, headers_of(job.kind, body, job.secret))


def _mail(job: Job, server: MailServer | None) -> Attempt:
    if server is None:
        return failed("off")
    message = job.message
    mail = mail_of(
        sender=server.sender,
        name=message.league_name,
        to=job.address,
        subject=message.subject,
        text=message.text,
        key=message.id,
        at=message.at,
        leave=job.leave,
    )
    return send_mail(server, mail)
