"""Side pots that carry over.

Who wants to be in a pot pays its entry for the night, and only who did can win it that night. Who wins is for the
league to say: the highest game, a hand that nobody else made, a number drawn. A pot that somebody wins is paid that
night, all of it, with what earlier nights left; the next night starts at nothing. A pot that nobody wins carries over
whole. Several winners divide it equally, and the cents that do not divide stay in it. On the last night of the season
nothing carries over: what is left in a pot goes into the kitty.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class PotNight:
    """A pot on one night, in cents.

    `before` was in it, `taken` came in, `paid` is what each of its winners gets, `after` carries over, and `to_kitty`
    is what the last night put into the kitty.
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
    """Return what a night does to a pot; raises `RuleViolation` where somebody wins who is not in it."""
    if not winners <= entrants:
        raise RuleViolation("pot_winner", "Only someone who paid into the pot tonight can win it.", field="pots")
    taken = entry * len(entrants)
    whole = before + taken
    paid = whole // len(winners) if winners else 0
    left = whole - paid * len(winners)
    after, to_kitty = (0, left) if last_night else (left, 0)
    return PotNight(before, taken, tuple(sorted(winners)), paid, after, to_kitty)
