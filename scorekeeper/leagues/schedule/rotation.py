"""How the seats of a night are drawn: the settings a league chooses from, and the sizes of the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

Together = Literal["rotate", "fixed", "alone"]

ByeCredit = Mapping[int, tuple[int, int]]
"""Person to (byes, rounds attended) of the season so far; who is missing has (0, 0)."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """Who is with whom, and how many sit at a table.

    `together`: partners that "rotate", "fixed" partners for the night, or everybody "alone". `sizes` are the table
    sizes allowed, the one the league likes best first; a table of partners has an even number of seats. `units` are
    the fixed partners, two (or three, at tables of six) people each; only "fixed" reads them.
    """

    together: Together = "rotate"
    sizes: tuple[int, ...] = (4,)
    units: tuple[Unit, ...] = ()

    def __post_init__(self) -> None:
        """Raise `RuleViolation` for sizes that cannot be: "sizes", with a sentence."""
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

    As many play as can; among those ways the one with the most tables of the size named first, then of the second,
    and so on. Raises `RuleViolation` ("too_few") where not even one table is filled; its
    sentence counts `each` for one.
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
    """The tables that seat exactly that many, None where no number of tables does."""
    if not allowed:
        return () if playing == 0 else None
    size, others = allowed[0], allowed[1:]
    for count in range(playing // size, -1, -1):
        rest = _filled(playing - count * size, others)
        if rest is not None:
            return (size,) * count + rest
    return None
