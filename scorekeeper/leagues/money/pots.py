"""Side pots, whose money rolls over to the next night until somebody wins it.

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
    """The amounts of one side pot on one night, in cents.

    The pot holds `before` at the start, and the entries add `taken`. Each winner gets `paid`. The remainder, `after`,
    rolls over to the next night. On the last night, the remainder goes into the kitty instead, as `to_kitty`.
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
    """Return the amounts of a side pot on one night.

    `before` is the amount in the pot at the start of the night, and `entry` is the price to enter, both in cents.
    `entrants` and `winners` are the person ids of the players who entered and won. Raises `RuleViolation` if a winner
    did not pay into the pot.
    """
    if not winners <= entrants:
        raise RuleViolation("pot_winner", "Only someone who paid into the pot tonight can win it.", field="pots")
    taken = entry * len(entrants)
    whole = before + taken
    paid = whole // len(winners) if winners else 0
    left = whole - paid * len(winners)
    after, to_kitty = (0, left) if last_night else (left, 0)
    return PotNight(before, taken, tuple(sorted(winners)), paid, after, to_kitty)
