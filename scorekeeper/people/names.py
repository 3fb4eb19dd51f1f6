"""Compare people's names, and find the people of a table by name."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A person of a home table."""

    id: int
    name: str
    joined_into: int | None = None
    """The person that this one was merged into, who is not merged into anyone."""
    hidden: bool = False


def folded(text: str) -> str:
    """Return `text` for comparing names, without differences in case or in how accents are stored."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


def is_called(name: str, names: Sequence[str]) -> bool:
    """Return whether `name` is one of `names`, however it is typed."""
    return folded(name) in map(folded, names)


def match(names: Sequence[str], people: Sequence[KnownPerson], seated: Collection[int] = ()) -> tuple[int | None, ...]:
    """Return the id of the person with each name, None for a new person; no person is returned twice.

    The name of a merged person finds the one it was merged into, unless another seat has that person's own name.
    People in `seated` already have a seat, and are not returned.
    """
    found: list[int | None] = [None] * len(names)
    for merged in (False, True):
        for seat, name in enumerate(names):
            meant = (
                person.joined_into or person.id
                for person in people
                if (person.joined_into is not None) == merged and folded(person.name) == folded(name)
            )
            if found[seat] is None:
                found[seat] = next((person for person in meant if person not in found and person not in seated), None)
    return tuple(found)
