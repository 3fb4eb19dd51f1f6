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
    """Shortened, because it is secret."""
    secret: str
    """Key of the signature, empty for kinds that aren't signed."""
    test: str
    """What became of the last test message, empty if there was none."""
    error: str


@dataclass(frozen=True, slots=True)
class MailLine:
    """A player's mail address."""

    id: str
    name: str
    address: str
    confirmed: bool
    error: str
    """Why the question could not be sent, or empty."""


@dataclass(frozen=True, slots=True)
class MessageOption:
    """A choice in a list."""

    value: str
    label: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class MessagesPage:
    """Where the messages of a league go, for owners."""

    league: LeagueHead
    webhooks_on: bool
    mail_on: bool
    webhooks: tuple[WebhookLine, ...]
    mails: tuple[MailLine, ...]
    kinds: tuple[MessageOption, ...]
    people: tuple[MessageOption, ...]
    only_here: str
    """Why links in mails can't be opened elsewhere, or empty."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A message that a director can send."""

    kind: str
    label: str
    button: str
    text: str
    seen: str
    to: str
    """Sentence with the number of recipients that don't have it yet, empty if there is none."""
    mails: bool
    """True if some of them get it by mail."""


@dataclass(frozen=True, slots=True)
class MessageLine:
    """A message to one recipient."""

    id: int
    label: str
    to: str
    state: str
    error: str
    next_at: datetime | None
    """When it is tried again, None if it isn't."""
    repeatable: bool
    doubtful: bool
    """True if it may have arrived."""


@dataclass(frozen=True, slots=True)
class NightMessagesPage:
    """The messages about a night, for directors."""

    league: LeagueHead
    night: str
    title: str
    day: str
    on: bool
    """True if this server sends messages."""
    closed: bool
    recipients: int
    offers: tuple[Offer, ...]
    lines: tuple[MessageLine, ...]
    waiting: int
    only_here: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class LinkPage:
    """The page behind a link in a mail."""

    league: str
    address: str
    done: bool
