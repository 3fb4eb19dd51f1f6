"""Find and replace people's names in typed sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from scorekeeper.people.names import folded

ANONYMOUS = re.compile(r"N\. N\. (\d+)")
"""Pattern of the name that an anonymous player gets, such as "N. N. 3". It is the same in every language."""


def anonymous_name(taken: Collection[str]) -> str:
    """Return the next unused anonymous name: "N. N. 3" if the first two are `taken`."""
    found = (ANONYMOUS.fullmatch(name) for name in taken)
    return f"N. N. {1 + max((int(match[1]) for match in found if match), default=0)}"


@dataclass(frozen=True)
class Renaming:
    """Replaces the `names` of a person in sentences with `to`.

    Only whole words are replaced: "Ann" is not found in "Annual". `others` are the names of other people. A name is not
    replaced inside a longer name of another person. For example, "Ann" stays in "Ann Lee" if someone else is named Ann
    Lee.
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
    """Return `text` in its `folded` form, and a list with the index in `text` of each letter of that form.

    The list has one more item at the end: the length of `text`.
    """
    said: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        space = " " if letter.isspace() and said[-1:] != [" "] else ""
        for each in folded(letter) or space:
            said.append(each)
            places.append(place)
    return "".join(said), [*places, len(text)]


def _stands(said: str, at: int, name: str) -> bool:
    if not said.startswith(name, at):
        return False
    return not (_goes_on(said, at - 1, name[0]) or _goes_on(said, at + len(name), name[-1]))


def _goes_on(said: str, place: int, edge: str) -> bool:
    """Return True if the character next to a name belongs to the same word as the name.

    `place` is the index of that character in `said`. `edge` is the letter of the name next to that character, which is
    the first or last letter of the name.
    """
    if not 0 <= place < len(said):
        return False
    beside = said[place]
    if "W" in unicodedata.east_asian_width(beside) + unicodedata.east_asian_width(edge):
        return False  # written without spaces
    return unicodedata.category(beside) == "Mn" or (beside.isalnum() and edge.isalnum())
