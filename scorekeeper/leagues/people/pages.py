"""View models of the pages about players of a league."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A player in the list. `notes` is empty unless the reader is an owner."""

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
    """Active players by name, only those that match `find` if it is given."""
    retired: tuple[PersonLine, ...]
    names: tuple[str, ...]
    """All names, as suggestions while typing."""
    find: str = ""
    notice: str = ""


@dataclass(frozen=True, slots=True)
class DetailsPage:
    """The page to change the details of a player."""

    league: LeagueHead
    person: PersonLine


@dataclass(frozen=True, slots=True)
class MergePage:
    """The page to merge a duplicate: first the choice, then a review of the effects."""

    league: LeagueHead
    person: PersonLine
    names: tuple[str, ...]
    typed: str = ""
    into: PersonLine | None = None
    effects: tuple[str, ...] = ()
    error: str = ""
