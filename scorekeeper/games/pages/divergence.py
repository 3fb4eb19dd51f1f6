"""Hands that waited on a phone, beside what the score book has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TailRow:
    """One hand: what the phone says of it and what the score book has, sentences; empty where one has none."""

    number: int
    here: str
    here_score: str
    there: str
    there_score: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class TailPage:
    """What a phone wrote down without signal, and what can be done about it."""

    game_id: str
    game_name: str
    carried: bool
    """Another phone wrote it: this one read its code."""
    rows: tuple[TailRow, ...]
    """From the first waiting hand to the last hand of either; none where the score book has all of them."""
    compared: bool
    """The score book went on otherwise, so that the table has to choose."""
    here_result: str
    """Where the game stands with the phone's hands; empty where they cannot count."""
    there_result: str
    accept: str
    """What the button says that lets them count; empty where they cannot."""
    accepting: str
    """What it does, or why it cannot."""
    may_score: bool
    text: str
    """The hands in words, to be carried over by hand."""
    sent: str
    """The hands as they came, JSON."""
    version: int
    client_id: str
    notice: str = ""
