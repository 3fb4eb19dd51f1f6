"""Open the listening socket, and find the address that phones can use."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket

from scorekeeper.ops.inspection import BootError

THIS_MACHINE = "127.0.0.1"
WHOLE_HOUSE = "0.0.0.0"  # noqa: S104  only when asked for, with --lan


def bind(host: str, port: int, chosen_by: str = "--port") -> socket.socket:
    """Return a TCP socket bound to `host` and `port` (0: any free one); the option `chosen_by` sets the port.

    Raises `BootError`. Call it before anything else, so that nothing changes if the port is in use.
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
    """Return the address at which phones reach a server that listens on `host`, or None."""
    try:
        listens = ipaddress.ip_address(host)
    except ValueError:
        return None if host == "localhost" else host
    if listens.is_loopback:
        return None
    return _own_address() if listens.is_unspecified else host


def _own_address() -> str | None:
    # Connecting a UDP socket sends nothing; it only chooses the local address.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address
