"""Local servers to which the app sends messages in tests, one for webhooks and one for mail."""

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
    """A web server that records each POST and responds with `status`, `headers` and `body`.

    If `act` is set, this function responds instead.
    """

    port: int = 0
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    act: Callable[[BaseHTTPRequestHandler], None] | None = None
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    """Each request: its path with the query, its headers by lower-case name, and its body."""

    @property
    def host(self) -> str:
        """Return the server's host and port, such as "127.0.0.1:8000".

        The setting for the allowed hosts of webhooks has this format.
        """
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        """Return the address of a webhook on this server, which has a secret in its path."""
        return f"http://{self.host}/hooks/s3cret-t0ken"

    def json(self, number: int = -1) -> Any:
        """Return the JSON body of a request. `number` is the request's index, by default that of the last request."""
        return json.loads(self.got[number][2])


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Yield a running web server that receives webhooks."""
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
    """A mail server that records the mails it receives, and replies 250 unless `replies` says otherwise."""

    port: int = 0
    replies: dict[str, str] = field(default_factory=dict)
    """The replies other than 250. A key is a command of the mail client, "RCPT" or "DATA".

    The value "drop" for "DATA" closes the connection.
    """
    got: list[tuple[list[str], EmailMessage]] = field(default_factory=list)
    """Each mail: its recipients and the message."""

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        """Add a recipient to the mail, and return the reply 250.

        If `replies` has a reply for RCPT, return that reply instead, and don't add the recipient.
        """
        if "RCPT" in self.replies:
            return self.replies["RCPT"]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Any, envelope: Any) -> str:  # noqa: N802
        """Record a mail and return the reply 250, or the reply that `replies` has for DATA.

        If that reply is "drop", the connection is closed.
        """
        self.got.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=policy.default)))
        reply = self.replies.get("DATA", "250 OK")
        if reply == "drop":
            assert server.transport is not None
            server.transport.close()
        return reply

    def to(self, address: str) -> list[EmailMessage]:
        """Return the mails sent to this address, oldest first."""
        return [mail for to, mail in self.got if address in to]


@contextmanager
def mail_server(tls: ssl.SSLContext | None = None, *, password: str = "") -> Iterator[Mailbox]:
    """Yield a running mail server.

    With `tls`, the server requires STARTTLS. With `password`, it requires a sign-in.
    """
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
