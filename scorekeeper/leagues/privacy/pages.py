"""The page that says what making somebody anonymous will do."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead
from scorekeeper.leagues.people.pages import PersonLine


@dataclass(frozen=True, slots=True)
class Reworded:
    """A text as it reads now and as it will read."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class AnonymousPage:
    """What will happen to somebody's name; `to` is empty where it is gone already."""

    league: LeagueHead
    person: PersonLine
    to: str
    names: tuple[str, ...]
    """What they were ever called."""
    effects: tuple[str, ...]
    texts: tuple[Reworded, ...]
    """What people wrote and that names them."""
    more: int
    """How many more of these there are."""
    titles: tuple[Reworded, ...]
    """The same for names of the league, its seasons and pots."""
    client_id: str
    reason: str = ""
    error: str = ""
