"""Who works for a league, an invitation to do so, and what goes with an account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from scorekeeper.leagues.core.header import LeagueHead


@dataclass(frozen=True, slots=True)
class RoleChoice:
    """A role to choose, with what it allows."""

    value: str
    label: str
    says: str


@dataclass(frozen=True, slots=True)
class Member:
    """An account with a role."""

    id: int
    name: str
    called: str
    """Whom the owner meant, where that is another name."""
    role: str
    label: str
    since: datetime
    me: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """An invitation that nobody used yet."""

    id: int
    called: str
    label: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class RolesPage:
    league: LeagueHead
    device: bool
    """A device owns the league without an account."""
    by_device: bool
    """It is this one."""
    members: tuple[Member, ...]
    waiting: tuple[Waiting, ...]
    choices: tuple[RoleChoice, ...]
    device_error: str = ""


@dataclass(frozen=True, slots=True)
class InvitationLinkPage:
    """An invitation that was just made."""

    league: LeagueHead
    called: str
    label: str
    says: str
    url: str
    code: Markup
    days: int
    note: str
    """What stands in the way of other phones."""


@dataclass(frozen=True, slots=True)
class InvitationPage:
    """What an invitation says to whom it was sent."""

    league: str
    label: str
    says: str
    secret: str
    signed_in: str
    """Name of the account that is signed in, or empty."""


@dataclass(frozen=True, slots=True)
class Held:
    """What somebody is to a league."""

    league: str
    """Public id."""
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class LeavingPage:
    """What goes with an account that is deleted."""

    name: str
    """Of the account."""
    held: tuple[Held, ...]
    error: str = ""
