"""Open the listening socket, and find the address that phones can use."""

from __future__ import annotations

import errno
import ipaddress
import os
import re
import socket

from scorekeeper.ops.inspection import BootError

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
