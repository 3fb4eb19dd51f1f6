"""The people of a league, with their names for pages and their merges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.i18n.sentences import isolated, join_names
from scorekeeper.leagues.core.models import PersonRow


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A person of a league; `merged_into` is the id of the person they were merged into."""

    id: int
    public_id: str
    name: str
    nickname: str
    active: bool
    guest: bool
    merged_into: int | None


@dataclass(frozen=True)
class Roster:
    """Everyone in a league by id, including merged people."""

    people: Mapping[int, RosterEntry]

    @cached_property
    def merged(self) -> Mapping[int, int]:
        """Return a map from the id of each merged person to the id of the person they were merged into."""
        return {who.id: who.merged_into for who in self.people.values() if who.merged_into is not None}

    @cached_property
    def tags(self) -> Mapping[int, str]:
        """Return the ids that stand for people in a random draw; renaming and exporting never change them."""
        return {who.id: who.public_id for who in self.people.values()}

    @cached_property
    def _by_address(self) -> Mapping[str, RosterEntry]:
        return {who.public_id: who for who in self.people.values()}

    def called(self, person: int) -> str:
        """Return the name of a person, or of the one they were merged into."""
        return self.people[self.merged.get(person, person)].name

    def named(self, person: int) -> str:
        """Return a person's name, isolated for use in a sentence."""
        return isolated(self.people[person].name)

    def names(self, people: tuple[int, ...]) -> str:
        """Return names such as "Ann and Cid", isolated for use in a sentence."""
        return join_names([self.named(person) for person in people])

    def at(self, address: str) -> str:
        """Return the name of the person with this public id, or the id itself if there is nobody."""
        who = self._by_address.get(address)
        return address if who is None else isolated(who.name)


def roster_of(session: Session, league_id: int) -> Roster:
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
    return Roster({row.id: RosterEntry(*row) for row in session.execute(query)})
