"""Each fuzz test runs for a limited time, and each input has limits of time and memory."""

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
"""Seconds for which each test tries inputs."""
SEED = int(os.environ.get("SCOREKEEPER_FUZZ_SEED", "7"))
"""First random seed. It is always the same, so that a run fails because of a change and not by chance."""
EACH_ROUND = 200
"""Usual number of inputs in a round; they share a seed and a database."""
MOST_SECONDS = 5.0
"""Most processor seconds for one input; the largest input that the app accepts needs well under one."""
MOST_MEGABYTES = 200


def fuzz(
    inputs: SearchStrategy[T],
    claims: Callable[[], contextlib.AbstractContextManager[Callable[[T], None]]],
    each_round: int = EACH_ROUND,
) -> int:
    """Check random inputs until the time is up, and return how many were checked.

    At least one round is finished. `each_round` is the number of its inputs.

    `claims` returns a context manager that is entered once per round and yields a function that checks one input. If a
    check fails, the exception for the smallest failing input is raised. To repeat the failure, set
    `SCOREKEEPER_FUZZ_SEED` to the seed in the note that is added to the exception.
    """
    tried, rounds, until = 0, 0, time.monotonic() + SECONDS
    while not rounds or time.monotonic() < until:
        with claims() as claim, warnings.catch_warnings():
            # A large input that fails is shown in full: it is needed to repeat it.
            warnings.simplefilter("ignore", HypothesisWarning)
            try:
                tried += _round(inputs, claim, SEED + rounds, each_round)
            except BaseException as error:
                error.add_note(f"To repeat it: SCOREKEEPER_FUZZ_SEED={SEED + rounds}, after {tried:,} other inputs.")
                raise
        rounds += 1
    print(f"{tried:,} inputs in {SECONDS:g} s, seeds {SEED} to {SEED + rounds - 1}")
    return tried


def _round(inputs: SearchStrategy[T], claim: Callable[[T], None], number: int, most: int) -> int:
    tried = 0

    @seed(number)
    @settings(
        max_examples=most,
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
    """Raise `AssertionError` if the `with` block takes too much processor time or memory."""
    began, most = time.process_time(), _megabytes()
    yield
    took, grew = time.process_time() - began, _megabytes() - most
    assert took < MOST_SECONDS, f"{took:.1f} s"
    assert grew < MOST_MEGABYTES, f"{grew} MB"


def _megabytes() -> int:
    """Return the peak memory of this process so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
