"""Leagues, their seasons, and their log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.leagues.core.roles import Role


@dataclass(frozen=True, slots=True)
class LeagueCard:
    """A league in the list of those where who asks has a role."""

    id: str
    name: str
    people: int
    season: str
    """Name of the running season, or empty."""
    demo: bool


@dataclass(frozen=True, slots=True)
class LeaguesPage:
    leagues: tuple[LeagueCard, ...]
    client_id: str
    name: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class LeagueHead:
    """What every page of a league names."""

    id: str
    name: str
    role: Role
    """What who asks is to it."""

    @property
    def helps(self) -> bool:
        """Return whether who asks may work at the desk of its nights."""
        return self.role >= Role.HELPER

    @property
    def directs(self) -> bool:
        """Return whether who asks may do all of a night."""
        return self.role >= Role.DIRECTOR

    @property
    def owns(self) -> bool:
        """Return whether who asks may change the league, its money and its people."""
        return self.role >= Role.OWNER


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """A season in a list."""

    id: str
    name: str
    nights: int
    first: str
    last: str
    """The days of the first and the last night, empty without one."""
    running: bool
    open_night: str
    """Address of the night that is open, or empty."""


@dataclass(frozen=True, slots=True)
class LeaguePage:
    league: LeagueHead
    people: int
    running: tuple[SeasonCard, ...]
    past: tuple[SeasonCard, ...]
    demo: bool
    role: str
    """What who asks is to it, in words."""
    in_account: bool | None
    """Whether the director who is signed in keeps it in an account; None for whoever else looks at it."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a league's log, in words."""

    when: datetime
    who: str
    what: str
    night: str
    """"Night 3", or empty."""
    before: str
    after: str
    """Both empty where `what` says it all."""
    reason: str


@dataclass(frozen=True, slots=True)
class LedgerPage:
    league: LeagueHead
    lines: tuple[LogLine, ...]
    older: int | None
    """What to ask for to see the lines before these; None where there are none."""
    night: str = ""
    """Address of the night of which alone these are; empty for the whole log."""
    night_title: str = ""
