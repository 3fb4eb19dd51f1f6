"""What the pages of directors show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class SessionLine:
    """Somewhere the director is signed in."""

    id: int
    agent: str
    since: datetime
    seen_on: str
    here: bool


@dataclass(frozen=True, slots=True)
class PasskeyLine:
    id: int
    agent: str
    site: str
    made_at: datetime
    used_on: str
    """Empty for one that was never used."""


@dataclass(frozen=True, slots=True)
class EventLine:
    at: datetime
    what: str
    refused: bool
    where: str
    """Browser and network, as far as they are known."""


@dataclass(frozen=True, slots=True)
class AccountPage:
    name: str
    fresh: bool
    """Signed in so recently that the account may be changed."""
    sessions: tuple[SessionLine, ...]
    keys: tuple[PasskeyLine, ...]
    events: tuple[EventLine, ...]
    passkeys: bool
    notice: str = ""
