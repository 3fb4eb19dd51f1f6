"""Limit the host names under which the server makes pages of open clubs.

These pages contain their own address, so each name and each port in the `Host` header is another page. Anyone can make
up ports, house names and addresses. Names of this server without a port, and the address at which the request arrived,
always count. Of all others, as with a router that forwards a port, `MOST` count at a time.
"""

from __future__ import annotations

from collections.abc import Collection
from time import monotonic
from typing import TYPE_CHECKING

from scorekeeper.web.hosts import is_of_a_house, name_of

if TYPE_CHECKING:
    from scorekeeper.server.request_body import Scope

MOST = 8
"""How many other hosts count at a time, in each process."""
IDLE = 600.0
"""Seconds after which a host that nobody used makes room for another one."""


class OpenHosts:
    """The hosts that were used lately. `names` are the internet names of this server, in lower case."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = frozenset(names)
        self.used: dict[str, float] = {}

    def admitted(self, scope: Scope, now: float | None = None) -> Scope:
        """Return the request with its own host, or with one of this server if there are too many other hosts.

        A host that the application refuses stays as it is. `now` is in seconds of any clock that doesn't go back.
        """
        said = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "").lower()
        name = name_of(said)
        if not (name in self.names or is_of_a_house(name)):
            return scope
        own = name if name in self.names else address_of(scope)
        host = (
            said
            if said in (own, address_of(scope)) or self.has_room(said, monotonic() if now is None else now)
            else own
        )
        others = (each for each in scope["headers"] if each[0] != b"host")
        return {**scope, "headers": [(b"host", host.encode("latin-1")), *others]}

    def has_room(self, host: str, now: float) -> bool:
        """Return whether this host is tracked or there is room to track it, and remember that it was used."""
        if host not in self.used and len(self.used) >= MOST:
            oldest = min(self.used, key=self.used.__getitem__)
            if now - self.used[oldest] < IDLE:
                return False
            del self.used[oldest]
        self.used[host] = now
        return True


def address_of(scope: Scope) -> str:
    """Return the address and port at which the server got a request, as in a `Host` header."""
    address, port = scope.get("server") or ("localhost", None)
    name = f"[{address}]" if ":" in address else address
    return f"{name}:{port}" if port else "localhost"
