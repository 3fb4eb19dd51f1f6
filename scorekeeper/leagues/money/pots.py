"""Side pots that roll over.

Players pay the entry to be in a pot for a night, and only they can win it that night. The league decides what wins it:
the highest game, a rare hand, a number drawn. The winner gets the whole pot, including what earlier nights left, and
the next night starts at zero. A pot that nobody wins rolls over. Several winners divide it equally, and the cents that
don't divide stay in it. After the last night of the season, what is left in a pot goes into the kitty.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class PotNight:
    """A pot on one night, in cents.

    `before` was in it, `taken` came in, each winner gets `paid`, `after` rolls over, and `to_kitty` goes into the kitty
    on the last night.
    """

    before: int
    taken: int
    winners: tuple[int, ...]
    paid: int
    after: int
    to_kitty: int


def settle_pot(
    before: int, entry: int, entrants: frozenset[int], winners: frozenset[int], *, last_night: bool
) -> PotNight:
    """Return the pot after the night; raises `RuleViolation` if a winner did not pay into it."""
    if not winners <= entrants:
        raise RuleViolation("pot_winner", "Only someone who paid into the pot tonight can win it.", field="pots")
    taken = entry * len(entrants)
    whole = before + taken
    paid = whole // len(winners) if winners else 0
    left = whole - paid * len(winners)
    after, to_kitty = (0, left) if last_night else (left, 0)
    return PotNight(before, taken, tuple(sorted(winners)), paid, after, to_kitty)
