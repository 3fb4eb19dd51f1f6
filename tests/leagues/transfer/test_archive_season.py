"""A season of real games carried to another score book, while a phone scores a game there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bench.carry import carry

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.database
def test_a_season_looks_the_same_in_another_book_and_no_phone_loses_a_hand(tmp_path: Path) -> None:
    """Three nights of four tables: standings, a player's page, the CSV and the file, as `tests/bench/carry.py` asks."""
    assert carry(tmp_path, nights=3, tables=4)
