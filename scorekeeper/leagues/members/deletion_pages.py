"""The page that says what deleting an account will do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Held:
    """What somebody is to a league."""

    league: str
    """Public id."""
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class LeavingPage:
    name: str
    """Of the account."""
    held: tuple[Held, ...]
    error: str = ""
