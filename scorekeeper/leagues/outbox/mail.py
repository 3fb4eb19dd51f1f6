"""Make a mail and send it through the operator's mail server with `smtplib`."""

from __future__ import annotations

import re
import smtplib
import ssl
from contextlib import suppress
from datetime import datetime
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime

from scorekeeper.config import MailServer
from scorekeeper.leagues.outbox.outcome import SENT, Attempt, failed, retry, unknown
from scorekeeper.rules.violation import RuleViolation

TIMEOUT_SECONDS = 10
"""Longest wait for a connection and for each answer of the mail server."""
MOST = 254
"""Most characters of a mail address."""
PERMANENT = 500
"""Lowest SMTP reply code of a permanent error. Codes from 400 to 499 are temporary errors."""
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")


class WholeHeader(UnstructuredHeader):
    """A mail header that is never folded into several lines.

    Python would encode a long web address in a folded header, and mail programs couldn't open the encoded address.
    """

    name: str
    """Name of the header, set by the subclass that Python's header registry makes."""

    def fold(self, *, policy: Policy) -> str:
        """Return the header as one line."""
        return f"{self.name}: {self}{policy.linesep}"


HEADERS = HeaderRegistry()
HEADERS.map_to_type("list-unsubscribe", WholeHeader)  # type: ignore[arg-type]  # as the library does for its own
POLICY = SMTP.clone(header_factory=HEADERS)


def check_mail(address: str) -> str:
    """Return the typed mail address without spaces around it, and with its domain in lower case.

    Raises `RuleViolation` if `address` isn't a mail address.
    """
    typed = address.strip()
    if len(typed) > MOST or not ADDRESS.fullmatch(typed):
        raise RuleViolation("mail", "Enter an email address, such as ann@example.org.", field="address")
    name, _, domain = typed.rpartition("@")
    return f"{name}@{domain.lower()}"


def mail_of(
    *, sender: str, name: str, to: str, subject: str, text: str, key: str, at: datetime, leave: str
) -> EmailMessage:
    """Return a mail from the address `sender`, shown under `name`, to the address `to`.

    `key` is the id of the message, and `at` is the date of the mail. `leave` is the link to unsubscribe, or "". If it
    starts with https, the mail has the headers for one-click unsubscribing (RFC 8058). A line break in a name or
    subject becomes a space, so that nobody can add headers.
    """
    mail = EmailMessage(policy=POLICY)
    user, _, domain = sender.rpartition("@")
    mail["From"] = Address(_one_line(name), user, domain)
    mail["To"] = to
    mail["Subject"] = _one_line(subject)
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{key}@{domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    if leave:
        mail["List-Unsubscribe"] = f"<{leave}>"
        if leave.startswith("https://"):
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(text, cte="quoted-printable")  # not every mail server takes 8 bits
    return mail


def send_mail(server: MailServer, mail: EmailMessage) -> Attempt:
    """Send `mail` and return the outcome. Network and mail server errors are part of the outcome and are not raised."""
    try:
        smtp = _connected(server)
        try:
            return _deliver(smtp, server, mail)
        finally:
            with suppress(OSError):  # however the farewell goes, the mail was accepted or not
                smtp.quit()
            smtp.close()
    except smtplib.SMTPAuthenticationError:
        return retry("sign_in")
    except smtplib.SMTPNotSupportedError:
        return retry("no_tls")
    except ssl.SSLCertVerificationError:
        return retry("certificate")
    except (OSError, smtplib.SMTPException):
        return retry("unreachable")


def _connected(server: MailServer) -> smtplib.SMTP:
    if server.tls == "tls":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT_SECONDS, context=context)
    return smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_SECONDS)


def _deliver(smtp: smtplib.SMTP, server: MailServer, mail: EmailMessage) -> Attempt:
    if server.tls == "starttls":
        smtp.starttls(context=ssl.create_default_context())
    if server.user:
        smtp.login(server.user, server.password)
    smtp.ehlo_or_helo_if_needed()
    for code, _answer in (smtp.mail(server.sender), smtp.rcpt(str(mail["To"]))):
        if code >= 400:
            return _refused(code)
    try:
        code, _answer = smtp.data(mail.as_bytes())
    except smtplib.SMTPDataError as error:
        code = error.smtp_code
    except (OSError, smtplib.SMTPException):
        return unknown("no_answer")  # the whole mail may have arrived
    return SENT if code < 400 else _refused(code)


def _refused(code: int) -> Attempt:
    return failed("refused", code) if code >= PERMANENT else retry("busy", code)


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
