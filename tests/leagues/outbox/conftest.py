"""Fixtures for sending messages: a league that sends them, and a web server and a mail server that receive them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.config import MailServer
from scorekeeper.leagues.core.models import OutboxRow
from scorekeeper.leagues.outbox.delivery import deliver
from scorekeeper.leagues.outbox.service import MAIL, WEBHOOK
from scorekeeper.web.extensions import db
from tests.leagues.outbox.receivers import mail_server, receiving
from tests.support.league import NAMES, make_hall

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import timedelta

    from flask import Flask

    from tests.leagues.outbox.receivers import Mailbox, Receiver
    from tests.support.league import Hall
    from tests.support.page import Page
    from tests.support.phone import Phone


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Yield a running web server that receives webhooks."""
    with receiving() as each:
        yield each


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    """Yield a running mail server."""
    with mail_server() as each:
        yield each


@dataclass
class Post:
    """A league that has a closed night and can send messages to a local web server and a local mail server."""

    app: Flask
    hall: Hall
    night: str
    receiver: Receiver
    mailbox: Mailbox

    @property
    def phone(self) -> Phone:
        """Return the owner's phone."""
        return self.hall.phone

    @property
    def path(self) -> str:
        """Return the path of the page where owners set up messages."""
        return f"{self.hall.league}/messages"

    @property
    def of_night(self) -> str:
        """Return the path of the page where directors send the night's messages."""
        return f"/nights/{self.night}/messages"

    def hook(self, kind: str = "json") -> Page:
        """Add the local web server to the league as a webhook, and return the page that follows.

        `kind` is the format of the messages, such as "json" or "telegram".
        """
        query = "?chat_id=-100" if kind == "telegram" else ""
        address = f"{self.receiver.address}-{kind}{query}"
        return self.phone.submit(
            self.phone.see(self.path), f"{self.hall.league}/webhooks#webhooks", kind=kind, address=address
        )

    def subscribe(self, address: str, *, name: str = "Ann", confirm: bool = True) -> str:
        """Add a mail address for the person `name`, and return the path of the link in the confirmation mail.

        Unless `confirm` is False, the link is opened and the address is confirmed.
        """
        with self.hall.book() as people:
            person = people[name]
        page = self.phone.see(self.path)
        self.phone.submit(page, f"{self.hall.league}/mail#by-mail", person=person, mail=address)
        self.send()
        link = re.search(r"http://localhost(/mail/\S+)", self.mailbox.to(address)[-1].get_content())
        assert link is not None
        if confirm:
            phone = self.app.test_client()
            phone.submit(phone.see(link[1]), link[1])  # type: ignore[attr-defined]
        return link[1]

    def release(self, status: int = 303) -> Page:
        """Send the night's results with the director's form, and return the page that follows."""
        return self.phone.submit(self.phone.see(self.of_night), self.of_night, status)

    def send(self, later: timedelta | None = None) -> int:
        """Deliver all messages that are due, and return how many were sent.

        If `later` is given, the time is moved forward by `later`, so that messages that become due by then are also
        delivered.
        """
        with self.app.app_context():
            moment = datetime.now(UTC) + later if later else None
            return sum(deliver(channel, self.app.config, now=moment) for channel in (MAIL, WEBHOOK))

    def states(self) -> list[str]:
        """Return the states of the messages about nights, oldest message first."""
        with self.app.app_context():
            query = select(OutboxRow.state).where(OutboxRow.night_id.is_not(None)).order_by(OutboxRow.id)
            return list(db.session.scalars(query))


@pytest.fixture
def post(app: Flask, client: Phone, receiver: Receiver, mailbox: Mailbox) -> Post:
    """Return a league whose server may send to the web server and the mail server."""
    app.config["MAIL"] = MailServer("127.0.0.1", mailbox.port, "league@example.org", tls="plain")
    app.config["WEBHOOKS"] = True
    app.config["WEBHOOK_HOSTS"] = frozenset((receiver.host,))
    hall = make_hall(app, client)
    return Post(app, hall, hall.night((NAMES, (21, 13))), receiver, mailbox)
