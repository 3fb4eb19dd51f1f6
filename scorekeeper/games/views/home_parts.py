"""Parts of the home page that other packages add. Games import nothing of them, so they register functions here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


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
