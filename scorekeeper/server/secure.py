"""Prepare for `--tls`: open a second listener, create certificates, and collect the data for the trust page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.ops.boot import make_folder
from scorekeeper.server.listen import bind
from scorekeeper.web.trust import Trust

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Secure:
    """What the server needs for HTTPS at home: the listener, the TLS context and the certificate."""

    listener: socket.socket
    context: Callable[..., ssl.SSLContext]
    """Function that makes the TLS context, called in each process."""
    trust: Trust


def prepare(host: str, port: int, instance: Path) -> Secure:
    """Listen on `host` and `port` for HTTPS, and create certificates in the folder `instance` if they are missing.

    Raises `BootError` if the port or the folder can't be used.
    """
    # Imported here: a start without --tls shouldn't wait for cryptography.
    from cryptography.hazmat.primitives.serialization import Encoding

    from scorekeeper.server.certificates import fingerprint
    from scorekeeper.server.tls import context_for, make_certificates

    listener = bind(host, port, "--tls-port")
    make_folder(instance)
    authority = make_certificates(instance, host)
    trust = Trust(authority.public_bytes(Encoding.DER), fingerprint(authority), listener.getsockname()[1])
    return Secure(listener, partial(context_for, instance, host), trust)
