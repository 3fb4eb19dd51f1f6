"""The socket that phones reach, and the address to tell them."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket

from scorekeeper.ops.inspection import BootError

THIS_MACHINE = "127.0.0.1"
WHOLE_HOUSE = "0.0.0.0"  # noqa: S104  only when asked for, with --lan


def bind(host: str, port: int, chosen_by: str = "--port") -> socket.socket:
    """Return a TCP socket bound to `host` and `port` (0: any free one), which are set with `chosen_by`.

    Raises `BootError`. It is bound before anything else is done, so that a port in use leaves all as it was.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise BootError(f"{host} is not an address of this machine.") from error
    listener = socket.socket(family, kind, protocol)
    if os.name != "nt":  # there it would share a port in use
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
        return f"Port {port} is in use: stop what uses it, or choose another one with {chosen_by}."
    if error.errno == errno.EACCES:
        return f"Port {port} needs more rights than you have: choose one above 1023 with {chosen_by}."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine."
    return f"Cannot listen on {host}, port {port}: {error.strerror}."


def reachable_address(host: str) -> str | None:
    """Return the address at which phones reach a server that listens on `host`; None if there is none."""
    try:
        listens = ipaddress.ip_address(host)
    except ValueError:
        return None if host == "localhost" else host
    if listens.is_loopback:
        return None
    return _own_address() if listens.is_unspecified else host


def _own_address() -> str | None:
    # Choosing a route sends nothing: it only asks which of our addresses would be used.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address
