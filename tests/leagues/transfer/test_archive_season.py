"""A season of real games, which is moved to another database while a phone is scoring a game of that season."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bench.carry import carry

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.database
def test_moved_season_is_the_same_and_no_hand_is_lost(tmp_path: Path) -> None:
    """A season moved to another database has the same standings, pages and files, and no hand is lost.

    The test runs `tests/bench/carry.py` on a small season.
    """
    assert carry(tmp_path, nights=3, tables=4)
