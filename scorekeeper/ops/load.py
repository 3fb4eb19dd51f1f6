"""Count the requests that are running in a thread, and those that wait for one."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(slots=True)
class Ticket:
    """A request that is being counted, from its arrival to the end of its response."""

    arrived: float = field(default_factory=perf_counter)
    begun: bool = False
    left: bool = False


class Load:
    """Counts the requests of one group of threads. All methods can be called from any thread."""

    def __init__(self) -> None:
        self.threads = 0
        self.waiting = 0
        self.running = 0
        self.waited: Callable[[float], object] = str
        """Function that is called for each request with the seconds that it waited for a thread."""
        self._lock = Lock()

    def arrive(self) -> Ticket:
        """Count a new request as waiting for a thread, and return its ticket."""
        with self._lock:
            self.waiting += 1
        return Ticket()

    def begin(self, ticket: Ticket) -> None:
        """Count a waiting request as running. If the request was already given up, do nothing."""
        with self._lock:
            if ticket.left:
                return
            ticket.begun = True
            self.waiting -= 1
            self.running += 1
        self.waited(perf_counter() - ticket.arrived)

    def leave(self, ticket: Ticket) -> None:
        """Stop counting a request that was answered or given up."""
        with self._lock:
            ticket.left = True
            if ticket.begun:
                self.running -= 1
            else:
                self.waiting -= 1


@dataclass(frozen=True, slots=True)
class Loads:
    """The load of a server process: one group of threads for GET and HEAD requests, and one for all other requests."""

    read: Load = field(default_factory=Load)
    """The group that answers GET and HEAD requests."""
    write: Load = field(default_factory=Load)
    """The group that answers all other requests."""
