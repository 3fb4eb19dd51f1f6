"""What the pages of directors show."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class DoorPage:
    """Signing in or up, or opening an account in another way: what was typed, and what is wrong with it."""

    back: str = ""
    """The page to go on to; empty for the account itself."""
    name: str = ""
    notice: str = ""
    errors: dict[str, str] = field(default_factory=dict)
    """Field to what is wrong with it."""
    code: str = ""
    """The printed code as it was typed: 28 letters are not typed twice for one slip, or for a short password."""


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
    errors: dict[str, str] = field(default_factory=dict)
