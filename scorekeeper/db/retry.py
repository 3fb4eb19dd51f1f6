"""When two writes meet: the one that was overtaken is done again."""

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
"""How long the first pause is at most; each of the next is twice as long."""

OVERTAKEN = {
    "40001": "could not serialize access",
    "40P01": "deadlock detected",
    "23505": "unique violation: what both looked for and did not find, the other one wrote",
}
"""SQLSTATE of PostgreSQL to what it says; in SQLite one write begins at a time, so nothing of the kind happens."""


def use_case(function: Callable[P, R]) -> Callable[P, R]:
    """Return `function`, which is one transaction, done again from its beginning where another write was first.

    After `ATTEMPTS` the database's error is raised, as is every other error at once. Nothing of an attempt that
    failed is left: `writing()` rolled it back.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        for attempt in range(ATTEMPTS - 1):
            try:
                return function(*args, **kwargs)
            except DBAPIError as error:
                if not was_overtaken(error):
                    raise
            # Not both again at the same moment.
            time.sleep(random.uniform(0, PAUSE_SECONDS * 2**attempt))  # noqa: S311  a pause, not a secret
        return function(*args, **kwargs)

    return run


def was_overtaken(error: DBAPIError) -> bool:
    """Return whether `error` says that another transaction was first, and that doing it again may succeed."""
    return getattr(error.orig, "sqlstate", None) in OVERTAKEN
