"""Serve HTTPS at home, with a certificate that is renewed when this machine's addresses change."""

from __future__ import annotations

import logging
import ssl
from datetime import timedelta
from typing import TYPE_CHECKING

from scorekeeper.ops.inspection import BootError
from scorekeeper.ops.scheduler import repeat
from scorekeeper.server.certificates import issue
from scorekeeper.server.listen import announced_name, reachable_address

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography import x509

BETWEEN_LOOKS = timedelta(minutes=1)
"""How often each process checks whether the certificate still matches this machine's addresses."""
OF_TLS_1_2 = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""TLS 1.2 ciphers, for clients without TLS 1.3: forward secrecy and authenticated encryption only."""


def make_certificates(instance: Path, host: str) -> x509.Certificate:
    """Create the certificate authority, and the certificate of a server at `host`, if they are missing.

    The files are in the folder `tls` of `instance`. Return the authority's certificate. Raises `BootError` if the
    folder can't be used.
    """
    folder = instance / "tls"
    try:
        return issue(folder, names_for(host))
    except OSError as error:
        raise BootError(f"The folder {folder} can't be used: {error.strerror}.") from error


def context_for(instance: Path, host: str, *_of_uvicorn: object) -> ssl.SSLContext:
    """Return the TLS context of a server at `host`. A thread renews its certificate until this process ends.

    uvicorn passes further arguments, which are not used.
    """
    file = instance / "tls" / "server.pem"
    loaded = file.read_bytes()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(OF_TLS_1_2)
    context.load_cert_chain(file)

    def keep_up() -> timedelta:
        nonlocal loaded
        loaded = renewed(context, file, host, loaded)
        return BETWEEN_LOOKS

    repeat(keep_up, "certificate", first=BETWEEN_LOOKS)
    return context


def renewed(context: ssl.SSLContext, file: Path, host: str, loaded: bytes) -> bytes:
    """Renew the certificate in `file` if it expires soon or no longer matches `host` and this machine's addresses.

    `loaded` is the file content that `context` uses at present. If the file has changed, it is loaded into `context`.
    Return the content that `context` uses afterward. Errors are only logged.
    """
    try:
        issue(file.parent, names_for(host))
        now = file.read_bytes()  # another process may have renewed it
        if now != loaded:
            context.load_cert_chain(file)
    except (OSError, BootError):
        # An old certificate is better than none.
        logging.getLogger(__name__).warning("The certificate could not be renewed", exc_info=True)
        return loaded
    return now


def names_for(host: str) -> set[str]:
    """Return the host names and IP addresses at which clients can currently reach a server that listens on `host`."""
    names = {"localhost", "127.0.0.1", "::1"}
    if name := announced_name():
        names.add(name)
    address = reachable_address(host)
    return names | {address or (host if host not in {"0.0.0.0", "::"} else "127.0.0.1")}  # noqa: S104  compared
