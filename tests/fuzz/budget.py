"""How long a fuzz test tries, and what it holds each input to."""

from __future__ import annotations

import contextlib
import os
import resource
import time
import warnings
from typing import TYPE_CHECKING, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

SECONDS = float(os.environ.get("SCOREKEEPER_FUZZ_SECONDS", "3"))
"""How long each test tries."""
SEED = int(os.environ.get("SCOREKEEPER_FUZZ_SEED", "7"))
"""Where it starts: the same place each time, so that a change makes a run fail and no chance does."""
EACH_ROUND = 200
"""Inputs that share a seed and a database."""
MOST_SECONDS = 5.0
"""Of the processor, for one input; the largest that is let in takes well under one."""
MOST_MEGABYTES = 200


def fuzz(
    inputs: SearchStrategy[T], claims: Callable[[], contextlib.AbstractContextManager[Callable[[T], None]]]
) -> int:
    """Try inputs until the time is up, and return how many; raises what the claim raises for the smallest found.

    `claims` gives, for each round, what holds one input to what is said of it. With `SCOREKEEPER_FUZZ_SEED` set to the
    seed that stands in the failure, the same inputs come again.
    """
    tried, rounds, until = 0, 0, time.monotonic() + SECONDS
    while not rounds or time.monotonic() < until:
        with claims() as claim, warnings.catch_warnings():
            # A large input that fails is shown in full: it is needed to repeat it.
            warnings.simplefilter("ignore", HypothesisWarning)
            try:
                tried += _round(inputs, claim, SEED + rounds)
            except BaseException as error:
                error.add_note(f"To repeat it: SCOREKEEPER_FUZZ_SEED={SEED + rounds}, after {tried:,} other inputs.")
                raise
        rounds += 1
    print(f"{tried:,} inputs in {SECONDS:g} s, seeds {SEED} to {SEED + rounds - 1}")
    return tried


def _round(inputs: SearchStrategy[T], claim: Callable[[T], None], number: int) -> int:
    tried = 0

    @seed(number)
    @settings(
        max_examples=EACH_ROUND,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(inputs)
    def all_of_it(value: T) -> None:
        nonlocal tried
        tried += 1
        with bounded():
            claim(value)

    all_of_it()
    return tried


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Raise `AssertionError` where what is inside takes too long or too much memory."""
    began, most = time.process_time(), _megabytes()
    yield
    took, grew = time.process_time() - began, _megabytes() - most
    assert took < MOST_SECONDS, f"{took:.1f} s"
    assert grew < MOST_MEGABYTES, f"{grew} MB"


def _megabytes() -> int:
    """The most that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
