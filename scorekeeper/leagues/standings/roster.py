"""Who is who in a league: the people as pages name them, and who turned out to be whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.leagues.core.models import PersonRow


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody of a league; `merged_into` is the id of the person they turned out to be."""

    id: int
    public_id: str
    name: str
    nickname: str
    active: bool
    guest: bool
    merged_into: int | None


@dataclass(frozen=True)
class Book:
    """Everybody of a league by id, merged ones too."""

    people: Mapping[int, Who]

    @cached_property
    def merged(self) -> Mapping[int, int]:
        """Return whom each of those who were merged turned out to be."""
        return {who.id: who.merged_into for who in self.people.values() if who.merged_into is not None}

    @cached_property
    def tags(self) -> Mapping[int, str]:
        """Return the words that stand for people in a draw by lot: no renaming and no export changes them."""
        return {who.id: who.public_id for who in self.people.values()}

    @cached_property
    def _by_address(self) -> Mapping[str, Who]:
        return {who.public_id: who for who in self.people.values()}

    def named(self, person: int) -> str:
        """Return a person's name, fit to stand in a sentence."""
        return isolated(self.people[person].name)

    def names(self, people: tuple[int, ...]) -> str:
        """Return "Ann and Cid", fit to stand in a sentence."""
        return join_names([self.named(person) for person in people])

    def at(self, address: str) -> str:
        """Return the name of the person at an address, the address itself where nobody is."""
        who = self._by_address.get(address)
        return address if who is None else isolated(who.name)


def book_of(session: Session, league_id: int) -> Book:
    """Return the people of a league; one query."""
    query = select(
        PersonRow.id,
        PersonRow.public_id,
        PersonRow.name,
        PersonRow.nickname,
        PersonRow.active,
        PersonRow.guest,
        PersonRow.merged_into,
    ).where(PersonRow.league_id == league_id)
    return Book({row.id: Who(*row) for row in session.execute(query)})
