"""Values of a round: who sits where, who sits out, and how each table ended.

Count how often people meet as partners and as opponents, so that anyone can check the seating.

Seating settings that a league chooses, and how players divide into tables.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from msgspec import Struct

from scorekeeper.rules.parts import Seating
from scorekeeper.rules.phrase import Phrase, RuleViolation
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


class TablePlan(Struct, frozen=True):
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


class RoundPlan(Struct, frozen=True):
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


class TableResult(Struct, frozen=True):
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


Pair = tuple[int, int]
"""Two people, the lower id first."""


class Met(Struct, frozen=True):
    """How often two people sat at the same table, as partners and as opponents."""

    partners: int = 0
    opponents: int = 0


class Figures(Struct, frozen=True):
    """Figures that show how good a seating is.

    `partners_most` and `opponents_most` are the most times that any two people met as partners or as opponents.
    `partners_repeated` and `opponents_repeated` count the meetings after the first of each pair. `byes_least` and
    `byes_most` are the fewest and the most byes of the people who attended every round; both are 0 if nobody did.
    """

    partners_most: int
    partners_repeated: int
    opponents_most: int
    opponents_repeated: int
    byes_least: int
    byes_most: int


def repeat_matrix(rounds: Sequence[RoundPlan]) -> Mapping[Pair, Met]:
    """Return how often each pair met in these rounds; pairs that never met are left out."""
    partners, opponents = _partners(rounds), _opponents(rounds)
    return {pair: Met(partners[pair], opponents[pair]) for pair in sorted({*partners, *opponents})}


def earlier_meetings(nights: Sequence[Sequence[RoundPlan]]) -> Mapping[Pair, Met]:
    """Return how often each pair met on `nights`. The meetings of the last night count double.

    `nights` has the rounds of each night, oldest night first.
    """
    return repeat_matrix([plan for night in (*nights, *nights[-1:]) for plan in night])


def partners_from(rounds: Sequence[RoundPlan], earlier: Mapping[Pair, Met]) -> int:
    """Return how many pairs of partners in these rounds were already partners on earlier nights.

    `earlier` has how often each pair met on those nights.
    """
    return sum(pair in earlier and earlier[pair].partners > 0 for pair in _partners(rounds))


def byes(rounds: Sequence[RoundPlan]) -> Mapping[int, tuple[int, int]]:
    """Return how often each person sat out, as (byes, rounds attended) by person id."""
    out = Counter(person for plan in rounds for person in plan.byes)
    there = Counter(person for plan in rounds for person in plan.present)
    return {person: (out[person], there[person]) for person in sorted(there)}


def figures(rounds: Sequence[RoundPlan]) -> Figures:
    """Return how often partners and opponents meet, and how often people sit out, in these rounds."""
    partners, opponents = _partners(rounds), _opponents(rounds)
    all_along = [out for out, there in byes(rounds).values() if there == len(rounds)] or [0]
    return Figures(
        partners_most=max(partners.values(), default=0),
        partners_repeated=sum(partners.values()) - len(partners),
        opponents_most=max(opponents.values(), default=0),
        opponents_repeated=sum(opponents.values()) - len(opponents),
        byes_least=min(all_along),
        byes_most=max(all_along),
    )


def _partners(rounds: Sequence[RoundPlan]) -> Counter[Pair]:
    return Counter(
        pair for plan in rounds for table in plan.tables for side in table.sides for pair in _pairs_within(side)
    )


def _opponents(rounds: Sequence[RoundPlan]) -> Counter[Pair]:
    return Counter(
        _pair(one, other)
        for plan in rounds
        for table in plan.tables
        for side, against in combinations(table.sides, 2)
        for one in side
        for other in against
    )


def _pairs_within(side: Seats) -> Iterator[Pair]:
    return (_pair(one, other) for one, other in combinations(side, 2))


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


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
