"""The race: how the score went, and what was worth remembering."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.logic.score_chart import Race


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing to remember: "Biggest set", "Bob and Dee lost 4 in hand 3"."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class RaceView:
    """The drawing of a race, with what it shows in words, and the moments."""

    drawing: Race
    title: str
    told: str
    """What the drawing shows, for who cannot see it."""
    note: str
    """What stands under it: "× set", or where the sets are to be found; empty without any."""
    goal: str
    """What the line of the target says: "to 21"."""
    moments: tuple[Moment, ...]
