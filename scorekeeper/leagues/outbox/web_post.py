"""Send one POST request to a webhook, without trusting its address or its response.

The name of the host is resolved once. Unless the operator trusts the host, every address found must be public. The
connection goes to one of these checked addresses, so a different answer of the name server to a second query (DNS
rebinding) has no effect.

`http.client` is used because it follows no redirects, reads no proxies from the environment, and accepts a socket that
is already connected. urllib3 isn't used, because it would resolve the name again.
"""

from __future__ import annotations

import http.client
import logging
import socket
import ssl
from collections.abc import Mapping
from threading import Timer

from scorekeeper.leagues.outbox.outcome import SENT, Attempt, failed, retry, unknown
from scorekeeper.leagues.outbox.targets import Target, is_public

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 10
"""Longest wait for a connection, and for each piece of an answer."""
DEADLINE_SECONDS = 30
"""Longest time for a whole exchange, since a server that sends a byte at a time must not hold up other messages."""
MOST_BYTES = 64 * 1024
"""Most bytes of the answer's body that are read."""
LATER = frozenset((408, 425, 429, 500, 503))
"""HTTP status codes after which the request is sent again later, because it wasn't delivered."""
LOST = frozenset((502, 504))
"""HTTP status codes of a gateway, after which the request may or may not have been delivered."""


class PrivateAddressError(Exception):
    """The host of a webhook has an address that isn't public."""


def checked_address(target: Target) -> str:
    """Return the IP address to which to connect.

    Unless the operator trusts the host, all of the host's addresses must be public. Raises `PrivateAddressError` if an
    address isn't public, or `OSError` for an unknown host.
    """
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError("not a host name") from error
    addresses = [str(each[4][0]) for each in found]
    if not target.trusted and not all(map(is_public, addresses)):
        raise PrivateAddressError
    return addresses[0]


def post(target: Target, body: bytes, headers: Mapping[str, str]) -> Attempt:
    """Post `body` and return the outcome. Network errors are part of the outcome and are not raised."""
    return ask(target, body, headers)[0]


def ask(target: Target, body: bytes, headers: Mapping[str, str]) -> tuple[Attempt, bytes]:
    """Post `body`, and return the outcome and the first `MOST_BYTES` bytes of the response body.

    The response body is b"" if the connection broke. Network errors are part of the outcome and are not raised.
    """
    try:
        address = checked_address(target)
    except PrivateAddressError:
        return failed("private"), b""
    except OSError:
        return retry("unknown_host"), b""
    try:
        connected = _connect(target, address)
    except ssl.SSLCertVerificationError:
        return retry("certificate"), b""
    except OSError:
        return retry("unreachable"), b""
    with connected as sock:
        # Closes both directions, so that a read in progress ends.
        deadline = Timer(DEADLINE_SECONDS, _shut, (sock,))
        deadline.daemon = True
        deadline.start()
        try:
            return _exchange(sock, target, body, headers)
        finally:
            deadline.cancel()


def _connect(target: Target, address: str) -> socket.socket:
    sock = socket.create_connection((address, target.port), TIMEOUT_SECONDS)
    if not target.secure:
        return sock
    try:
        return ssl.create_default_context().wrap_socket(sock, server_hostname=target.host)
    except BaseException:
        sock.close()
        raise


def _exchange(sock: socket.socket, target: Target, body: bytes, headers: Mapping[str, str]) -> tuple[Attempt, bytes]:
    kind = http.client.HTTPSConnection if target.secure else http.client.HTTPConnection
    connection = kind(target.host, target.port, timeout=TIMEOUT_SECONDS)
    connection.sock = sock
    try:
        connection.request("POST", target.path, body, {**headers, "Connection": "close"})
    except (OSError, http.client.HTTPException):
        return retry("unreachable"), b""  # an incomplete request has no effect
    try:
        response = connection.getresponse()
    except (OSError, http.client.HTTPException):
        return unknown("no_answer"), b""
    answer = b""
    try:
        answer = response.read(MOST_BYTES)
    except (OSError, http.client.HTTPException):
        log.debug("An answer broke off")  # its status has arrived
    return _judged(response.status, response.headers.get("Retry-After", "")), answer


def _judged(status: int, after: str) -> Attempt:
    if 200 <= status < 300:
        return SENT
    if 300 <= status < 400:
        return failed("redirect", status)
    if status in LATER:
        return retry("busy", status, int(after) if after.isascii() and after.isdigit() and len(after) < 7 else 0)
    return unknown("no_answer", status) if status in LOST else failed("refused", status)


def _shut(sock: socket.socket) -> None:
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        log.debug("Already closed")
