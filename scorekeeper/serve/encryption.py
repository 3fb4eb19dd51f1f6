"""HTTPS at home: a certificate that follows the machine from one network to the next while the score book is open."""

from __future__ import annotations

import logging
import re
import socket
import ssl
import threading
import time
from typing import TYPE_CHECKING

from scorekeeper.serve.certificates import fingerprint, is_at_home, issue
from scorekeeper.serve.inspection import BootError
from scorekeeper.serve.listen import reachable_address

if TYPE_CHECKING:
    from pathlib import Path

SECONDS_BETWEEN_LOOKS = 60
"""How often at most each process sees if the certificate still fits."""
OF_TLS_1_2 = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""What is spoken with who knows no TLS 1.3: with a key of its own for each connection, and sealed against change."""
LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


class Encryption:
    """The certificate authority of one score book, and the server's certificate, renewed as needed."""

    def __init__(self, instance: Path, host: str) -> None:
        """Make what is missing in `instance/tls` for a server that listens on `host`. Raises `BootError`."""
        self.folder = instance / "tls"
        self.server_file = self.folder / "server.pem"
        self.host = host
        try:
            self.authority = issue(self.folder, names_for(host))
            self.fingerprint = fingerprint(self.authority)
            self._loaded = self.server_file.read_bytes()
            self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            self._context.minimum_version = ssl.TLSVersion.TLSv1_2
            self._context.set_ciphers(OF_TLS_1_2)
            self._context.load_cert_chain(self.server_file)
        except OSError as error:
            raise BootError(f"The folder {self.folder} cannot be used: {error.strerror}.") from error
        self._looked = time.monotonic()
        self._looking = threading.Lock()

    def context(self) -> ssl.SSLContext:
        """Return what a connection is encrypted with; once a minute, see first if the certificate still fits."""
        if time.monotonic() - self._looked > SECONDS_BETWEEN_LOOKS and self._looking.acquire(blocking=False):
            try:
                self._looked = time.monotonic()
                self._renew()
            except (OSError, BootError):
                # The certificate that is there is better than none.
                logging.getLogger(__name__).warning("The certificate could not be renewed.", exc_info=True)
            finally:
                self._looking.release()
        return self._context

    def _renew(self) -> None:
        issue(self.folder, names_for(self.host))
        now = self.server_file.read_bytes()  # another process may have renewed it
        if now != self._loaded:
            self._context.load_cert_chain(self.server_file)
            self._loaded = now


def names_for(host: str) -> set[str]:
    """Return the names and addresses by which a server that listens on `host` is reached now."""
    names = {"localhost", "127.0.0.1", "::1"}
    machine = socket.gethostname().partition(".")[0].lower()
    if LABEL.fullmatch(machine) and is_at_home(f"{machine}.local"):
        names.add(f"{machine}.local")
    address = reachable_address(host)
    return names | {address or (host if host not in {"0.0.0.0", "::"} else "127.0.0.1")}  # noqa: S104  compared
