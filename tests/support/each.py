"""Run a test for many values as one test, because pytest needs more time for a test than most of these values take."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, signature
from typing import Any

import pytest

Test = Callable[..., None]


def for_each(names: str | tuple[str, ...], values: Iterable[Any], parts: int = 1) -> Callable[[Test], Test]:
    """Return a decorator like `pytest.mark.parametrize` that runs a test for all `values` in one test.

    If the test fails, a note at the end of the error says for which value. `names` are the names of the test's
    arguments that get the values. With several `parts`, there are as many tests, each for a part of the values, so
    that several processes share the work.
    """
    arguments = [names] if isinstance(names, str) else names
    every = list(values)
    assert every, "a test without values tests nothing"

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(*, part: int = 0, **fixtures: Any) -> None:
            for value in every[part::parts]:
                given = (value,) if isinstance(names, str) else value
                try:
                    test(**dict(zip(arguments, given, strict=True)), **fixtures)
                except BaseException as error:
                    error.add_note(f"with {', '.join(arguments)} = {value!r}")
                    raise

        kept = [each for each in signature(test).parameters.values() if each.name not in arguments]
        if parts == 1:
            run.__signature__ = signature(test).replace(parameters=kept)  # type: ignore[attr-defined]
            return run
        kept.append(Parameter("part", Parameter.KEYWORD_ONLY))
        run.__signature__ = signature(test).replace(parameters=kept)  # type: ignore[attr-defined]
        shared: Test = pytest.mark.parametrize("part", range(parts))(run)
        return shared

    return decorate
