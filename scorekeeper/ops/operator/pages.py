"""View models of the operator's page."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ServerState:
    """How the server is doing. What can't be found out is None."""

    version: str
    wrong: tuple[str, ...]
    """Each part of the server that has failed, in words; empty if all is well."""
    database: int | None
    """Size of the database in bytes."""
    free: int | None
    """Free disk space in bytes."""
    backup: datetime | None
    """When the newest backup was made."""
    paused_because: str | None
    """The sentence for players in maintenance mode, which may be empty; None if the mode is off."""


@dataclass(frozen=True, slots=True)
class LeagueSize:
    """A league and how much it has stored."""

    id: str
    name: str
    made_at: datetime
    slug: str
    """Readable part of its public address; empty if the league isn't public."""
    off_because: str | None
    """Why the league is turned off; None if it is on."""
    players: int
    seasons: int
    nights: int
    games: int
    """Tables of all rounds, with or without a result."""
    last_night: str
    """Date of the latest night in the reader's language, or empty."""


@dataclass(frozen=True, slots=True)
class ServerPage:
    state: ServerState
    leagues: tuple[LeagueSize, ...]
    found: int
    """How many leagues the search found, on all pages."""
    number: int
    """Number of the page, from 1."""
    more: bool
    """Whether there is another page after this one."""
    search: str
    fresh: bool
    """Whether the operator signed in recently enough to change something."""
    errors: dict[str, str] = field(default_factory=dict)
    """Error messages, by id of a league."""


@dataclass(frozen=True, slots=True)
class DirectorLink:
    """The link with which a new director opens their account."""

    name: str
    url: str
    code: str
    """QR code of the link, as SVG."""
    days: int
    note: str
    """A warning that the address works only on this machine, or empty."""
