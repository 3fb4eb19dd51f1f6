"""Servers on this machine that receive what the outbox sends: one for webhooks, one for mail."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator
    from email.message import EmailMessage


@dataclass
class Receiver:
    """A web server that notes what is posted and answers with `status` and `headers`, or as `act` does."""

    port: int = 0
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    act: Callable[[BaseHTTPRequestHandler], None] | None = None
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    """Path with query, headers in lower case, and body of each request."""

    @property
    def host(self) -> str:
        """Return its entry in the operator's list."""
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        """Return an address with a secret in it."""
        return f"http://{self.host}/hooks/s3cret-t0ken"

    def json(self, number: int = -1) -> Any:
        """Return what was posted."""
        return json.loads(self.got[number][2])


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Yield a running receiver."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.got.append((self.path, {key.lower(): value for key, value in self.headers.items()}, body))
            if receiver.act:
                receiver.act(self)
                return
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(receiver.body)))
            self.end_headers()
            self.wfile.write(receiver.body)

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Mailbox:
    """A mail server that keeps what it accepts and answers with `replies` to the end of a mail."""

    port: int = 0
    replies: dict[str, str] = field(default_factory=dict)
    """By command (RCPT, DATA): another reply than 250; "drop" hangs up."""
    got: list[tuple[list[str], EmailMessage]] = field(default_factory=list)
    """Recipients and mail."""

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        """Note the recipient."""
        if "RCPT" in self.replies:
            return self.replies["RCPT"]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep the mail."""
        self.got.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=policy.default)))
        reply = self.replies.get("DATA", "250 OK")
        if reply == "drop":
            assert server.transport is not None
            server.transport.close()
        return reply

    def to(self, address: str) -> list[EmailMessage]:
        """Return the mails to an address."""
        return [mail for to, mail in self.got if address in to]


@contextmanager
def mail_server(tls: ssl.SSLContext | None = None, *, password: str = "") -> Iterator[Mailbox]:
    """Yield a running mail server, with STARTTLS if there is a certificate, and a sign-in if there is a password."""
    box = Mailbox()
    with socket.create_server(("127.0.0.1", 0)) as free:
        box.port = free.getsockname()[1]

    def checked(_server: Any, _session: Any, _envelope: Any, _mechanism: str, told: Any) -> Any:
        from aiosmtpd.smtp import AuthResult

        return AuthResult(success=told.password == password.encode(), handled=False)

    more: dict[str, Any] = {"tls_context": tls, "require_starttls": True} if tls else {}
    if password:
        more |= {"authenticator": checked, "auth_required": True}
    controller = Controller(box, hostname="127.0.0.1", port=box.port, **more)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()
