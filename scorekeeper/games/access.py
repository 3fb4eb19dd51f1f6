"""Who may do what with a game."""

from __future__ import annotations


class NoSuchGameError(Exception):
    """There is no game at that address, or none that this phone may see."""


class NotYourGameError(Exception):
    """This phone may watch that game, not do that."""
