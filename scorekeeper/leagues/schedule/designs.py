"""Seating designs. The seating uses a design if one fits the night, so that no search is needed.

`FIRST_ROUNDS` has published designs. `seatings.json` has the best schedules known for 9 to 24 people whose partners
rotate, where a design isn't best or doesn't fit. They come from much longer searches than a night can wait for, from
first rounds shifted around a circle, and for 9 people and 9 rounds from a whist tournament over the field of nine
elements. The order of rounds is chosen so that nobody sits out twice in a row.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FIRST_ROUNDS: Mapping[int, tuple[int, ...]] = {
    8: (1, 3, 7, 0, 4, 6, 2, 5),
    12: (2, 5, 7, 11, 8, 3, 4, 1, 9, 10, 6, 0),
    13: (7, 1, 2, 4, 3, 6, 12, 8, 5, 10, 11, 9),
    16: (11, 1, 8, 0, 5, 2, 3, 7, 12, 6, 15, 14, 4, 9, 10, 13),
    17: (11, 14, 7, 12, 1, 13, 2, 4, 8, 16, 3, 10, 15, 9, 5, 6),
    20: (14, 1, 2, 18, 7, 5, 11, 0, 17, 19, 8, 3, 6, 16, 9, 10, 12, 4, 13, 15),
    21: (7, 1, 19, 11, 10, 17, 15, 16, 3, 12, 9, 20, 6, 8, 13, 5, 18, 2, 14, 4),
    24: (3, 22, 10, 16, 0, 7, 8, 12, 23, 9, 11, 19, 2, 4, 14, 5, 15, 21, 6, 1, 20, 13, 18, 17),
}
"""First round of a whist tournament, by number of people.

Each round lists the people's numbers, four for each table. The first and third of the four are partners.
"""


def whist_rounds(people: int, rounds: int) -> list[list[int]] | None:
    """Return the seats of each round from a published design for tables of four; None if no design fits.

    Each round lists the numbers of people, from 0: four for each table, in seat order. A person whose number isn't
    listed sits out that round. If there are more rounds than the design has, the design starts over.
    """
    first = FIRST_ROUNDS.get(people)
    if first is None:
        return None
    around = people if people % 4 else people - 1
    return [[(number + r) % around if number < around else number for number in first] for r in range(rounds)]


def best_known_rounds(people: int, rounds: int) -> list[list[int]] | None:
    """Return the seats of each round from the best schedule known for tables of four; None if there is none.

    Each round lists all the people's numbers, from 0: four for each table, in seat order, then those who sit out.
    """
    schedule = _seatings().get(f"{people}x{rounds}")
    if schedule is None:
        return None
    return [[ord(letter) - ord("a") for letter in one] for one in schedule.split()]


@cache
def _seatings() -> Mapping[str, str]:
    """Return the stored schedules by "PEOPLExROUNDS". A round is a word with a letter for each person, from "a"."""
    return json.loads(Path(__file__).with_name("seatings.json").read_text(encoding="ascii"))  # type: ignore[no-any-return]


def circle_rounds(units: int, rounds: int) -> list[list[int]]:
    """Return the seats of each round for that many players or teams (units), which are numbered from 0.

    Each round lists the numbers of the units. The first two units play each other, then the next two, and so on. Every
    two units meet once before any two meet again. If `units` is odd, number `r` sits out in round `r` (modulo `units`).
    """
    around = units if units % 2 else units - 1
    seatings = []
    for r in range(rounds):
        seating = [] if units % 2 else [r % around, units - 1]
        for step in range(1, (around + 1) // 2):
            seating += [(r + step) % around, (r - step) % around]
        seatings.append(seating)
    return seatings
