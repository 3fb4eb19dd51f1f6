"""Phones at a table, as in the room of the games."""

from tests.games.conftest import redirects_are_no_pages

__all__ = ["redirects_are_no_pages"]
