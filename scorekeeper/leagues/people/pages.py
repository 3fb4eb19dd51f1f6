"""The people of a league."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead


@dataclass(frozen=True, slots=True)
class PersonLine:
    """Somebody in the list; `notes` is empty for everybody but the director."""

    id: str
    name: str
    nickname: str
    active: bool
    guest: bool
    notes: str = ""


@dataclass(frozen=True, slots=True)
class PeoplePage:
    league: LeagueHead
    people: tuple[PersonLine, ...]
    """Who plays, by name; those that `find` found where it was asked."""
    retired: tuple[PersonLine, ...]
    names: tuple[str, ...]
    """All of them, to be offered while somebody types."""
    find: str = ""
    notice: str = ""


@dataclass(frozen=True, slots=True)
class DetailsPage:
    """What the director says of somebody."""

    league: LeagueHead
    person: PersonLine


@dataclass(frozen=True, slots=True)
class MergePage:
    """Two who are one: first the question with whom, then what it will do."""

    league: LeagueHead
    person: PersonLine
    names: tuple[str, ...]
    typed: str = ""
    into: PersonLine | None = None
    effects: tuple[str, ...] = ()
    error: str = ""
