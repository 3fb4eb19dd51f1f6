"""Let other packages add to the home page and to the page of a home table.

`games` imports nothing from them, so they register functions here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class HomePart:
    """A template that the home page includes, and its page model (`part` in the template)."""

    template: str
    page: object


_parts: list[Callable[[], HomePart]] = []


def home_part(function: Callable[[], HomePart]) -> Callable[[], HomePart]:
    """Register a function that makes a part of the home page for the phone that asks."""
    _parts.append(function)
    return function


def home_parts() -> Sequence[HomePart]:
    """Return the parts for this request."""
    return [each() for each in _parts]


@dataclass(frozen=True, slots=True)
class TableWay:
    """A button on the page on which a home table is shared."""

    label: str
    page: PageLink


_ways: list[Callable[[], TableWay]] = []


def table_way(function: Callable[[], TableWay]) -> Callable[[], TableWay]:
    """Register a function that makes a button for phones that may score at the home table."""
    _ways.append(function)
    return function


def table_ways() -> Sequence[TableWay]:
    """Return the buttons for this request."""
    return [each() for each in _ways]
