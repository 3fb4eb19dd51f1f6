"""The model of the page for the note and the photo of a hand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HandNotePage:
    """The note on a hand, and the photo of its cards."""

    game_id: str
    seq: int
    """The hand, by its place in the log."""
    number: int
    said: str
    """The saved hand, a sentence."""
    text: str
    photo: str
    """The key of the photo; empty without one."""
    longest: int
    """Characters of the longest note."""
    version: int
    client_id: str
    error: str = ""
