"""Add and remove webhooks and mail addresses; release, cancel and repeat messages. `delivery` sends them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import new_public_id, new_secret
from scorekeeper.leagues.core.access import NoSuchLeagueError, league_at, person_at, refuse_off, take_charge
from scorekeeper.leagues.core.audit_log import note
from scorekeeper.leagues.core.models import (
    LeagueEventRow,
    LeagueRow,
    NightRow,
    OutboxRow,
    SeasonRow,
    SubscriberRow,
    WebhookRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import at_desk
from scorekeeper.leagues.outbox.channels import KINDS
from scorekeeper.leagues.outbox.links import CONFIRM, UNSUBSCRIBE, subscriber_at, token
from scorekeeper.leagues.outbox.mail import check_mail
from scorekeeper.leagues.outbox.outcome import REPEATABLE, State
from scorekeeper.leagues.outbox.targets import check_address
from scorekeeper.leagues.outbox.texts import CONFIRM as CONFIRM_KIND
from scorekeeper.leagues.outbox.texts import DRAFTS, TEST, About, Draft, confirmation, trial, with_farewell
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import writing

MOST_WEBHOOKS = 5
MOST_ADDRESSES = 200
"""Most webhooks and most mail addresses of a league."""
MAIL, WEBHOOK = "mail", "webhook"
"""Channels of messages."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """A webhook or a confirmed mail address."""

    channel: str
    id: str
    """Public id of the webhook or mail address."""
    address: str


class DeadMailLinkError(Exception):
    """The token in a mail's link is wrong, or the token's mail address was removed from the league."""


@dataclass(frozen=True, slots=True)
class Server:
    """The channels that the operator turned on, and the address and secret key of this server."""

    site: str
    """Address of this server, without a slash at the end."""
    key: str
    """The installation's secret key."""
    mail: bool
    webhooks: bool
    hosts: frozenset[str] = frozenset()
    """Hosts that webhooks may reach although they aren't public (`config.Settings.webhook_hosts`)."""

    def channels(self) -> tuple[str, ...]:
        """Return the channels that are turned on."""
        return (*((WEBHOOK,) if self.webhooks else ()), *((MAIL,) if self.mail else ()))

    def demand(self, channel: str) -> None:
        """Raise `RuleViolation` if `channel` is turned off."""
        if channel not in self.channels():
            raise RuleViolation("off", Phrase("This server doesn't send messages of this kind."))


@use_case
def add_webhook(
    *, league: str, kind: str, address: str, server: Server, device: str, now: datetime | None = None
) -> None:
    """Add a webhook, unless the league already has one with this address. `kind` is a key of `channels.KINDS`.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` for an invalid address or kind, for too many
    webhooks, or if webhooks are turned off.
    """
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        server.demand(WEBHOOK)
        typed = check_address(address, kind, server.hosts)
        known = session.scalars(select(WebhookRow.address).where(WebhookRow.league_id == row.id)).all()
        if typed in known:
            return
        if len(known) >= MOST_WEBHOOKS:
            message = Phrase("A league can have at most %(most)s webhooks. Remove one first.", most=MOST_WEBHOOKS)
            raise RuleViolation("webhooks", message, field="address")
        when = now or datetime.now(UTC)
        secret = new_secret() if KINDS[kind].signed else ""
        values = {"kind": kind, "address": typed, "secret": secret, "made_at": when}
        session.add(WebhookRow(league_id=row.id, public_id=new_public_id(), **values))
        note(session, row, "webhook_added", device=device, now=when, what=kind)


@use_case
def remove_webhook(*, league: str, webhook: str, device: str, now: datetime | None = None) -> None:
    """Remove a webhook (public id) and cancel its waiting messages. Raises `NoSuchLeagueError` or `NotAllowedError`."""
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        found = _webhook(session, row, webhook)
        _cancel(session, [webhook])
        session.delete(found)
        note(session, row, "webhook_removed", device=device, now=now or datetime.now(UTC), what=found.kind)


