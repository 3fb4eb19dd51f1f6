"""Names found in what people wrote, and another one put in their place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from scorekeeper.leagues.people.identity import folded

ANONYMOUS = re.compile(r"N\. N\. (\d+)")
"""What somebody is called whose name was taken away; no language says it in another way."""


def anonymous_name(taken: Collection[str]) -> str:
    """Return the next name for somebody without one, "N. N. 3" where two are `taken`."""
    found = (ANONYMOUS.fullmatch(name) for name in taken)
    return f"N. N. {1 + max((int(match[1]) for match in found if match), default=0)}"


@dataclass(frozen=True)
class Renaming:
    """The `names` of somebody, as they stand in sentences, become `to`.

    Only whole words are names, and nothing that is part of a longer name among `others`: "Ann" is not in "Ann Lee"
    where there is an Ann Lee too, nor in "Annual".
    """

    names: frozenset[str]
    to: str
    others: frozenset[str] = frozenset()

    def in_text(self, text: str) -> str:
        """Return `text` with every one of the names replaced."""
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
    """Return `text` as it is compared, and for each letter of that the place in `text`; one more for its end."""
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
    """Whether the letter at `place` and the one at the edge of a name are of one word."""
    if not 0 <= place < len(said):
        return False
    beside = said[place]
    if "W" in unicodedata.east_asian_width(beside) + unicodedata.east_asian_width(edge):
        return False  # written without spaces
    return unicodedata.category(beside) == "Mn" or (beside.isalnum() and edge.isalnum())
