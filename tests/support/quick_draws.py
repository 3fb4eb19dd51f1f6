"""Make seatings quickly in tests for which their quality doesn't matter."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from scorekeeper.leagues.schedule.seating import draw_rest

if TYPE_CHECKING:
    from collections.abc import Iterator

STEPS = 500


@contextmanager
def quick_draws() -> Iterator[None]:
    """While the `with` block runs, make the search for good seatings stop after a few steps."""
    assert draw_rest.__kwdefaults__ is not None
    with patch.dict(draw_rest.__kwdefaults__, steps=STEPS):
        yield
