"""Send waiting messages. No database transaction stays open while a message is sent."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from scorekeeper.config import MailServer
from scorekeeper.db.retry import keyed_use_case, use_case
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
"""Age at which a message that is still "being sent" becomes "unknown"; longer than any attempt can take."""
MOST_AT_ONCE = 100
"""Most messages that one call of `deliver` tries to send."""


@dataclass(frozen=True, slots=True)
class Job:
    """A message that this process has claimed, with everything needed to send it."""

    row: int
    """Id of the `OutboxRow`."""
    attempt: int
    message: OutgoingMessage
    address: str
    kind: str = ""
    """Kind of the webhook, empty for a mail."""
    secret: str = ""
    leave: str = ""
    """Link to unsubscribe, empty if the mail needs none."""


def deliver(channel: str, config: Mapping[str, Any], *, now: datetime | None = None) -> int:
    """Try to send the due messages of a channel, and return how many attempts were made.

    At most `MOST_AT_ONCE` messages are tried. `channel` is "mail" or "webhook", and `config` is the Flask
    configuration.
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
    """Return whether this channel has a message for `claim` to handle.

    That is a message that is due, or one that a process was sending when the process ended. Takes one query and no
    lock.
    """
    when = now or datetime.now(UTC)
    session = db.session()
    session.rollback()
    query = select(OutboxRow.id).where(OutboxRow.channel == channel, _due(when)).limit(1)
    found = session.scalars(query).first() is not None
    session.rollback()
    return found


@use_case
def claim(*, channel: str, key: str, now: datetime | None = None) -> Job | None:
    """Claim the next due message of a channel, so that no other process sends it. Return None if no message is due.

    `key` is the installation's secret key. Messages become "canceled" if their recipient was removed, or
    their league is turned off. Messages that are
    still "being sent" by a process that ended become "unknown".
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
    """Send a claimed message and return the outcome. If our own code fails, the outcome is "unknown"."""
    try:
        return _post(job, config) if job.kind else _mail(job, config["MAIL"])
    except Exception:
        log.exception("Message %s was not sent", job.row)
        return unknown("broken")


@keyed_use_case
def finish(*, job: Job, outcome: Attempt, now: datetime | None = None) -> None:
    """Save the outcome of an attempt to send a message, unless a newer attempt to send it has started."""
    when = now or datetime.now(UTC)
    state, pause = after(outcome, job.attempt)
    values: dict[str, Any] = {"state": state, "error": outcome.stored, "next_at": when + pause}
    if state is not State.WAITING:
        values["text"] = ""
    mine = (OutboxRow.id == job.row, OutboxRow.attempts == job.attempt)
    with writing(in_maintenance=True) as session:  # or else a delivered message would look lost
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
    if league.off_because is not None:
        return None
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
