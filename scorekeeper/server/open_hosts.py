"""Limit how many host names the server uses in pages of open clubs (leagues with public pages).

These pages contain their own address, so the cache has a separate page for each name and port in the `Host` header, and
anyone can make up ports, local names and addresses. The names of this server without a port, and the address at which a
request arrived, are always accepted. Of all other hosts, as with a router that forwards a port, `MOST` are accepted at
a time.
"""

from __future__ import annotations

from collections.abc import Collection
from time import monotonic
from typing import TYPE_CHECKING

from scorekeeper.web.hosts import is_of_a_house, name_of

if TYPE_CHECKING:
    from scorekeeper.server.request_body import Scope

MOST = 8
"""Maximum number of hosts that each process accepts at a time, in addition to those that are always accepted."""
IDLE = 600.0
"""Seconds without a request after which a host may be replaced by a new one."""


class OpenHosts:
    """Remembers which host names recent requests used, apart from the host names that are always accepted.

    Only a limited number of these other hosts are accepted at a time. `names` are this server's names on the internet,
    in lower case.
    """

    def __init__(self, names: Collection[str]) -> None:
        self.names = frozenset(names)
        self.used: dict[str, float] = {}

    def admitted(self, scope: Scope, now: float | None = None) -> Scope:
        """Return the request `scope`, with a host of this server if the request's host isn't accepted.

        A host isn't accepted if too many other hosts are in use. If the application will refuse the host anyway, the
        request is returned unchanged. `now` is a time in seconds from a clock that never goes back.
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
        """Return whether `host` is accepted.

        A host is accepted if it was used recently, or if room for another host is left. For an accepted host, `now` is
        stored as the time of its last use.
        """
        if host not in self.used and len(self.used) >= MOST:
            oldest = min(self.used, key=self.used.__getitem__)
            if now - self.used[oldest] < IDLE:
                return False
            del self.used[oldest]
        self.used[host] = now
        return True


def address_of(scope: Scope) -> str:
    """Return the server's address and port at which a request arrived, in the form of a `Host` header."""
    address, port = scope.get("server") or ("localhost", None)
    name = f"[{address}]" if ":" in address else address
    return f"{name}:{port}" if port else "localhost"
