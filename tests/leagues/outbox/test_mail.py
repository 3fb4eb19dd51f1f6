"""The headers of mails, and the way mails are sent to a mail server."""

from __future__ import annotations

import smtplib
import socket
import ssl
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.config import MailServer
from scorekeeper.leagues.outbox.mail import check_mail, mail_of, send_mail
from scorekeeper.leagues.outbox.outcome import SENT, failed, retry, unknown
from scorekeeper.rules.violation import RuleViolation
from tests.leagues.outbox.receivers import mail_server

if TYPE_CHECKING:
    from email.message import EmailMessage
    from pathlib import Path

    from tests.leagues.outbox.receivers import Mailbox

AT = datetime(2026, 9, 1, 22, 0, tzinfo=UTC)
LEAVE = "https://cards.example/mail/unsubscribe/word"
HEADERS = {
    *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "List-Unsubscribe", "List-Unsubscribe-Post"),
    *("MIME-Version", "Content-Type", "Content-Transfer-Encoding"),
}


def mail(name: str = "Fire Hall", subject: str = "Results", text: str = "Ann 3\n", leave: str = LEAVE) -> EmailMessage:
    told: dict[str, Any] = {"sender": "league@example.org", "to": "ann@example.org", "key": "abc-1", "at": AT}
    return mail_of(**told, name=name, subject=subject, text=text, leave=leave)


def server(box: Mailbox, **more: Any) -> MailServer:
    return MailServer("127.0.0.1", box.port, "league@example.org", **{"tls": "plain", **more})


@given(st.text(max_size=60), st.text(max_size=200), st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_no_name_adds_a_header(name: str, subject: str, text: str) -> None:
    """A line break in a league's name or in a subject can't add a header to a mail.

    Headers with long names are split into several lines.
    """
    whole = mail(f"{name}\r\nBcc: x@example.org\n", f"{subject}\nBcc: y@example.org", text).as_bytes()
    read = message_from_bytes(whole, policy=policy.default)
    assert set(read.keys()) == HEADERS
    assert read["To"] == "ann@example.org"
    assert max(map(len, whole.split(b"\r\n"))) <= 998
    assert read["From"].addresses[0].addr_spec == "league@example.org"


def test_long_link_stays_as_it_is() -> None:
    """A long unsubscribe link is on one line of the mail's header, unencoded, so that mail programs can read it.

    Python's email library would encode the link.
    """
    leave = f"https://{'a' * 60}.example.org/mail/unsubscribe/{'b' * 34}"
    assert f"\r\nList-Unsubscribe: <{leave}>\r\n".encode() in mail(leave=leave).as_bytes()


def test_mail_can_be_left_with_one_click() -> None:
    told = mail()
    assert told["List-Unsubscribe"] == f"<{LEAVE}>"
    assert told["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert told["Message-ID"] == "<abc-1@example.org>"
    assert "List-Unsubscribe-Post" not in mail(leave="http://hall-pc/mail/unsubscribe/word")
    assert "List-Unsubscribe" not in mail(leave="")


@pytest.mark.parametrize(
    "address",
    [
        *("", "ann", "ann@", "@example.org", "ann@localhost", "ann@example.org, bob@example.org", "ann@exam ple.org"),
        *("Ann <ann@example.org>", "ann@example.org\nBcc: x@y.org", "änn@example.org", "ann@example..org"),
        f"{'a' * 65}@example.org",
        f"ann@{'a.' * 125}org",
    ],
)
def test_unsuitable_address_is_refused(address: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        check_mail(address)
    assert refused.value.field == "address"


def test_domain_is_in_lower_case() -> None:
    assert check_mail(" Ann.B+cards@Example.ORG ") == "Ann.B+cards@example.org"


def test_mail_arrives(mailbox: Mailbox) -> None:
    assert send_mail(server(mailbox), mail(text="Añn 𝓑ob 3\n")) == SENT
    (got,) = mailbox.to("ann@example.org")
    assert got.get_content().rstrip() == "Añn 𝓑ob 3"
    assert got["Subject"] == "Results"


@pytest.mark.parametrize(
    ("command", "reply", "outcome"),
    [
        ("RCPT", "550 no such user", failed("refused", 550)),
        ("RCPT", "451 try later", retry("busy", 451)),
        ("DATA", "554 spam", failed("refused", 554)),
        ("DATA", "452 full", retry("busy", 452)),
        ("DATA", "drop", unknown("no_answer")),
    ],
)
def test_reply_decides(mailbox: Mailbox, command: str, reply: str, outcome: object) -> None:
    mailbox.replies[command] = reply
    assert send_mail(server(mailbox), mail()) == outcome


def test_farewell_changes_nothing(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail that the server accepted counts as sent, even if the connection breaks afterwards."""

    def broken(_smtp: object) -> None:
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr(smtplib.SMTP, "quit", broken)
    assert send_mail(server(mailbox), mail()) == SENT


def test_closed_port_is_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert send_mail(MailServer("127.0.0.1", port, "a@example.org", tls="plain"), mail()) == retry("unreachable")


def test_nothing_is_sent_without_encryption(mailbox: Mailbox) -> None:
    """If STARTTLS is required, a mail server without it gets neither the mail nor the password."""
    told = server(mailbox, tls="starttls", user="ann", password="hush")
    assert send_mail(told, mail()) == retry("no_tls")
    assert not mailbox.got
    assert "hush" not in repr(told)


def test_certificate_is_checked_and_password_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context, file = certified(tmp_path)
    with mail_server(context, password="hush") as box:
        told = {"tls": "starttls", "user": "ann", "password": "hush"}
        assert send_mail(MailServer("localhost", box.port, "a@example.org", **told), mail()) == retry("certificate")
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        assert send_mail(MailServer("localhost", box.port, "a@example.org", **told), mail()) == SENT
        told["password"] = "wrong"
        assert send_mail(MailServer("localhost", box.port, "a@example.org", **told), mail()) == retry("sign_in")
    assert len(box.got) == 1


def certified(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """Return the TLS context of a server called localhost, and the path of its certificate.

    The certificate is written to `folder`.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "mail.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file)
    return context, file
