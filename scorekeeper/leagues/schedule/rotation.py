"""Seating settings that a league chooses, and how players divide into tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from scorekeeper.leagues.schedule.plan import TableKind, Unit, teams_kind
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

Together = Literal["rotate", "fixed", "alone", "called"]
SOLO: frozenset[Together] = frozenset(("alone", "called"))
"""Values of `Rotation.together` with which each player has their own score."""

ByeCredit = Mapping[int, tuple[int, int]]
"""Pairs (byes, rounds attended) on other nights of the season, by person id; a missing person counts as (0, 0)."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """The rules for partners and table sizes, with the people to whom they apply.

    `together` is "rotate" for changing partners, "fixed" for the same partners all night, "alone" for no partners, or
    "called" if a partner is called for each hand. `sizes` are the allowed table sizes, preferred size first. With
    partners, a table has an even number of seats and two teams. With `pairs`, a table has teams of two instead.

    `units` are the fixed teams, each of which fills one side of a table. Only "fixed" uses them. `tables` has the
    number of the table that a person keeps for the night, and `names` has that person's name for messages. The keys of
    `tables` and `names` are person ids.
    """

    together: Together = "rotate"
    sizes: tuple[int, ...] = (4,)
    units: tuple[Unit, ...] = ()
    tables: Mapping[int, int] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    pairs: bool = False

    def __post_init__(self) -> None:
        """Raise `RuleViolation` with the code "sizes" or "units" if the settings do not fit together."""
        if not self.sizes or len(set(self.sizes)) != len(self.sizes) or not all(2 <= s <= 8 for s in self.sizes):
            raise RuleViolation("sizes", Phrase("A table has 2 to 8 players."), field="sizes")
        if self.together not in SOLO and any(size % 2 or size < 4 for size in self.sizes):
            raise RuleViolation("sizes", Phrase("With partners, a table has 4, 6 or 8 players."), field="sizes")
        if self.together == "fixed" and len(self.sizes) > 1:
            raise RuleViolation(
                "sizes", Phrase("With fixed partners, all tables must be the same size."), field="sizes"
            )
        if self.together == "fixed" and any(len(unit) != self.team_size for unit in self.units):
            raise RuleViolation("units", Phrase("Every team must fill one side of a table."), field="units")
        members = [person for unit in self.units for person in unit]
        if len(set(members)) != len(members):
            raise RuleViolation("units", Phrase("Someone is on two teams."), field="units")

    @property
    def team_size(self) -> int:
        """Return the number of players per team at a table of the preferred size. Use it only if there are partners."""
        return 2 if self.pairs else self.sizes[0] // 2

    def kind_at(self, size: int) -> TableKind:
        """Return the kind of a table with that many players."""
        if self.together == "alone" or self.together == "called":
            return self.together
        return teams_kind(size // 2 if self.pairs else 2)


def table_sizes(players: int, allowed: Sequence[int], *, each: int = 1) -> tuple[int, ...]:
    """Return the sizes of the tables for that many players, largest first.

    As many people play as possible. Then, tables of the first allowed size are preferred, then of the second, and so
    on. Raises `RuleViolation` with the code "too_few" if not even one table can be filled. If `players` counts teams,
    `each` is the number of people on a team; the error message uses it to count people.
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
    """Return table sizes that seat exactly `playing` people; None if there are none."""
    if not allowed:
        return () if playing == 0 else None
    size, others = allowed[0], allowed[1:]
    for count in range(playing // size, -1, -1):
        rest = _filled(playing - count * size, others)
        if rest is not None:
            return (size,) * count + rest
    return None
