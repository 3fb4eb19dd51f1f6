"""Guess the winner of each point of a hand. The points step starts with these guesses, so that few taps are needed.

A guess costs a tap for each point that is wrong or left open, and a wrong point may be saved unnoticed. So the guess is
the assignment with the fewest expected taps for this bid and bidder's side, among those that are likely as a whole: see
`best_guess`. It is calculated from simulated hands (`tests/bench/guesses.py`), or from the hands of the phone that
started the game, if it has enough with this bid. Where every winner of a point is unlikely, as at many tables of four
or more solo players, a simple rule or an earlier guess may leave fewer taps, and is used.

An assignment is a text with one letter for each point, in the order of the ruleset: "0" for the bidder's side, "1" for
the next side clockwise and so on (with a called partner: the defenders), "n" for nobody, and "-" if the point is left
open.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from scorekeeper.games.logic.dealt_guesses import GUESSES
from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table

OURS, NOBODY, OPEN = "0", "n", "-"
OFTEN = 4
"""The winner of a point is guessed only if the guess is right in at least 1 in `OFTEN` hands.

Points that the bidder's side needs for its bid are guessed in any case.
"""
WHOLE = 2
"""If an outcome of hands is more than this many times as common as the guess, the guess is changed (`best_guess`)."""
ENOUGH = 100
"""Minimum number of hands with a bid from which a guess for that bid is calculated."""

Guesses = Mapping[Bid, str]
"""Maps each bid to its guess, a string with one letter for each point."""


def likely_points(table: Table, bidder: int, bid: Bid, learned: Guesses | None = None) -> Mapping[str, int | None]:
    """Return the guessed winner of each point, by category key. The winner is a side, or None for nobody.

    In a game with a called partner, the winner is a party (`Table.parties`) instead of a side. `learned` holds guesses
    from the phone's own hands. Points without a guess are left out. In a game without named points, the result is
    empty.
    """
    guess = guesses_for(table, learned or {}).get(bid, "")
    ours, sides = table.party_of(bidder), table.parties
    return {
        category.key: None if letter == NOBODY else (ours + int(letter)) % sides
        for category, letter in zip(table.rules.points_of(bid), guess, strict=False)
        if letter != OPEN
    }


def guesses_for(table: Table, learned: Guesses) -> Guesses:
    """Return a dict with the guess for each bid at this table.

    A guess is a string with one letter per point, which stands for the winner of the point. Guesses in `learned` are
    preferred. Other guesses are based on simulated hands. A guess is "" if there are no simulated hands for such a
    table. In a game without named points, the dict is empty.
    """
    if not table.rules.categories:
        return {}
    dealt = GUESSES.get(table_key(table), "").split()
    return {bid: learned.get(bid) or _dealt_guess(table, bid, dealt) for bid in table.bids}


def table_key(table: Table) -> str:
    """Return the key of a table in `GUESSES`.

    The key has the preset, the numbers of players and parties, and the options that affect the guesses.
    """
    rules = table.rules
    low = rules.low if rules.counts("low") else ""
    return " ".join(f"{rules.preset} {table.players}/{table.parties} {low} {rules.points}".split())


def _dealt_guess(table: Table, bid: Bid, dealt: Sequence[str]) -> str:
    """Return the guess for a bid from simulated hands. `dealt` lists the guesses for the bids 1, 2 and so on.

    A bid of 0 has the same guess as a bid of 1. For a named bid such as a pitch or a moon, the guess is that the
    bidder's side gets all points.
    """
    if isinstance(bid, int):
        return dealt[max(bid, 1) - 1] if dealt else ""
    return OURS * len(table.rules.points_of(bid))


def learned_guesses(table: Table, hands: Iterable[Hand]) -> Guesses:
    """Return a dict with a guess for each bid that occurs in at least `ENOUGH` of the `hands`.

    All hands must have been played at this table. A guess is a string with one letter per point, which stands for the
    winner of the point.
    """
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
    """Return the winners of the points of a hand as a string with one letter per point.

    `points` maps each category key to the side that won the point, or to None for nobody.
    """
    ours, sides = table.party_of(bidder), table.parties
    owners = (points[category.key] for category in table.rules.categories)
    return "".join(NOBODY if owner is None else str((owner - ours) % sides) for owner in owners)


def best_guess(outcomes: Mapping[str, int], bid: int, values: Sequence[int]) -> str:
    """Return the guess that is expected to need the fewest taps, and that is also plausible as a whole.

    A guess is a string with one letter per point, which stands for the winner of the point. An outcome is a string in
    the same format. `outcomes` maps each outcome to the number of hands that had this outcome. The bid was `bid` in all
    these hands. `values` are the values of the points.

    - The first guess is one of the outcomes in which the bidder's side made the bid: the one that is right about the
      most points in all hands together. Outcomes in which the side has more points than the bid, and more than it
      reaches in half of the hands, are skipped unless there are no others.
    - Uncertain points are then left open. A point is uncertain if its guess is right in fewer than 1 in `OFTEN` hands.
      Points that the bid needs are never left open.
    - If the bidder's side then has every point, and the bid is more than one point lower, the least certain point is
      left open, so that nobody saves a hand like that without having looked at it.
    - If no point is open, but another outcome is more than `WHOLE` times as common as the guess, the guess changes
      again. Either its least certain point is left open, or it is replaced by one of the most common outcomes,
      whichever is right about more points in all hands together.
    """
    hands = sum(outcomes.values())
    owners = [Counter[str]() for _value in values]
    for outcome, times in outcomes.items():
        for place, owner in enumerate(outcome):
            owners[place][owner] += times
    usual = max(bid, _reached(outcomes, hands / 2, values))
    made = [each for each in outcomes if _worth(each, values) >= bid] or [OURS * len(values)]
    fitting = [each for each in made if _worth(each, values) <= usual] or made
    best = max(fitting, key=lambda each: (sum(_right(owners, each)), outcomes.get(each, 0), each))
    guess = _likely_part(best, _right(owners, best), hands / OFTEN, bid, values)
    right = _right(owners, guess)
    least = right.index(min(right))
    unsure = guess[:least] + OPEN + guess[least + 1 :]
    if set(guess) == {OURS} and sum(values) > bid + 1:
        return unsure
    commonest = max(outcomes.values())
    if OPEN in guess or outcomes.get(guess, 0) * WHOLE >= commonest:
        return guess
    common = (each for each in fitting if outcomes.get(each, 0) * WHOLE >= commonest)
    return max((unsure, *common), key=lambda each: sum(_right(owners, each)))


def _likely_part(best: str, right: Sequence[int], often: float, bid: int, values: Sequence[int]) -> str:
    """Return the guess `best` with uncertain points left open, except for points that the bid needs.

    `right` has, for each point, the number of hands in which `best` is right about the point. A point is uncertain if
    this number is less than `often`.
    """
    guess = [OPEN] * len(best)
    for place in sorted(range(len(best)), key=lambda place: -right[place]):
        needed = best[place] == OURS and _worth("".join(guess), values) < bid
        if needed or right[place] >= often:
            guess[place] = best[place]
    return "".join(guess)


def _right(owners: Sequence[Counter[str]], guess: str) -> list[int]:
    """Return the number of hands in which the guess is right, for each point.

    `owners` has for each point in how many hands each side won it.
    """
    return [hands[owner] for hands, owner in zip(owners, guess, strict=True)]


def _worth(outcome: str, values: Sequence[int]) -> int:
    """Return the points that the bidder's side gets in a hand with the outcome `outcome`.

    `outcome` has one letter per point, which stands for the winner of the point. `values` are the values of the points.
    """
    return sum(value for owner, value in zip(outcome, values, strict=True) if owner == OURS)


def _reached(outcomes: Mapping[str, int], hands: float, values: Sequence[int]) -> int:
    """Return the highest number of points that the bidder's side reaches in at least `hands` hands.

    `outcomes` maps each outcome to the number of hands with that outcome. `values` are the values of the points.
    """
    worth = Counter[int]()
    for outcome, times in outcomes.items():
        worth[_worth(outcome, values)] += times
    ranked = sorted(worth, reverse=True)
    reached = accumulate(worth[each] for each in ranked)
    return next(each for each, total in zip(ranked, reached, strict=True) if total >= hands)
