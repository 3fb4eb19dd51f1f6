"""View models of the pages about messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.leagues.core.header import LeagueHead


@dataclass(frozen=True, slots=True)
class WebhookLine:
    """A webhook of a league."""

    id: str
    label: str
    address: str
    """Address of the webhook, shortened because it is secret."""
    secret: str
    """Key with which its messages are signed; empty if they aren't signed."""
    test: str
    """State of the last test message in words, empty if there was none."""
    error: str


@dataclass(frozen=True, slots=True)
class MailLine:
    """A player's mail address."""

    id: str
    name: str
    address: str
    confirmed: bool
    error: str
    """Why the mail that asks to confirm the address could not be sent, or empty."""


@dataclass(frozen=True, slots=True)
class MessageOption:
    """An option of a selection list: its value, its label and a hint."""

    value: str
    label: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class MessagesPage:
    """The page for owners with the webhooks and mail addresses that get the messages of a league."""

    league: LeagueHead
    webhooks_on: bool
    mail_on: bool
    webhooks: tuple[WebhookLine, ...]
    mails: tuple[MailLine, ...]
    kinds: tuple[MessageOption, ...]
    people: tuple[MessageOption, ...]
    only_here: str
    """Warning that other devices can't open the links in mails; empty if they can."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A message that a director can send now."""

    kind: str
    label: str
    button: str
    text: str
    seen: str
    """Hash of the message as shown (`service.mark`), which the form sends back."""
    to: str
    """Sentence with the number of recipients for whom the message isn't queued yet; empty if there are none."""
    mails: bool
    """True if the message isn't queued yet for some recipients who get it by mail."""


@dataclass(frozen=True, slots=True)
class MessageLine:
    """A message to one recipient."""

    id: int
    label: str
    to: str
    state: str
    error: str
    next_at: datetime | None
    """When the message is tried again, None if it isn't."""
    repeatable: bool
    doubtful: bool
    """True if the message may have arrived, but no answer confirms it."""


@dataclass(frozen=True, slots=True)
class NightMessagesPage:
    """The page for directors with the messages about a night."""

    league: LeagueHead
    night: str
    title: str
    day: str
    on: bool
    """True if the operator turned on mail or webhooks."""
    closed: bool
    recipients: int
    offers: tuple[Offer, ...]
    lines: tuple[MessageLine, ...]
    waiting: int
    only_here: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class LinkPage:
    """The page that a link in a mail opens. On this page, a reader confirms a mail address or unsubscribes.

    `league` is the name of the league. `address` is the mail address, and `done` is true if it is confirmed already.
    """

    league: str
    address: str
    done: bool
