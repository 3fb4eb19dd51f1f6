"""The stored counts of simulated hands, against hands that are dealt anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import islice
from math import sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from scorekeeper.insight.model import WRITTEN, from_dealer, prior_key, prior_model, simulated_hands
from scorekeeper.leagues.transfer.demo_data import deals
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table
from tests.insight.games import two_sided_tables

ROOT = Path(__file__).resolve().parents[2]
TOLD = ("dealer", "bidder", "bid", "points", "taken", "tricks")
"""Fields of a dealt hand that say what it scores."""
RARE = 10
"""Results of a hand of which fewer are expected are counted together, because chi-square needs that many."""


def test_new_hands_of_simple_players_are_like_the_stored_ones() -> None:
    """Careful players deal those of most games (`bench/priors.py check`), but not of this one."""
    (smear,) = (each for each in two_sided_tables() if each.rules.preset == "smear-6")
    assert _distance(smear, hands=400) < 4.5


@pytest.mark.slow
@pytest.mark.parametrize("table", list(two_sided_tables()), ids=lambda table: table.rules.preset)
def test_new_hands_of_careful_players_are_like_the_stored_ones(table: Table) -> None:
    """A chi-square of seats, bids and points together is as small as in at least 1 of 1,000 cases."""
    pytest.importorskip("numba")
    from tests.bench import careful, priors

    if not careful.understood(table):
        pytest.skip("simple players deal this game")
    assert priors.chance(table, hands=50_000, seed=7) > 0.001


@pytest.mark.slow
def test_the_same_seed_gives_the_same_hands_again() -> None:
    """On another processor, too: nothing depends on the last digits of what players learn."""
    pytest.importorskip("numba")
    from tests.bench import careful, priors

    table = next(two_sided_tables())
    again = priors.careful(table, priors.HANDS, careful.SEED)[0]
    stored = json.loads(WRITTEN.read_text())[prior_key(table)]
    assert {each: times for each, times in again.items() if times >= priors.RARE} == {
        tuple(row[:-1]): row[-1] for row in stored
    }


PLAY_EVERYWHERE = """
from tests.bench import careful, priors
careful.LESSONS = (1_000, 1_000)
for table in filter(careful.understood, priors.tables()):
    assert sum(map(len, careful.dealt_hands(table, 1_000, 5))), table
"""


@pytest.mark.slow
def test_players_reach_for_no_card_that_is_not_there() -> None:
    """The compiled program doesn't notice; it then played what happened to be in memory."""
    pytest.importorskip("numba")
    with TemporaryDirectory() as cache:
        checked = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-c", PLAY_EVERYWHERE], env=checked, cwd=ROOT, check=True)


def _distance(table: Table, hands: int) -> float:
    """Deal and play `hands` hands, and return how far their chi-square is above the expected one, in standard errors.

    The chi-square compares two samples, the new hands and the stored ones: by the bidder's seat and the bid, and by the
    bid and the bidder's points. The result is the larger one.
    """
    stored = simulated_hands(table)
    old = [(each.hand, round(each.p * stored)) for each in prior_model(table).chances]
    told = islice(deals(table, Random(f"new {table.rules.preset}")), hands)
    new = [
        (read_hand(table, {key: each[key] for key in TOLD if key in each}, dealer=each["dealer"]), 1) for each in told
    ]
    return max(_chi_square(*(_counted(table, each, part) for each in (old, new))) for part in (0, 2))


def _counted(table: Table, hands: list[tuple[Hand, int]], part: int) -> Counter[str]:
    """Return how often each bid occurred together with the seat (`part` 0) or the points (2) of the bidder."""
    found = Counter[str]()
    for hand, times in hands:
        outcome = from_dealer(table, hand)
        if outcome is not None:
            found[f"{outcome[1]} {outcome[0] if part == 0 else outcome[2][0]}"] += times
    return found


def _chi_square(old: Counter[str], new: Counter[str]) -> float:
    """Return how far the chi-square of two samples is above the expected one, in standard errors."""
    sizes = old.total(), new.total()
    share = min(sizes) / sum(sizes)
    pooled = (Counter[str](), Counter[str]())
    for counts, into in zip((old, new), pooled, strict=True):
        for key, times in counts.items():
            into[key if (old[key] + new[key]) * share >= RARE else "rare"] += times
    chi, keys = 0.0, pooled[0].keys() | pooled[1].keys()
    for key in keys:
        for counts, size in zip(pooled, sizes, strict=True):
            expected = (pooled[0][key] + pooled[1][key]) * size / sum(sizes)
            chi += (counts[key] - expected) ** 2 / expected
    free = len(keys) - 1
    assert free, "hardly two hands are alike"
    return (chi - free) / sqrt(2 * free)
