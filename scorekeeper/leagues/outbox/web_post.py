"""Send one POST request to a webhook, without trusting its address or its answer.

The host is resolved once; every address found must be public, and the connection goes to the one that was checked, so
a second answer of the name server (DNS rebinding) has no effect. `http.client` is used as published: it follows no
redirects and reads no proxies from the environment, and it takes a connected socket. urllib3 resolves the name by
itself.
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
"""Longest exchange: a server that answers a byte at a time must not hold up other messages."""
MOST_BYTES = 64 * 1024
"""Bytes of the answer's body that are read."""
LATER = frozenset((408, 425, 429, 500, 503))
"""Statuses that say that nothing was delivered and that it may work later."""
LOST = frozenset((502, 504))
"""Statuses of a gateway that doesn't know what became of the request."""


class PrivateAddressError(Exception):
    """The host isn't public."""


def checked_address(target: Target) -> str:
    """Return the IP address to connect to. Raises `PrivateAddressError`, or `OSError` for an unknown host."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError("not a host name") from error
    addresses = [str(each[4][0]) for each in found]
    if not target.trusted and not all(map(is_public, addresses)):
        raise PrivateAddressError
    return addresses[0]


def post(target: Target, body: bytes, headers: Mapping[str, str]) -> Attempt:
    """Post `body` and return the outcome. Raises nothing that the network causes."""
    try:
        address = checked_address(target)
    except PrivateAddressError:
        return failed("private")
    except OSError:
        return retry("unknown_host")
    try:
        connected = _connect(target, address)
    except ssl.SSLCertVerificationError:
        return retry("certificate")
    except OSError:
        return retry("unreachable")
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


def _exchange(sock: socket.socket, target: Target, body: bytes, headers: Mapping[str, str]) -> Attempt:
    kind = http.client.HTTPSConnection if target.secure else http.client.HTTPConnection
    connection = kind(target.host, target.port, timeout=TIMEOUT_SECONDS)
    connection.sock = sock
    try:
        connection.request("POST", target.path, body, {**headers, "Connection": "close"})
    except (OSError, http.client.HTTPException):
        return retry("unreachable")  # an incomplete request has no effect
    try:
        response = connection.getresponse()
    except (OSError, http.client.HTTPException):
        return unknown("no_answer")
    try:
        response.read(MOST_BYTES)
    except (OSError, http.client.HTTPException):
        log.debug("An answer broke off")  # its status has arrived
    return _judged(response.status, response.headers.get("Retry-After", ""))


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
