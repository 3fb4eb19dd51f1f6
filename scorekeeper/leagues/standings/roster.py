"""The people of a league: their names on pages, and who was merged into whom."""

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
    """A person of a league. If they were merged, `merged_into` is the id of the person they were merged into."""

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
        """Return the public id of each person, by row id. Random draws depend on the public ids.

        A public id never changes, even if the person is renamed or the league is exported and imported. Names and row
        ids can change.
        """
        return {who.id: who.public_id for who in self.people.values()}

    @cached_property
    def _by_address(self) -> Mapping[str, RosterEntry]:
        return {who.public_id: who for who in self.people.values()}

    def called(self, person: int) -> str:
        """Return the name of the person with this id or, if they were merged, of the person they were merged into."""
        return self.people[self.merged.get(person, person)].name

    def named(self, person: int) -> str:
        """Return the person's own name, even if they were merged.

        The name is isolated, so that it can be put into a sentence (`sentences.isolated`).
        """
        return isolated(self.people[person].name)

    def names(self, people: tuple[int, ...]) -> str:
        """Return the names of several people as one text, such as "Ann and Cid".

        Each name is isolated as in `named`.
        """
        return join_names([self.named(person) for person in people])

    def at(self, address: str) -> str:
        """Return the name of the person with the public id `address`, or `address` itself if nobody has this id."""
        who = self._by_address.get(address)
        return address if who is None else isolated(who.name)


def roster_of(session: Session, league_id: int) -> Roster:
    """Return the people of a league. Takes one query."""
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
