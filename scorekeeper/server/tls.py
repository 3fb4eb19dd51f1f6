"""Serve HTTPS at home, with a certificate that is renewed when this machine's addresses change."""

from __future__ import annotations

import logging
import re
import socket
import ssl
from datetime import timedelta
from typing import TYPE_CHECKING

from scorekeeper.ops.inspection import BootError
from scorekeeper.ops.scheduler import repeat
from scorekeeper.server.certificates import is_at_home, issue
from scorekeeper.server.listen import reachable_address

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography import x509

BETWEEN_LOOKS = timedelta(minutes=1)
"""How often each process checks whether the certificate still matches."""
OF_TLS_1_2 = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""TLS 1.2 ciphers, for clients without TLS 1.3: forward secrecy and authenticated encryption only."""
LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def make_certificates(instance: Path, host: str) -> x509.Certificate:
    """Return the authority's certificate in `instance`; make the certificate for a server at `host` if it is missing.

    Raises `BootError`.
    """
    folder = instance / "tls"
    try:
        return issue(folder, names_for(host))
    except OSError as error:
        raise BootError(f"The folder {folder} can't be used: {error.strerror}.") from error


def context_for(instance: Path, host: str, *_of_uvicorn: object) -> ssl.SSLContext:
    """Return the TLS context for `host`; its certificate is renewed while this process runs."""
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
    """Renew the certificate in `file` if it no longer matches, load it into `context` if it changed, and return it."""
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
    """Return the names and addresses at which a server that listens on `host` can be reached now."""
    names = {"localhost", "127.0.0.1", "::1"}
    machine = socket.gethostname().partition(".")[0].lower()
    if LABEL.fullmatch(machine) and is_at_home(f"{machine}.local"):
        names.add(f"{machine}.local")
    address = reachable_address(host)
    return names | {address or (host if host not in {"0.0.0.0", "::"} else "127.0.0.1")}  # noqa: S104  compared
