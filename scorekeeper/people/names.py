"""Compare people's names, and find the people of a home table by name."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scorekeeper.rules.record import tidy_name
from scorekeeper.web.alike import likely_names


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A person of a home table."""

    id: int
    name: str
    joined_into: int | None = None
    """Id of the person whom this person was merged into; None if not merged. It is never the id of a merged person."""
    hidden: bool = False


def folded(text: str) -> str:
    """Return `text` in a form for comparing names, without differences in case, spaces or how accents are stored."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", tidy_name(text)).casefold())


def is_called(name: str, names: Sequence[str]) -> bool:
    """Return whether `name` is in `names`. Differences in case or in how accents are stored don't count."""
    return folded(name) in map(folded, names)


def look_alike(
    names: Sequence[str], people: Sequence[KnownPerson], sure: Collection[str] = ()
) -> tuple[int, str] | None:
    """Return the place in `names` of a new name that looks like a person's name, and that person's name; None if none.

    `sure` has new names that are someone else for certain. People who are in `names` themselves can't be meant.
    """
    told, everybody = set(map(folded, names)), {folded(person.name) for person in people}
    others = [person.name for person in people if not (person.hidden or person.joined_into)]
    others = [name for name in others if folded(name) not in told]
    for place, name in enumerate(names):
        if folded(name) in everybody or is_called(name, list(sure)):
            continue
        if likely := likely_names([name], others)[name]:
            return place, likely[0]
    return None


def match(names: Sequence[str], people: Sequence[KnownPerson], seated: Collection[int] = ()) -> tuple[int | None, ...]:
    """Return the id of the person for each of `names`, or None for a new name. No id is returned twice.

    The name of a merged person finds the person they were merged into, unless that person's own name is also in
    `names`. `seated` has the ids of people who already have a seat, and these ids are never returned.
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
