"""`--tls`: the second listener, the certificates, and what phones are told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorekeeper.serve.boot import make_folder
from scorekeeper.serve.inspection import BootError
from scorekeeper.serve.listen import bind
from scorekeeper.serve.run import can_encrypt
from scorekeeper.web.trust import Trust

if TYPE_CHECKING:
    import socket
    from pathlib import Path

    from scorekeeper.serve.encryption import Encryption

NO_GUNICORN = (
    "--tls needs gunicorn, which does not run on this machine: put a proxy that speaks HTTPS before the score book, "
    "for example Caddy, as the README says."
)


@dataclass(frozen=True, slots=True)
class Secure:
    """HTTPS at home, ready to be answered."""

    listener: socket.socket
    encryption: Encryption
    trust: Trust


def prepare(host: str, port: int, instance: Path) -> Secure:
    """Listen on `host` and `port`, and make the certificates in `instance` that are missing. Raises `BootError`."""
    if not can_encrypt():
        raise BootError(NO_GUNICORN)
    # Imported here, so that a start without --tls does not wait for cryptography.
    from cryptography.hazmat.primitives.serialization import Encoding

    from scorekeeper.serve.encryption import Encryption

    listener = bind(host, port, "--tls-port")
    make_folder(instance)
    encryption = Encryption(instance, host)
    certificate = encryption.authority.public_bytes(Encoding.DER)
    return Secure(listener, encryption, Trust(certificate, encryption.fingerprint, listener.getsockname()[1]))
