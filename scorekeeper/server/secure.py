"""Prepare `--tls`: the second listener, the certificates, and the data of the page about trusting them."""

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
    """HTTPS at home, ready to serve."""

    listener: socket.socket
    context: Callable[..., ssl.SSLContext]
    """Makes the TLS context, in each process."""
    trust: Trust


def prepare(host: str, port: int, instance: Path) -> Secure:
    """Listen on `host` and `port`, and make missing certificates in `instance`. Raises `BootError`."""
    # Imported here: a start without --tls shouldn't wait for cryptography.
    from cryptography.hazmat.primitives.serialization import Encoding

    from scorekeeper.server.certificates import fingerprint
    from scorekeeper.server.tls import context_for, make_certificates

    listener = bind(host, port, "--tls-port")
    make_folder(instance)
    authority = make_certificates(instance, host)
    trust = Trust(authority.public_bytes(Encoding.DER), fingerprint(authority), listener.getsockname()[1])
    return Secure(listener, partial(context_for, instance, host), trust)
