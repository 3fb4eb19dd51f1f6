"""Run a short storm, a simulated night with lost replies and killed workers, with the code in `storm.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.storm import Storm, rage

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.database
@pytest.mark.slow
def test_a_storm_loses_doubles_and_overwrites_nothing(tmp_path: Path) -> None:
    """Each hand is saved once at three tables, although replies are lost and workers are killed."""
    after = rage(Storm(tables=3, hands=15, kills=4), tmp_path, seed=1)
    assert after.clean, (after.verdict, after.counts.faults)
    assert after.verdict.hands == 3 * 15
    assert after.kills == 4
    assert after.counts.lost
    assert after.verdict.disputed
