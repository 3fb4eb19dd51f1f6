"""Open the listening socket, and find the address that phones can use.

Make the banner that the terminal shows when the server has started.
"""

from __future__ import annotations

import errno
import io
import ipaddress
import os
import re
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import segno
from sqlalchemy import make_url

from scorekeeper.ops.inspection import BootError, name_of

if TYPE_CHECKING:
    from scorekeeper.config import Settings
    from scorekeeper.web.trust import Trust


THIS_MACHINE = "127.0.0.1"
WHOLE_HOUSE = "0.0.0.0"  # noqa: S104  only when asked for, with --lan
LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
"""Pattern of a host name without dots, in lower case."""


def bind(host: str, port: int, chosen_by: str = "--port") -> socket.socket:
    """Return a TCP socket that listens on `host` and `port`. Port 0 means any free port.

    Call this function before anything else, so that a start fails without side effects if the port is in use. Raises
    `BootError` if the socket can't be opened. The error message names `chosen_by`, the option that sets the port.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise BootError(f"{host} isn't an address of this machine.") from error
    listener = socket.socket(family, kind, protocol)
    if os.name != "nt":  # on Windows it would share a port in use
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(socket.SOMAXCONN)
    except OSError as error:
        listener.close()
        raise BootError(_why(error, host, port, chosen_by)) from error
    return listener


def _why(error: OSError, host: str, port: int, chosen_by: str) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use. Stop the program that uses it, or choose another port with {chosen_by}."
    if error.errno == errno.EACCES:
        return f"You don't have permission to use port {port}. Choose one above 1023 with {chosen_by}."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} isn't an address of this machine."
    return f"Can't listen on {host}, port {port}: {error.strerror}."


def reachable_address(host: str) -> str | None:
    """Return the address at which phones reach a server that listens on `host`, or None if they can't."""
    try:
        listens = ipaddress.ip_address(host)
    except ValueError:
        return None if host == "localhost" else host
    if listens.is_loopback:
        return None
    return _own_address() if listens.is_unspecified else host


def announced_name() -> str | None:
    """Return the name under which this computer announces itself on the network, such as "hall-pc.local".

    This is the name of multicast DNS (RFC 6762), made of the first part of the host name. Whether the computer really
    announces it depends on its system and isn't checked. Return None if the host name can't be used for it.
    """
    machine = socket.gethostname().partition(".")[0].lower()
    return f"{machine}.local" if LABEL.fullmatch(machine) and machine != "localhost" else None


def _own_address() -> str | None:
    # Connecting a UDP socket sends nothing; it only chooses the local address.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address


WHITE_ON_BLACK = "\x1b[38;5;231;48;5;16m"
RESET = "\x1b[0m"
HOW_TO_LET_PHONES_IN = "  Only this computer can open it. To let phones in: {} --lan"
BY_NAME = (
    "  Or type {} on the phone. That works if this computer",
    "  announces its name on the network: macOS and Windows 10 or later do, and so do Debian",
    "  and Raspberry Pi OS with the package avahi-daemon.",
)
NO_NETWORK = "  This computer isn't on a network. Phones can open Scorekeeper once it is on the same Wi-Fi as they are."


def banner(host: str, port: int, address: str | None, settings: Settings, trust: Trust | None = None) -> str:
    """Return the text of the banner: the server's address, how phones can open it, and where the data is stored.

    The server listens on `host`. `address` is the server's address for phones, or None if phones can't reach the
    server. If the server listens on all addresses, the banner also has the name under which this computer may announce
    itself. If `trust` is given, the server uses HTTPS, and `port` is the port of the plain-http page that explains how
    to trust the certificate.
    """
    listens_everywhere = host in {"0.0.0.0", "::"}  # noqa: S104  compared, not listened on

    def home(name: str) -> str:
        return url(name, trust.port, "https") if trust else url(name, port)

    lines = ["", "  Scorekeeper is running."]
    if address is None or listens_everywhere:
        lines += [f"  On this machine   {home('127.0.0.1' if listens_everywhere else host)}"]
    if address is not None:
        # With HTTPS, too, a phone opens the plain page first, which leads on.
        lines += [f"  On every phone    {url(address, port)}", "", qr_code(url(address, port))]
        lines += ["  Phones must be on the same network (your Wi-Fi)."]
        if listens_everywhere and (name := announced_name()):
            lines += [line.format(home(name)) for line in BY_NAME]
    else:
        lines += ["", NO_NETWORK if listens_everywhere else HOW_TO_LET_PHONES_IN.format(command())]
    if trust:
        door = url(address or ("127.0.0.1" if listens_everywhere else host), port)
        lines += ["", *how_to_trust(door, trust), ""]
    lines += [f"  The data is in {data_place(settings)}", "  Press Ctrl-C to stop.", ""]
    return "\n".join(lines)


def command() -> str:
    """Return the command that started this program, so that a person can type it again in the same folder."""
    called = Path(sys.argv[0])
    if called.name != "scorekeeper":
        return "scorekeeper"
    return os.path.relpath(called) if called.is_relative_to(Path.cwd()) else str(called)


def how_to_trust(door: str, trust: Trust) -> list[str]:
    """Return the banner's lines about how to trust our certificate, with its fingerprint.

    `door` is the address of the page from which phones get the certificate.
    """
    half = len(trust.fingerprint) // 2 + 1
    return [
        f"  The first time, open {door} on the phone.",
        "  That page has the certificate and shows how to trust it, if it shows this same fingerprint:",
        f"  SHA-256  {trust.fingerprint[:half]}",
        f"           {trust.fingerprint[half:]}",
    ]


def url(host: str, port: int, scheme: str = "http") -> str:
    """Return the web address of `host` and `port`. `host` is a name or an IP address."""
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"


def network_origin(host: str, port: int, trust: Trust | None = None) -> str:
    """Return the beginning of the address at which phones reach a server on `host` and `port`; "" if they can't.

    `trust` is given if the server uses HTTPS, and has its port.
    """
    address = reachable_address(host)
    if address is None:
        return ""
    return (url(address, trust.port, "https") if trust else url(address, port)).rstrip("/")


def data_place(settings: Settings) -> str:
    """Return where the data is: the path of the SQLite file, or the address of PostgreSQL without the password."""
    database = make_url(settings.database_url)
    key = "" if database.get_backend_name() == "sqlite" else f" (key: {settings.instance})"
    return name_of(database) + key


def qr_code(text: str) -> str:
    """Return a QR code of `text` for a terminal, or "" if the terminal's encoding has no block characters.

    Each line of text shows two rows of squares. The result sets its colors explicitly, because a terminal may be light
    or dark. Phones read dark squares on a white background best.
    """
    drawn = io.StringIO()
    segno.make(text, error="l", boost_error=False, micro=False).terminal(drawn, border=2, compact=True)
    try:
        drawn.getvalue().encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return "".join(f"  {WHITE_ON_BLACK}{line}{RESET}\n" for line in drawn.getvalue().splitlines())
