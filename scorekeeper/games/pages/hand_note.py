"""The model of the page for the note and the photo of a hand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HandNotePage:
    """The note on a hand, and the photo of its cards."""

    game_id: str
    seq: int
    """Log position of the hand."""
    number: int
    said: str
    """The saved hand, in sentences."""
    text: str
    photo: str
    """The key of the photo; empty without one."""
    longest: int
    """Maximum number of characters of a note."""
    version: int
    client_id: str
    error: str = ""
