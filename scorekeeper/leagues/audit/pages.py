"""The history of a league, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.leagues.core.header import LeagueHead


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
