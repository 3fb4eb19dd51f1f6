"""Compare people's names, and find which people the names at a table belong to."""

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
    """The person that this one was merged into, who is no merged person."""
    hidden: bool = False


def folded(text: str) -> str:
    """Return `text` for comparing names, without differences in case or in how accents are stored."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


def match(names: Sequence[str], people: Sequence[KnownPerson], seated: Collection[int] = ()) -> tuple[int | None, ...]:
    """Return the id of the person that each name belongs to, None for a new person; nobody is found twice.

    The name of a merged person finds the one it was merged into, unless another seat has that person's own name.
    `seated` are people who have a seat already, and are not found.
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
