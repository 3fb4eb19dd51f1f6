"""Values of a round: who sits where, who sits out, and how each table ended."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.rules.parts import Seating, SeatingKind
from scorekeeper.rules.table import sides_of

Seats = tuple[int, ...]
"""Person ids in the order of the seats, clockwise."""

Unit = tuple[int, ...]
"""People who stay together for the night, such as partners; lowest id first."""

KINDS: tuple[SeatingKind, ...] = ("partners", "alone", "called")


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One table of a round: its number and its people in seat order.

    `kind` is as in the rules' `Seating`: with "partners" every other seat is one side; with "alone" and "called" each
    seat is its own side.
    """

    number: int
    seats: Seats
    kind: SeatingKind = "partners"

    @property
    def sides(self) -> tuple[Seats, ...]:
        """Return the people of each side, in the order of the scores."""
        return people_by_side(self.seats, self.kind)


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """One round: its tables by number, and the people sitting out, lowest id first."""

    tables: tuple[TablePlan, ...]
    byes: tuple[int, ...] = ()

    @property
    def seated(self) -> tuple[int, ...]:
        """Return everyone who plays, table by table."""
        return tuple(person for table in self.tables for person in table.seats)

    @property
    def present(self) -> frozenset[int]:
        """Return everyone who plays or sits out."""
        return frozenset((*self.seated, *self.byes))


@dataclass(frozen=True, slots=True)
class TableResult:
    """How a table of a round ended: points by side, and the winning side (None for no winner).

    Side `s` holds every seat `i` with `i % len(points) == s`, which is how the rules make sides.
    """

    number: int
    seats: Seats
    points: tuple[int, ...]
    winner: int | None

    @property
    def sides(self) -> tuple[Seats, ...]:
        """Return the people of each side, in the order of the scores."""
        count = len(self.points)
        return tuple(self.seats[side::count] for side in range(count))


RoundResults = tuple[TableResult, ...]
"""The results of one round, in any order."""


def people_by_side(seats: Seats, kind: SeatingKind) -> tuple[Seats, ...]:
    """Return the people of each side of a table, as the rules make sides (`sides_of`)."""
    return tuple(tuple(seats[seat] for seat in side) for side in sides_of(Seating(len(seats), kind)))
