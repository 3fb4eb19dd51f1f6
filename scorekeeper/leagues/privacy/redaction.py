"""Find names in typed texts and replace them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from scorekeeper.people.names import folded

ANONYMOUS = re.compile(r"N\. N\. (\d+)")
"""Name of an anonymous player, the same in every language."""


def anonymous_name(taken: Collection[str]) -> str:
    """Return the next unused anonymous name: "N. N. 3" if the first two are `taken`."""
    found = (ANONYMOUS.fullmatch(name) for name in taken)
    return f"N. N. {1 + max((int(match[1]) for match in found if match), default=0)}"


@dataclass(frozen=True)
class Renaming:
    """Replaces the `names` of a person in sentences with `to`.

    Only whole words are replaced, and no part of a longer name among `others`: "Ann" is not found in "Annual", nor in
    "Ann Lee" if there is an Ann Lee too.
    """

    names: frozenset[str]
    to: str
    others: frozenset[str] = frozenset()

    def in_text(self, text: str) -> str:
        """Return `text` with all `names` replaced."""
        said, places = _letters(text)
        ours = sorted({folded(name) for name in self.names if name}, key=len, reverse=True)
        theirs = sorted({folded(name) for name in self.others if name} - set(ours), key=len, reverse=True)
        told: list[str] = []
        at = copied = 0
        while at < len(said):
            own = next((name for name in ours if _stands(said, at, name)), "")
            other = next((name for name in theirs if len(name) > len(own) and _stands(said, at, name)), "")
            if own and not other:
                told += [text[copied : places[at]], self.to]
                copied = places[at + len(own)]
            at += len(other or own) or 1
        return "".join([*told, text[copied:]])


def _letters(text: str) -> tuple[str, list[int]]:
    """Return `text` folded for comparing, and for each folded letter its index in `text`, plus the end."""
    said: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        for each in folded(letter):
            said.append(each)
            places.append(place)
    return "".join(said), [*places, len(text)]


def _stands(said: str, at: int, name: str) -> bool:
    if not said.startswith(name, at):
        return False
    return not (_goes_on(said, at - 1, name[0]) or _goes_on(said, at + len(name), name[-1]))


def _goes_on(said: str, place: int, edge: str) -> bool:
    """Return True if the letter at `place` belongs to the same word as the edge of a name."""
    if not 0 <= place < len(said):
        return False
    beside = said[place]
    if "W" in unicodedata.east_asian_width(beside) + unicodedata.east_asian_width(edge):
        return False  # written without spaces
    return unicodedata.category(beside) == "Mn" or (beside.isalnum() and edge.isalnum())
