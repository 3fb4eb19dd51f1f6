"""Seating settings that a league chooses, and how players divide into tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

Together = Literal["rotate", "fixed", "alone"]

ByeCredit = Mapping[int, tuple[int, int]]
"""(byes, rounds attended) of the season so far, by person id; (0, 0) for anyone missing."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """How partners are made, and how many players sit at a table.

    `together`: partners that "rotate", "fixed" partners for the night, or everyone "alone". `sizes` are the allowed
    table sizes, preferred first; a table of partners has an even number of seats. `units` are the fixed teams, each
    filling one side (three people at tables of six); only "fixed" uses them. `tables` has the number of the table that
    someone keeps for the night, and `names` their name for messages, both by the id of that person.
    """

    together: Together = "rotate"
    sizes: tuple[int, ...] = (4,)
    units: tuple[Unit, ...] = ()
    tables: Mapping[int, int] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise `RuleViolation` ("sizes" or "units") for settings that do not fit together."""
        if not self.sizes or len(set(self.sizes)) != len(self.sizes) or not all(2 <= s <= 8 for s in self.sizes):
            raise RuleViolation("sizes", Phrase("A table has 2 to 8 players."), field="sizes")
        if self.together != "alone" and any(size % 2 or size < 4 for size in self.sizes):
            raise RuleViolation("sizes", Phrase("With partners, a table has 4, 6 or 8 players."), field="sizes")
        if self.together == "fixed" and len(self.sizes) > 1:
            raise RuleViolation(
                "sizes", Phrase("With fixed partners, all tables must be the same size."), field="sizes"
            )
        if self.together == "fixed" and any(len(unit) != self.sizes[0] // 2 for unit in self.units):
            raise RuleViolation("units", Phrase("Every team must fill one side of a table."), field="units")
        members = [person for unit in self.units for person in unit]
        if len(set(members)) != len(members):
            raise RuleViolation("units", Phrase("Someone is on two teams."), field="units")


def table_sizes(players: int, allowed: Sequence[int], *, each: int = 1) -> tuple[int, ...]:
    """Return the size of each table for that many players, largest first.

    As many people play as possible; then tables of the first allowed size are preferred, then of the second, and so
    on. Raises `RuleViolation` ("too_few") if not even one table can be filled; its message multiplies by `each`, the
    people per player or team.
    """
    for playing in range(players, min(allowed) - 1, -1):
        found = _filled(playing, tuple(allowed))
        if found is not None:
            return tuple(sorted(found, reverse=True))
    message = Phrase(
        "Not enough players: %(here)s here, and a table needs %(least)s.",
        here=players * each,
        least=min(allowed) * each,
    )
    raise RuleViolation("too_few", message)


def _filled(playing: int, allowed: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return table sizes that seat exactly that many, or None if there are none."""
    if not allowed:
        return () if playing == 0 else None
    size, others = allowed[0], allowed[1:]
    for count in range(playing // size, -1, -1):
        rest = _filled(playing - count * size, others)
        if rest is not None:
            return (size,) * count + rest
    return None
