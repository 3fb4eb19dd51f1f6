"""Repeat a write that conflicted with another one."""

from __future__ import annotations

import random
import time
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")

ATTEMPTS = 5
PAUSE_SECONDS = 0.02
"""Longest first pause. Each further one may be twice as long."""

OVERTAKEN = {
    "40001": "could not serialize access",
    "40P01": "deadlock detected",
    "23505": "unique violation: both looked for a row, did not find it, and inserted it",
}
"""SQLSTATEs of PostgreSQL and their meaning. In SQLite writes never run at the same time."""


def use_case(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that is one transaction: repeat it from the start if it conflicts with another write.

    After `ATTEMPTS` tries, the database's error is raised. Other errors are raised at once. `writing()` rolls back
    each failed try.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        for attempt in range(ATTEMPTS - 1):
            try:
                return function(*args, **kwargs)
            except DBAPIError as error:
                if not was_overtaken(error):
                    raise
            # A random pause, so that both do not collide again.
            time.sleep(random.uniform(0, PAUSE_SECONDS * 2**attempt))  # noqa: S311  a pause, not a secret
        return function(*args, **kwargs)

    return run


def was_overtaken(error: DBAPIError) -> bool:
    """Return True if `error` is a conflict with another transaction, so that another try may succeed."""
    return getattr(error.orig, "sqlstate", None) in OVERTAKEN
