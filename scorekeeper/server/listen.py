"""Open the listening socket, and find the addresses that phones can use.

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
from enum import IntEnum
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


class Reach(IntEnum):
    """How likely phones reach this computer at one of its addresses, the likeliest first."""

    HOUSE = 0
    """An address of a network in the house."""
    TUNNEL = 1
    """A VPN: only devices that joined it can reach this address."""
    PUBLIC = 2
    """An address of the internet."""
    HIDDEN = 3
    """An address that is never printed, because phones can't use it or people can't know when they can.

    These are loopback, networks of virtual machines and containers on this computer, networks without a connection,
    and addresses that a computer gave itself because its network gave it none.
    """


VIRTUAL = re.compile(
    r"docker|br-[0-9a-f]{12}|podman|cni|virbr|lxcbr|lxdbr|vmnet|vboxnet|vEthernet|VMware|VirtualBox", re.IGNORECASE
)
"""Pattern of the beginning of interface names of virtual machines and containers, for Linux, macOS and Windows."""


def listens_everywhere(host: str) -> bool:
    """Return whether a server that listens on `host` listens on all addresses of this computer."""
    return host in {"0.0.0.0", "::"}  # noqa: S104  compared, not listened on


def reachable_addresses(host: str) -> list[str]:
    """Return the addresses at which phones reach a server that listens on `host`, the likeliest first."""
    try:
        listens = ipaddress.ip_address(host)
    except ValueError:
        return [] if host == "localhost" else [host]
    if listens.is_loopback:
        return []
    if not listens.is_unspecified:
        return [host]
    found = [(kind, address) for kind, address in own_addresses(listens.version) if kind is not Reach.HIDDEN]
    return [address for kind, address in found if kind <= max(found[0][0], Reach.TUNNEL)]


def own_addresses(version: int = 4) -> list[tuple[Reach, str]]:
    """Return the IP addresses of this computer's interfaces, the likeliest first.

    Version 4 gives IPv4 addresses only, and version 6 both. Link-local IPv6 addresses are left out, since no browser
    opens them. Among addresses of the same kind, the one of the default route is first: phones in the house reach it
    from all networks that this computer connects.
    """
    # Imported here: a start without --lan shouldn't wait for it.
    import psutil

    main = _of_default_route()
    try:
        interfaces, states = psutil.net_if_addrs(), psutil.net_if_stats()
    except OSError:  # a sandbox doesn't let us ask
        return [(Reach.HOUSE, main)] if main else []
    families = {socket.AF_INET, socket.AF_INET6} if version == 6 else {socket.AF_INET}
    found = []
    for name, addresses in interfaces.items():
        state = states.get(name)
        for each in addresses:
            if each.family in families and "%" not in each.address:
                flags = state.flags if state and state.isup else None
                kind = kind_of(name, flags, each.address, each.netmask)
                found.append((kind, ":" in each.address, each.address != main, each.address))
    return [(kind, address) for kind, _, _, address in sorted(found, key=lambda each: each[:3])]


def kind_of(name: str, flags: str | None, address: str, netmask: str | None) -> Reach:
    """Return how likely phones reach an IP address of the interface `name`.

    `flags` are the interface's flags as psutil names them, which are empty on Windows, and None if the interface isn't
    connected.
    """
    own = ipaddress.ip_address(address)
    if flags is None or own.is_loopback or own.is_link_local or VIRTUAL.match(name):
        return Reach.HIDDEN
    if own.is_global:
        return Reach.PUBLIC
    return Reach.TUNNEL if "pointopoint" in flags or netmask == "255.255.255.255" else Reach.HOUSE


def announced_name() -> str | None:
    """Return the name under which this computer announces itself on the network, such as "hall-pc.local".

    This is the name of multicast DNS (RFC 6762), made of the first part of the host name. Whether the computer really
    announces it depends on its system and isn't checked. Return None if the host name can't be used for it.
    """
    machine = socket.gethostname().partition(".")[0].lower()
    return f"{machine}.local" if LABEL.fullmatch(machine) and machine != "localhost" else None


def _of_default_route() -> str | None:
    """Return the IPv4 address from which this computer reaches the internet, or None if it doesn't."""
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
NO_NETWORK = (
    "  This computer isn't on a network. Phones can open Scorekeeper once it is on the same Wi-Fi as they are.",
    "  From then on, the links and QR codes on Scorekeeper's pages have its address.",
)
OTHER_NETWORKS = "  Phones on another network of this computer open"


def banner(host: str, port: int, addresses: list[str], settings: Settings, trust: Trust | None = None) -> str:
    """Return the text of the banner: the server's address, how phones can open it, and where the data is stored.

    The server listens on `host`. `addresses` are the server's addresses for phones, the likeliest first; none if phones
    can't reach the server. If the server listens on all addresses, the banner also has the name under which this
    computer may announce itself. If `trust` is given, the server uses HTTPS, and `port` is the port of the plain-http
    page that explains how to trust the certificate.
    """
    address = addresses[0] if addresses else None
    everywhere = listens_everywhere(host)

    def home(name: str) -> str:
        return url(name, trust.port, "https") if trust else url(name, port)

    lines = ["", "  Scorekeeper is running."]
    if address is None or everywhere:
        lines += [f"  On this machine   {home('127.0.0.1' if everywhere else host)}"]
    if address is not None:
        # With HTTPS, too, a phone opens the plain page first, which leads on.
        lines += [f"  On every phone    {url(address, port)}", "", qr_code(url(address, port))]
        lines += ["  Phones must be on the same network (your Wi-Fi)."]
        if addresses[1:]:
            lines += [OTHER_NETWORKS, *(f"                    {url(other, port)}" for other in addresses[1:])]
        if everywhere and (name := announced_name()):
            lines += [line.format(home(name)) for line in BY_NAME]
    else:
        lines += ["", *(NO_NETWORK if everywhere else [HOW_TO_LET_PHONES_IN.format(command())])]
    if trust:
        door = url(address or ("ADDRESS" if everywhere else host), port)
        unknown = ", with this computer's address," if address is None and everywhere else ""
        lines += ["", *how_to_trust(door + unknown, trust), ""]
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
    addresses = reachable_addresses(host)
    if not addresses:
        return ""
    return (url(addresses[0], trust.port, "https") if trust else url(addresses[0], port)).rstrip("/")


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
