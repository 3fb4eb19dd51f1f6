"""Measure the seating of rotating partners (repeats, byes and seconds) for 8 to 80 players and 4 to 12 rounds.

Run: `python tests/bench/rotation.py [FIRST [LAST]]`. It takes about ten minutes. In the table, `partners` and
`opponents` are the most often that any two met, `again` counts meetings after the first over all pairs, `least` is the
lower bound for any seating, and `seconds` are processor time. It then measures nights whose seating is made again
halfway, after two people left and one came.

`python tests/bench/rotation.py season` plays seasons of eight nights instead, in turn with a seating that takes earlier
nights into account and with one that doesn't. It counts the pairs of partners of a night who were partners the night
before, or on any earlier night, and how often opponents met again within the night.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from scorekeeper.leagues.schedule.plan import (
    Figures,
    Rotation,
    RoundPlan,
    byes,
    earlier_meetings,
    figures,
    partners_from,
)
from scorekeeper.leagues.schedule.seating import draw_rest

ROUNDS, CHANGED_ROUNDS = range(4, 13), (4, 8, 12)


def fresh(players: int, rounds: int) -> tuple[tuple[RoundPlan, ...], float]:
    """Seat all rounds of a night at once. Return the rounds, then the seconds that the seating took."""
    start = time.process_time()
    plans = draw_rest(range(1, players + 1), rounds, (), Rotation(), players)
    return plans, time.process_time() - start


def changed(players: int, rounds: int) -> tuple[tuple[RoundPlan, ...], float]:
    """Seat a night, then seat its second half again after one person left and another arrived.

    Return all rounds, then the seconds that the second seating took.
    """
    past = draw_rest(range(1, players + 1), rounds // 2, (), Rotation(), players)
    start = time.process_time()
    rest = draw_rest([*range(1, players - 1), players + 1], rounds - len(past), past, Rotation(), players)
    return (*past, *rest), time.process_time() - start


def least(plans: Sequence[RoundPlan]) -> tuple[int, int]:
    """Return a lower bound for the number of repeated partners, then one for the number of repeated opponents.

    No other seating of as many people at as many tables can have fewer. Only the numbers of people and tables in
    `plans` matter.
    """
    people = len(byes(plans))
    pairs = people * (people - 1) // 2
    tables = sum(len(plan.tables) for plan in plans)
    return max(0, 2 * tables - pairs), max(0, 4 * tables - pairs)


def line(players: int, rounds: int, plans: Sequence[RoundPlan], found: Figures, seconds: float) -> str:
    """Return the line of printed figures for one night. `found` holds the figures of the rounds in `plans`.

    `seconds` is how long the seating took.
    """
    partners, opponents = least(plans)
    return (
        f"{players:7} {rounds:6} {found.partners_most:8} {found.partners_repeated:5} {partners:5} "
        f"{found.opponents_most:9} {found.opponents_repeated:5} {opponents:5} "
        f"{found.byes_least:3}-{found.byes_most} {seconds:7.2f}"
    )


SEASONS = ((12, 4), (13, 5), (14, 4), (16, 4), (16, 6), (20, 5), (24, 4), (27, 5), (40, 6), (80, 6))
"""(players at each night, rounds of each night) for each season to seat.

The league has one player more than that, and each night a different player is absent.
"""
NIGHTS = 8


def season(players: int, rounds: int, *, remember: bool) -> tuple[int, int, int, int, list[float]]:
    """Seat the nights of a season and return its figures. With `remember`, the seating considers earlier nights.

    The figures are, in this order:

    - the number of pairs of partners
    - how many of these pairs were also partners the night before
    - how many of these pairs were also partners on any earlier night
    - the number of repeated opponents within a night
    - the seconds that each night took
    """
    nights: list[tuple[RoundPlan, ...]] = []
    pairs = last = any_night = again = 0
    seconds = []
    for number in range(NIGHTS):
        here = [person for person in range(1, players + 2) if person != 1 + number % (players + 1)]
        start = time.process_time()
        known = earlier_meetings(nights) if remember else {}
        plans = draw_rest(here, rounds, (), Rotation(), players * 100 + number, earlier=known)
        seconds.append(time.process_time() - start)
        pairs += 2 * sum(len(plan.tables) for plan in plans)
        last += partners_from(plans, earlier_meetings(nights[-1:]))
        any_night += partners_from(plans, earlier_meetings(nights))
        again += figures(plans).opponents_repeated
        nights.append(plans)
    return pairs, last, any_night, again, seconds


def seasons() -> None:
    """Print a line for each size of season. Each line compares seating without and with memory of earlier nights."""
    print("players rounds  pairs | last night    any night     opponents again  seconds     slowest")
    for players, rounds in SEASONS:
        pairs, *without, before = season(players, rounds, remember=False)
        _, *remembered, after = season(players, rounds, remember=True)
        changes = "  ".join(f"{one:4} -> {other:4}" for one, other in zip(without, remembered, strict=True))
        print(
            f"{players:7} {rounds:6} {pairs:6} | {changes}   {sum(before):5.2f} -> {sum(after):5.2f}"
            f"  {max(before):.2f} -> {max(after):.2f}",
            flush=True,
        )


def main(first: int = 8, last: int = 80) -> None:
    """Measure nights with `first` to `last` players. Print a line for each night, and a summary."""
    for title, draw, lengths in (
        ("Seated in one go", fresh, ROUNDS),
        ("Seated anew after half of the rounds", changed, CHANGED_ROUNDS),
    ):
        print(f"\n{title}")
        print("players rounds partners again least opponents again least  byes seconds")
        slowest = 0.0
        again: list[str] = []
        uneven: list[str] = []
        for players in range(first, last + 1):
            for rounds in lengths:
                plans, seconds = draw(players, rounds)
                found = figures(plans)
                slowest = max(slowest, seconds)
                if rounds <= 8 and players >= 12 and found.partners_repeated:
                    again.append(f"{players}x{rounds}")
                if found.byes_most - found.byes_least > 1:
                    uneven.append(f"{players}x{rounds}")
                print(line(players, rounds, plans, found, seconds), flush=True)
        print(f"slowest: {slowest:.2f} seconds")
        print(f"partners again within 8 rounds from 12 players up: {', '.join(again) or 'none'}")
        print(f"byes that differ by more than one: {', '.join(uneven) or 'none'}")


if __name__ == "__main__":
    seasons() if sys.argv[1:] == ["season"] else main(*map(int, sys.argv[1:3]))
