"""Repeat a write that conflicted with another write, or that lost its connection to the database."""

from __future__ import annotations

import random
import time
from functools import partial, wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError

from scorekeeper.db.outages import UncertainCommitError, is_lost

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")

ATTEMPTS = 5
PAUSE_SECONDS = 0.02
"""Longest pause before the second try. The longest pause doubles with each further try."""

OVERTAKEN = {
    "40001": "could not serialize access",
    "40P01": "deadlock detected",
    "23505": "unique violation: both looked for a row, did not find it, and inserted it",
}
"""SQLSTATEs of PostgreSQL and their meaning. In SQLite writes never run at the same time."""


def use_case(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that runs a single transaction, so that the function is called again after a conflict.

    The function is also called again if the connection was lost before the commit, because nothing was saved then. The
    last error is raised after `ATTEMPTS` tries. Other errors are raised at once. `writing()` rolls back each failed
    try.
    """
    return _repeated(function, may_be_repeated)


def keyed_use_case(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a `use_case` whose request has a key, so that a second call with the same key changes nothing.

    Such a function is called again even if the connection was lost during the commit. In that case, nobody knows
    whether the first try was saved.
    """
    return _repeated(function, partial(may_be_repeated, keyed=True))


def _repeated(function: Callable[P, R], again: Callable[[Exception], bool]) -> Callable[P, R]:
    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        for attempt in range(ATTEMPTS - 1):
            try:
                return function(*args, **kwargs)
            except (DBAPIError, UncertainCommitError) as error:
                if not again(error):
                    raise
            # A random pause, so that both do not collide again.
            time.sleep(random.uniform(0, PAUSE_SECONDS * 2**attempt))  # noqa: S311  a pause, not a secret
        return function(*args, **kwargs)

    return run


def may_be_repeated(error: Exception, *, keyed: bool = False) -> bool:
    """Return whether the function that raised `error` may be called again.

    Another call must have a chance to succeed, and must not make the same change twice. `keyed` means that a second
    call changes nothing. Then the function may be called again even if the commit was uncertain.
    """
    if isinstance(error, UncertainCommitError):
        return keyed
    return was_overtaken(error) or is_lost(error)


def was_overtaken(error: Exception) -> bool:
    """Return whether `error` is a conflict with another transaction, so that another try may succeed."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in OVERTAKEN
