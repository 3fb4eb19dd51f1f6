"""Whom a name may mean that the league does not know: a slip of the pen makes a new player, and merging is for good."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches

MOST_ASKED = 50
"""New names that are looked at: each is compared with everybody in the league."""
ALIKE = 0.8


def likely_names(new: Iterable[str], known: Collection[str]) -> Mapping[str, str]:
    """Return for each name that is not `known` whom it may mean, empty where nobody is like it."""
    plain = {_plain(name): name for name in known}
    there = {name.casefold() for name in known}
    unknown = [name for name in dict.fromkeys(new) if name.casefold() not in there]
    return {name: _like(_plain(name), plain) if place < MOST_ASKED else "" for place, name in enumerate(unknown)}


def _like(name: str, plain: Mapping[str, str]) -> str:
    if name in plain:
        return plain[name]
    if close := get_close_matches(name, plain, n=1, cutoff=ALIKE):
        return plain[close[0]]
    begins = [one for one in plain if one.split()[0:1] == [name]]
    return plain[begins[0]] if len(begins) == 1 else ""


def _plain(name: str) -> str:
    told = unicodedata.normalize("NFD", " ".join(name.casefold().split()))
    return "".join(char for char in told if not unicodedata.combining(char))