@use_case
def try_webhook(*, league: str, webhook: str, server: Server, device: str, now: datetime | None = None) -> None:
    """Queue a test message to a webhook (public id), unless an earlier test message hasn't been sent yet.

    Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` if webhooks are turned off.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        server.demand(WEBHOOK)
        found = _webhook(session, row, webhook)
        open_states = (State.WAITING, State.SENDING)
        query = select(OutboxRow.id).where(OutboxRow.recipient == webhook, OutboxRow.state.in_(open_states))
        if session.scalars(query.where(OutboxRow.kind == TEST)).first() is not None:
            return
        session.execute(delete(OutboxRow).where(OutboxRow.recipient == webhook, OutboxRow.kind == TEST))
        draft = trial(row.name, f"{server.site}/leagues/{row.public_id}")
        session.add(_queued(row, None, TEST, 1, WEBHOOK, webhook, draft, server.site, when))
        note(session, row, "webhook_tested", device=device, now=when, what=found.kind)


@use_case
def add_mail(
    *, league: str, person: str, address: str, server: Server, device: str, now: datetime | None = None
) -> None:
    """Add the mail address of a player (public id), and queue a mail that asks them to confirm the address.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` if the address is invalid or already on the
    list, if `person` is empty, if the league has too many addresses, or if mail is turned off.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        server.demand(MAIL)
        typed = check_mail(address)
        if not person:
            raise RuleViolation("person", "Choose the player.", field="person")
        who = person_at(session, person)
        if who.league_id != row.id or who.merged_into is not None:
            raise NoSuchLeagueError
        known = session.scalars(select(SubscriberRow.address).where(SubscriberRow.league_id == row.id)).all()
        if typed in known:
            raise RuleViolation("mail_twice", "This address is already on the list.", field="address")
        if len(known) >= MOST_ADDRESSES:
            message = Phrase("A league can have at most %(most)s email addresses.", most=MOST_ADDRESSES)
            raise RuleViolation("mails", message, field="address")
        added = SubscriberRow(
            league_id=row.id, person_id=who.id, public_id=new_public_id(), address=typed, made_at=when
        )
        session.add(added)
        draft = confirmation(row.name, server.site + CONFIRM + token(CONFIRM, added.public_id, typed, server.key))
        session.add(_queued(row, None, CONFIRM_KIND, 1, MAIL, added.public_id, draft, server.site, when))
        note(session, row, "mail_added", device=device, now=when)


@use_case
def remove_mail(*, league: str, mail: str, device: str, now: datetime | None = None) -> None:
    """Remove a mail address (public id) and cancel its waiting messages.

    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        query = select(SubscriberRow).where(SubscriberRow.league_id == row.id, SubscriberRow.public_id == mail)
        found = session.scalars(query).first()
        if found is None:
            raise NoSuchLeagueError
        _cancel(session, [mail])
        session.delete(found)
        note(session, row, "mail_removed", device=device, now=now or datetime.now(UTC))


@use_case
def confirm_mail(*, token: str, key: str, now: datetime | None = None) -> None:
    """Confirm the mail address to which `token` belongs. Confirming twice changes nothing.

    `key` is the installation's secret key. Raises `DeadMailLinkError` if the token no longer works, and
    `TurnedOffError` if the league is turned off.
    """
    with writing() as session:
        row = subscriber_at(session, CONFIRM, token, key)
        if row is None:
            raise DeadMailLinkError
        refuse_off(session.get_one(LeagueRow, row.league_id))
        row.confirmed_at = row.confirmed_at or now or datetime.now(UTC)


@use_case
def unsubscribe(*, token: str, key: str) -> None:
    """Delete the mail address to which `token` belongs, and cancel its waiting messages.

    `key` is the installation's secret key. An invalid token changes nothing.
    """
    with writing() as session:
        row = subscriber_at(session, UNSUBSCRIBE, token, key)
        if row is not None:
            _cancel(session, [row.public_id])
            session.delete(row)


@use_case
def release(*, night: str, kind: str, seen: str, server: Server, device: str, now: datetime | None = None) -> None:
    """Queue a message about a night for each recipient for whom this version of the message was never queued.

    A canceled message is queued again, but a failed one isn't (see `repeat`).

    `kind` is a key of `texts.DRAFTS`. `seen` is the `mark` of the draft that the director saw. Raises what `at_desk`
    raises. Raises `RuleViolation` if the draft is no longer the one that the director saw, if there is nothing to send,
    or if this server sends no messages.
    """
    with at_desk(night, device, now, Role.DIRECTOR, closed=None) as desk:
        if not server.channels():
            server.demand(MAIL)
        about = about_night(desk.session, desk.league, desk.night, server.site)
        draft = DRAFTS[kind].draft(about) if kind in DRAFTS else None
        if draft is None:
            raise RuleViolation("draft", "There is nothing to send yet. Close the night first.")
        if mark(draft) != seen:
            raise RuleViolation(
                "changed", "A score or a name changed since you opened this page. Read the message again, then send it."
            )
        before = _rows(desk.session, desk.night, kind, draft.edition)
        count = 0
        for to in recipients(desk.session, desk.league, server):
            own, row = _addressed(draft, to, server), before.get(to.id)
            if row is None:
                site, now = server.site, desk.now
                new = _queued(desk.league, desk.night, kind, draft.edition, to.channel, to.id, own, site, now)
                desk.session.add(new)
            elif row.state == State.CANCELED:
                _again(row, own, server.site, desk.now)
            else:
                continue
            count += 1
        if count:
            desk.note("messages_released", what=kind, count=count)


@use_case
def cancel(*, night: str, device: str, now: datetime | None = None) -> None:
    """Cancel the waiting messages about a night. Raises what `at_desk` raises."""
    with at_desk(night, device, now, Role.DIRECTOR, closed=None) as desk:
        query = select(OutboxRow).where(OutboxRow.night_id == desk.night.id, OutboxRow.state == State.WAITING)
        rows = desk.session.scalars(query.with_for_update()).all()
        for row in rows:
            row.state, row.text = State.CANCELED, ""
        if rows:
            desk.note("messages_canceled", count=len(rows))


@use_case
def repeat(*, night: str, message: int, server: Server, device: str, now: datetime | None = None) -> None:
    """Queue a message about a night again if it failed, was canceled, or may not have arrived.

    `message` is the id of the message. A message in any other state is not changed. Raises what `at_desk` raises.
    Raises `RuleViolation` if the message is out of date, if its recipient was removed, or if its channel is turned off.
    """
    with at_desk(night, device, now, Role.DIRECTOR, closed=None) as desk:
        query = select(OutboxRow).where(OutboxRow.id == message, OutboxRow.night_id == desk.night.id)
        row = desk.session.scalars(query.with_for_update()).first()
        if row is None:
            return
        server.demand(row.channel)
        about = about_night(desk.session, desk.league, desk.night, server.site)
        draft = DRAFTS[row.kind].draft(about) if row.kind in DRAFTS else None
        if draft is None:
            raise RuleViolation("draft", "There is nothing to send yet. Close the night first.")
        if draft.edition != row.edition:
            raise RuleViolation("outdated", "This message is out of date. Send the new one instead.")
        to = next((each for each in recipients(desk.session, desk.league, server) if each.id == row.recipient), None)
        if to is None:
            raise RuleViolation("gone", "This recipient was removed.")
        if State(row.state) in REPEATABLE:
            _again(row, _addressed(draft, to, server), server.site, desk.now)
            desk.note("message_repeated", what=row.kind)


def forget_people(session: Session, people: Sequence[int]) -> None:
    """Delete the mail addresses of people (row ids) who are being made anonymous.

    The caller must commit the transaction.
    """
    rows = session.scalars(select(SubscriberRow).where(SubscriberRow.person_id.in_(people))).all()
    _cancel(session, [row.public_id for row in rows])
    for row in rows:
        session.delete(row)


def about_night(session: Session, league: LeagueRow, night: NightRow, site: str) -> About:
    """Return the data from which a message about a night is made. `site` is the address of this server."""
    closed = select(func.count()).where(LeagueEventRow.night_id == night.id, LeagueEventRow.kind == "night_closed")
    return About(session, league, session.get_one(SeasonRow, night.season_id), night, site, session.scalar(closed) or 1)


def recipients(session: Session, league: LeagueRow, server: Server) -> list[Recipient]:
    """Return all recipients of the messages of a league: first webhooks, then confirmed mail addresses.

    Recipients on a channel that is turned off are left out.
    """
    hooks = select(WebhookRow.public_id, WebhookRow.address).where(WebhookRow.league_id == league.id)
    mails = select(SubscriberRow.public_id, SubscriberRow.address).where(
        SubscriberRow.league_id == league.id, SubscriberRow.confirmed_at.is_not(None)
    )
    queries = {WEBHOOK: hooks.order_by(WebhookRow.id), MAIL: mails.order_by(SubscriberRow.id)}
    return [Recipient(each, *row) for each in server.channels() for row in session.execute(queries[each])]


def mark(draft: Draft) -> str:
    """Return a hash of a draft.

    The form for sending posts the hash back, so that `release` sends only a message that the director has read.
    """
    return sha256(f"{draft.subject}\n{draft.text}".encode()).hexdigest()[:32]


def _addressed(draft: Draft, to: Recipient, server: Server) -> Draft:
    """Return the draft as it is sent to the recipient `to`. An email ends with that recipient's link to unsubscribe."""
    if to.channel != MAIL:
        return draft
    leave = server.site + UNSUBSCRIBE + token(UNSUBSCRIBE, to.id, to.address, server.key)
    return replace(draft, text=with_farewell(draft.text, leave))


def _rows(session: Session, night: NightRow, kind: str, edition: int) -> dict[str, OutboxRow]:
    query = select(OutboxRow).where(
        OutboxRow.night_id == night.id, OutboxRow.kind == kind, OutboxRow.edition == edition
    )
    return {row.recipient: row for row in session.scalars(query.with_for_update())}


def _queued(
    league: LeagueRow,
    night: NightRow | None,
    kind: str,
    edition: int,
    channel: str,
    recipient: str,
    draft: Draft,
    site: str,
    now: datetime,
) -> OutboxRow:
    return OutboxRow(
        league_id=league.id,
        night_id=None if night is None else night.id,
        kind=kind,
        edition=edition,
        channel=channel,
        recipient=recipient,
        subject=draft.subject,
        text=draft.text,
        site=site,
        state=State.WAITING,
        attempts=0,
        next_at=now,
        error="",
    )


def _again(row: OutboxRow, draft: Draft, site: str, now: datetime) -> None:
    row.subject, row.text, row.site = draft.subject, draft.text, site
    row.state, row.attempts, row.next_at, row.error = State.WAITING, 0, now, ""


def _cancel(session: Session, recipients: Sequence[str]) -> None:
    waiting = (OutboxRow.recipient.in_(recipients), OutboxRow.state == State.WAITING)
    session.execute(update(OutboxRow).where(*waiting).values(state=State.CANCELED, text=""))


def _webhook(session: Session, league: LeagueRow, webhook: str) -> WebhookRow:
    query = select(WebhookRow).where(WebhookRow.league_id == league.id, WebhookRow.public_id == webhook)
    row = session.scalars(query).first()
    if row is None:
        raise NoSuchLeagueError
    return row
