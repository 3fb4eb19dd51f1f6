"""Define the view models of the account pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A line of the account page: a browser in which the director is signed in."""

    id: int
    agent: str
    since: datetime
    seen_on: str
    here: bool


@dataclass(frozen=True, slots=True)
class EventLine:
    at: datetime
    what: str
    refused: bool
    where: str
    """Browser and network, each left out if unknown."""


@dataclass(frozen=True, slots=True)
class AccountPage:
    name: str
    fresh: bool
    """Whether the sign-in is recent enough to change the account (`SignedIn.fresh`)."""
    sessions: tuple[SessionLine, ...]
    events: tuple[EventLine, ...]
    notice: str = ""
    operator: bool = False
    """Whether the account may open the operator's page."""
