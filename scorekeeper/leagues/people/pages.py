"""View models of the pages about players of a league."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A player in the list. `notes` is empty unless the viewer is an owner."""

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
    """Active players, sorted by name. If `find` isn't empty, only players whose name or nickname contains it."""
    retired: tuple[PersonLine, ...]
    names: tuple[str, ...]
    """Names of all players, including retired ones, to suggest while the reader types in the search field."""
    find: str = ""
    notice: str = ""


@dataclass(frozen=True, slots=True)
class DetailsPage:
    """The page for changing the details of a player."""

    league: LeagueHead
    person: PersonLine


@dataclass(frozen=True, slots=True)
class MergePage:
    """The page for merging a duplicate into another player.

    The page first asks for the other player, and then lists the effects of the merge.
    """

    league: LeagueHead
    person: PersonLine
    names: tuple[str, ...]
    typed: str = ""
    into: PersonLine | None = None
    effects: tuple[str, ...] = ()
    error: str = ""
