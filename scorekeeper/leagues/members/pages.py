"""View models of the pages for roles, invitations and deleting an account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from scorekeeper.leagues.core.header import LeagueHead


@dataclass(frozen=True, slots=True)
class RoleChoice:
    """A role that can be chosen, with a description of its rights."""

    value: str
    label: str
    says: str


@dataclass(frozen=True, slots=True)
class Member:
    """An account with a role in the league."""

    id: int
    name: str
    called: str
    """Name that the league's owner gave to the person; empty if it is the same as the account's name."""
    role: str
    label: str
    since: datetime
    me: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """An open invitation, which nobody has accepted yet."""

    id: int
    called: str
    label: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class RolesPage:
    league: LeagueHead
    device: bool
    """True if a device owns the league, even when nobody is signed in on that device."""
    by_device: bool
    """True if the device that owns the league is the reader's device."""
    members: tuple[Member, ...]
    waiting: tuple[Waiting, ...]
    choices: tuple[RoleChoice, ...]
    device_error: str = ""


@dataclass(frozen=True, slots=True)
class InvitationLinkPage:
    """The page that shows the link of a new invitation."""

    league: LeagueHead
    called: str
    label: str
    says: str
    url: str
    code: Markup
    days: int
    note: str
    """Warning that other phones can't open the link; empty if they can."""


@dataclass(frozen=True, slots=True)
class InvitationPage:
    """The page that a person opens with an invitation link."""

    league: str
    label: str
    says: str
    secret: str
    signed_in: str
    """Name of the signed-in account, or empty."""


@dataclass(frozen=True, slots=True)
class Held:
    """A role that an account has in a league."""

    league: str
    """Public id of the league."""
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class LeavingPage:
    """The page that asks for confirmation before an account is deleted."""

    name: str
    """Name of the account."""
    held: tuple[Held, ...]
    error: str = ""
