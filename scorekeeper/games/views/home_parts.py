"""Let other packages register parts of the home page, and buttons on the page for sharing a home table.

`games` doesn't import these packages, so they register functions here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class HomePart:
    """A part of the home page, with a template to include and the page model of the template.

    In the template, the model is called `part`.
    """

    template: str
    page: object


_parts: list[Callable[[], HomePart]] = []


def home_part(function: Callable[[], HomePart]) -> Callable[[], HomePart]:
    """Register `function`, which returns a part of the home page for the current phone. Return `function`."""
    _parts.append(function)
    return function


def home_parts() -> Sequence[HomePart]:
    """Return the registered parts of the home page for the current phone."""
    return [each() for each in _parts]


@dataclass(frozen=True, slots=True)
class TableWay:
    """A button on the page for sharing a home table: its label, and the page that it opens."""

    label: str
    page: PageLink


_ways: list[Callable[[], TableWay]] = []


def table_way(function: Callable[[], TableWay]) -> Callable[[], TableWay]:
    """Register `function`, which returns a button for the page for sharing a home table. Return `function`.

    The button is shown on phones that may score at the home table.
    """
    _ways.append(function)
    return function


def table_ways() -> Sequence[TableWay]:
    """Return the registered buttons of the page for sharing a home table, for the current phone."""
    return [each() for each in _ways]
