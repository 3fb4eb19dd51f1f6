"""The storm of `storm.py`, a short one: as long as the suite can wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.storm import Storm, rage

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.database
@pytest.mark.slow
def test_a_storm_loses_doubles_and_overwrites_nothing(tmp_path: Path) -> None:
    """Three tables, two phones each, 30 % of the replies lost, workers killed: the log has each hand once."""
    after = rage(Storm(tables=3, hands=15, kills=4), tmp_path, seed=1)
    assert after.clean, (after.verdict, after.counts.faults)
    assert after.verdict.hands == 3 * 15
    assert after.kills == 4
    assert after.counts.lost
    assert after.verdict.disputed
