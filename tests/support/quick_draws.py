"""Draws in a moment, where it does not matter how good they are."""

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
    """Let a night be drawn with few steps, as long as this lasts."""
    assert draw_rest.__kwdefaults__ is not None
    with patch.dict(draw_rest.__kwdefaults__, steps=STEPS):
        yield
