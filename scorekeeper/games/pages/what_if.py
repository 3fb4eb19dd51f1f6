"""Models of the page that shows how a game would have ended with other rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OtherEnd:
    """How the recorded hands would have ended with another rule."""

    rule: str
    """The rule as a sentence, such as "Win by 2."."""
    side: int | None
    """The side that would have won; None if nobody would have won yet, or at all."""
    letter: str
    """Letter of that side, or ""."""
    winner: str
    """Name of that side, or why there is none."""
    different: bool
    """Whether that side lost the game as it was played."""
    score: str
    hands: int
    """Number of the last hand that would have counted, from 1."""


@dataclass(frozen=True, slots=True)
class WhatIfPage:
    """The end of a game with other rules, one at a time."""

    game_id: str
    ended: str
    """The winner and why, in a sentence or two; empty before the end."""
    ends: tuple[OtherEnd, ...]
    """The rules with which the game would have ended otherwise."""
    same: tuple[str, ...]
    """The rules with which the same side would have won after the same hand, as sentences."""
    missing: str = ""
    """Why the game can't be replayed with other rules; empty if it can."""
