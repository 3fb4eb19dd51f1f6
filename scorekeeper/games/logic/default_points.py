"""Guess the winner of each point of a hand: the points step starts with these, so that few taps are needed.

A guess costs a tap for each point that is wrong or left open, and a wrong point may be saved unnoticed. So the guess is
the assignment with the fewest expected taps for this bid and bidder's side, among those that are likely as a whole: see
`best_guess`. It is calculated from hands dealt and played by `tests/bench/guesses.py`, or from the hands of the phone
that started the game, if it has enough with this bid.

An assignment is a text with one letter for each point, in the order of the ruleset: "0" for the bidder's side, "1" for
the next side clockwise and so on, "n" for nobody, and "-" if the point is left open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from scorekeeper.games.logic.dealt_guesses import GUESSES
from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table

OURS, NOBODY, OPEN = "0", "n", "-"
OFTEN = 4
"""A point goes to a side in the guess only if it does so in at least one of this many hands."""
WHOLE = 2
"""All points are guessed only if no other outcome is more than this many times as common as that one."""
ENOUGH = 100
"""Hands with a bid from which a guess is calculated."""

Guesses = Mapping[Bid, str]
"""The assignment for each bid."""


def likely_points(table: Table, bidder: int, bid: Bid, learned: Guesses | None = None) -> Mapping[str, int | None]:
    """Return the guessed winner of each point, by category key: a side, or None for nobody.

    Points without a guess are left out. Empty for a game without named points.
    """
    guess = guesses_for(table, learned or {}).get(bid, "")
    ours, sides = table.side_of[bidder], len(table.sides)
    return {
        category.key: None if letter == NOBODY else (ours + int(letter)) % sides
        for category, letter in zip(table.rules.categories, guess, strict=False)
        if letter != OPEN
    }


def guesses_for(table: Table, learned: Guesses) -> Guesses:
    """Return the assignment for each bid at that card table: `learned` if it has one, else that of simulated hands."""
    if not table.rules.categories:
        return {}
    dealt = GUESSES.get(table_key(table), "").split()
    return {bid: learned.get(bid) or _dealt_guess(table, bid, dealt) for bid in table.bids}


def table_key(table: Table) -> str:
    """Return the key of a card table in `GUESSES`, made of all that decides who tends to win the points."""
    rules = table.rules
    return f"{rules.preset} {table.players}/{len(table.sides)} {rules.low if rules.counts('low') else ''}".rstrip()


def _dealt_guess(table: Table, bid: Bid, dealt: Sequence[str]) -> str:
    """Return the assignment for a bid from those of the bids 1, 2 and so on. A pitch or a moon promises every point."""
    if isinstance(bid, int):
        return dealt[bid - 1] if dealt else ""
    return OURS * len(table.rules.categories)


def learned_guesses(table: Table, hands: Iterable[Hand]) -> Guesses:
    """Return the assignments for the bids of which there are `ENOUGH` hands, played at that card table."""
    counted: dict[Bid, Counter[str]] = {}
    for hand in hands:
        if hand.points is not None and hand.bidder is not None and hand.bid is not None:
            outcome = outcome_of(table, hand.bidder, hand.points)
            counted.setdefault(hand.bid, Counter())[outcome] += 1
    values = [category.value for category in table.rules.categories]
    return {
        bid: best_guess(outcomes, bid, values)
        for bid, outcomes in counted.items()
        if isinstance(bid, int) and outcomes.total() >= ENOUGH
    }


def outcome_of(table: Table, bidder: int, points: Mapping[str, int | None]) -> str:
    """Return the winner of each point of a hand, as an assignment."""
    ours, sides = table.side_of[bidder], len(table.sides)
    owners = (points[category.key] for category in table.rules.categories)
    return "".join(NOBODY if owner is None else str((owner - ours) % sides) for owner in owners)


def best_guess(outcomes: Mapping[str, int], bid: int, values: Sequence[int]) -> str:
    """Return the assignment with the fewest expected taps among those that are likely as a whole.

    `outcomes` counts hands with that bid, `values` are the points' values.

    - The whole hand must have come up. The bidder's side makes the bid, and gets no more points than it does in every
      second hand.
    - Then what is uncertain is left open: points that go to that side in fewer than one of `OFTEN` hands, except those
      that the bid needs; and the least certain one, if another hand is more than `WHOLE` times as common.
    """
    hands = sum(outcomes.values())
    usual = max(bid, _reached(outcomes, hands / 2, values))
    made = [each for each in outcomes if _worth(each, values) >= bid] or [OURS * len(values)]
    fitting = [each for each in made if _worth(each, values) <= usual] or made
    best = max(fitting, key=lambda each: (sum(_right(outcomes, each)), outcomes.get(each, 0), each))
    guess = _likely_part(best, _right(outcomes, best), hands / OFTEN, bid, values)
    if OPEN not in guess and outcomes.get(guess, 0) * WHOLE < max(outcomes.values()):
        right = _right(outcomes, guess)
        least = right.index(min(right))
        return guess[:least] + OPEN + guess[least + 1 :]
    return guess


def _likely_part(best: str, right: Sequence[int], often: float, bid: int, values: Sequence[int]) -> str:
    """Return `best` without the points that are right in fewer than `often` hands, unless the bid needs them."""
    guess = [OPEN] * len(best)
    for place in sorted(range(len(best)), key=lambda place: -right[place]):
        needed = best[place] == OURS and _worth("".join(guess), values) < bid
        if needed or right[place] >= often:
            guess[place] = best[place]
    return "".join(guess)


def _right(outcomes: Mapping[str, int], guess: str) -> list[int]:
    """Return, for each point, the number of hands in which the guess is right."""
    return [
        sum(times for outcome, times in outcomes.items() if outcome[place] == owner)
        for place, owner in enumerate(guess)
    ]


def _worth(outcome: str, values: Sequence[int]) -> int:
    """Return the points of the bidder's side."""
    return sum(value for owner, value in zip(outcome, values, strict=True) if owner == OURS)


def _reached(outcomes: Mapping[str, int], hands: float, values: Sequence[int]) -> int:
    """Return the most points that the bidder's side gets in at least that many hands."""
    worth = Counter[int]()
    for outcome, times in outcomes.items():
        worth[_worth(outcome, values)] += times
    ranked = sorted(worth, reverse=True)
    reached = accumulate(worth[each] for each in ranked)
    return next(each for each, total in zip(ranked, reached, strict=True) if total >= hands)
