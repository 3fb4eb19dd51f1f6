"""Values of a round: who sits where, who sits out, and how each table ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorekeeper.rules.parts import Seating
from scorekeeper.rules.table import Table, sides_of

Seats = tuple[int, ...]
"""Person ids in the order of the seats, clockwise."""

Unit = tuple[int, ...]
"""People who stay together for the night, such as partners; lowest id first."""

TableKind = Literal["partners", "partners3", "partners4", "alone", "called"]
"""How a table is seated. The first three kinds are two, three and four teams of partners.

With "alone", each player is a separate side. With "called", each player has their own score, and the bidder calls a
partner for each hand.
"""
_TEAMS: dict[int, TableKind] = {2: "partners", 3: "partners3", 4: "partners4"}
KINDS: tuple[TableKind, ...] = (*_TEAMS.values(), "alone", "called")


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One card table of a round: its number, and its people in seat order.

    `kind` says which seats form a side: every second seat with "partners", every third seat with "partners3", every
    fourth seat with "partners4". With "alone" and "called", each seat is a separate side.
    """

    number: int
    seats: Seats
    kind: TableKind = "partners"

    @property
    def sides(self) -> tuple[Seats, ...]:
        """Return the people of each side. The sides are in the same order as their scores."""
        return people_by_side(self.seats, self.kind)


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """One round: its tables in the order of their numbers, and the people sitting out, lowest id first."""

    tables: tuple[TablePlan, ...]
    byes: tuple[int, ...] = ()

    @property
    def seated(self) -> tuple[int, ...]:
        """Return the ids of everyone who plays, table by table."""
        return tuple(person for table in self.tables for person in table.seats)

    @property
    def present(self) -> frozenset[int]:
        """Return the ids of everyone who plays or sits out."""
        return frozenset((*self.seated, *self.byes))


@dataclass(frozen=True, slots=True)
class TableResult:
    """How a table of a round ended: the points of each side, and the winning side (None for no winner).

    Side `s` has every seat `i` with `i % len(points) == s`, as in the rules.
    """

    number: int
    seats: Seats
    points: tuple[int, ...]
    winner: int | None

    @property
    def sides(self) -> tuple[Seats, ...]:
        """Return the people of each side. The sides are in the same order as their scores."""
        count = len(self.points)
        return tuple(self.seats[side::count] for side in range(count))


RoundResults = tuple[TableResult, ...]
"""The results of one round, in any order."""


def winners_in(results: RoundResults) -> dict[str, int | None]:
    """Return the winning side of each table, as JSON: the keys are the numbers of the tables, as text."""
    return {str(result.number): result.winner for result in results}


def people_by_side(seats: Seats, kind: TableKind) -> tuple[Seats, ...]:
    """Return the people of each side of a table, divided in the same way as in the rules (`sides_of`)."""
    return tuple(tuple(seats[seat] for seat in side) for side in sides_of(seating_of(len(seats), kind)))


def seating_of(players: int, kind: TableKind) -> Seating:
    """Return the `Seating`, as the rules define it, for a table of this kind with that many players."""
    if kind == "alone" or kind == "called":
        return Seating(players, kind)
    return Seating(players, "partners", next(teams for teams, each in _TEAMS.items() if each == kind))


def teams_kind(teams: int) -> TableKind:
    """Return the kind of a table with that many teams of partners, 2 to 4."""
    return _TEAMS[teams]


def kind_of(table: Table) -> TableKind:
    """Return the kind of seating of `table`, a `Table` of the rules."""
    if table.called:
        return "called"
    return "alone" if len(table.sides) == table.players else _TEAMS[len(table.sides)]
