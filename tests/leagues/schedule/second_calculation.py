"""A slow second calculation of a plan: every pair of people, every table, seat by seat."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.leagues.schedule.plan import RoundPlan


def met(rounds: Sequence[RoundPlan], one: int, other: int) -> tuple[int, int]:
    """Return how often two people were partners, and how often opponents."""
    partners = opponents = 0
    for plan in rounds:
        for table in plan.tables:
            if one not in table.seats or other not in table.seats:
                continue
            apart = table.seats.index(one) - table.seats.index(other)
            if table.kind == "partners" and apart % 2 == 0:
                partners += 1
            else:
                opponents += 1
    return partners, opponents


def complaints(plan: RoundPlan, people: Sequence[int], sizes: Sequence[int]) -> list[str]:
    """Return the errors of a round for these people."""
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
