"""Published designs, used where they fit so that no search is needed.

Rotating partners use whist tournaments, known since Moore (1896): with `4k` or `4k + 1` people, each two are partners
once and opponents twice. These are cyclic (Anderson, "Combinatorial Designs and Tournaments", 1997): only the first
round is stored, and each later round adds 1 to every number. With `4k + 1` people the numbers wrap modulo `4k + 1` and
number `r` sits out in round `r`; with `4k` they wrap modulo `4k - 1` and the last number stays fixed. The first rounds
below were chosen so that opponents meet again late: with 16 people, not before the eighth round. From 25 people on,
the search does just as well.

Fixed teams, and any two-sided pairing, use the circle method (Berger tables), in which each two meet once.
"""

from __future__ import annotations

from collections.abc import Mapping

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
"""First round of a whist tournament by number of people: four numbers per table, the first and third are partners."""


def whist_rounds(people: int, rounds: int) -> list[list[int]] | None:
    """Return numbers from 0 by seat, round by round, or None if no whist tournament is stored for that many people.

    After the last round, the first repeats. A number that has no seat in a round sits out.
    """
    first = FIRST_ROUNDS.get(people)
    if first is None:
        return None
    around = people if people % 4 else people - 1
    return [[(number + r) % around if number < around else number for number in first] for r in range(rounds)]


def circle_rounds(units: int, rounds: int) -> list[list[int]]:
    """Return pairs of numbers from 0, round by round, in which each two meet once before any meet again.

    If `units` is odd, number `r` sits out in round `r` (modulo `units`).
    """
    around = units if units % 2 else units - 1
    seatings = []
    for r in range(rounds):
        seating = [] if units % 2 else [r % around, units - 1]
        for step in range(1, (around + 1) // 2):
            seating += [(r + step) % around, (r - step) % around]
        seatings.append(seating)
    return seatings
