"""Measure the seating of rotating partners: repeats, byes and seconds, for 8 to 80 players and 4 to 12 rounds.

Run it by hand: `python tests/bench/rotation.py [FIRST [LAST]]`; it takes about ten minutes. `partners` and `opponents`
are the most often any two met, `again` counts meetings after the first over all pairs, `least` is the lower bound for
any seating, and `seconds` are processor time. It then measures nights whose seating is redone halfway, after two people
left and one came.

`python tests/bench/rotation.py season` plays seasons of eight nights instead, with a seating that remembers the earlier
nights and with one that doesn't, by turns: how many of a night's pairs of partners were partners the night before, or
on any earlier night, and how often opponents met again within the night.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from scorekeeper.leagues.schedule.plan import RoundPlan
from scorekeeper.leagues.schedule.repeats import Figures, byes, earlier_meetings, figures, partners_from
from scorekeeper.leagues.schedule.rotation import Rotation
from scorekeeper.leagues.schedule.seating import draw_rest

ROUNDS, CHANGED_ROUNDS = range(4, 13), (4, 8, 12)


def fresh(players: int, rounds: int) -> tuple[tuple[RoundPlan, ...], float]:
    """Return a night seated in one go, and the seconds it took."""
    start = time.process_time()
    plans = draw_rest(range(1, players + 1), rounds, (), Rotation(), players)
    return plans, time.process_time() - start


def changed(players: int, rounds: int) -> tuple[tuple[RoundPlan, ...], float]:
    """Return a night whose second half was seated anew for other people, and the seconds that took."""
    past = draw_rest(range(1, players + 1), rounds // 2, (), Rotation(), players)
    start = time.process_time()
    rest = draw_rest([*range(1, players - 1), players + 1], rounds - len(past), past, Rotation(), players)
    return (*past, *rest), time.process_time() - start


def least(plans: Sequence[RoundPlan]) -> tuple[int, int]:
    """Return the least possible repeats as partners and as opponents, given the number of pairs."""
    people = len(byes(plans))
    pairs = people * (people - 1) // 2
    tables = sum(len(plan.tables) for plan in plans)
    return max(0, 2 * tables - pairs), max(0, 4 * tables - pairs)


def line(players: int, rounds: int, plans: Sequence[RoundPlan], found: Figures, seconds: float) -> str:
    """Return one line of the printed table."""
    partners, opponents = least(plans)
    return (
        f"{players:7} {rounds:6} {found.partners_most:8} {found.partners_repeated:5} {partners:5} "
        f"{found.opponents_most:9} {found.opponents_repeated:5} {opponents:5} "
        f"{found.byes_least:3}-{found.byes_most} {seconds:7.2f}"
    )


SEASONS = ((12, 4), (13, 5), (14, 4), (16, 4), (16, 6), (20, 5), (24, 4), (27, 5), (40, 6), (80, 6))
"""Players who come, and rounds per night. One more is in the league and each night another one stays at home."""
NIGHTS = 8


def season(players: int, rounds: int, *, remember: bool) -> tuple[int, int, int, int, list[float]]:
    """Return a season's pairs of partners, those of the night before, those of any, opponents again, and seconds."""
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
    """Print a line for each kind of season, without and with memory."""
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
    """Print every line and a summary."""
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
