"""A second, slow check of seating plans, which counts seat by seat."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.leagues.schedule.plan import RoundPlan


def met(rounds: Sequence[RoundPlan], one: int, other: int) -> tuple[int, int]:
    """Return how often two people were partners, and how often they were opponents."""
    partners = opponents = 0
    for plan in rounds:
        for table in plan.tables:
            if one not in table.seats or other not in table.seats:
                continue
            apart = table.seats.index(one) - table.seats.index(other)
            teams = {"partners": 2, "partners3": 3, "partners4": 4}.get(table.kind)
            if teams and apart % teams == 0:
                partners += 1
            else:
                opponents += 1
    return partners, opponents


def complaints(plan: RoundPlan, people: Sequence[int], sizes: Sequence[int]) -> list[str]:
    """Return a short message for each thing that is wrong with the seating of a round.

    `people` are the people who should have a seat or a bye, and `sizes` the allowed numbers of people at a table.
    """
    wrong = []
    for person in people:
        places = sum(table.seats.count(person) for table in plan.tables) + plan.byes.count(person)
        if places != 1:
            wrong.append(f"{person} has {places} places")
    if set(plan.seated) | set(plan.byes) != set(people):
        wrong.append("somebody else is there")
    if list(plan.byes) != sorted(plan.byes):
        wrong.append("byes out of order")
    if [table.number for table in plan.tables] != list(range(1, len(plan.tables) + 1)):
        wrong.append("tables out of order")
    wrong += [f"{len(table.seats)} at a table" for table in plan.tables if len(table.seats) not in sizes]
    return wrong
