"""The cluster of CLUSTER.md, run on one machine, loses machines, and each acknowledged hand is saved once."""

from __future__ import annotations

import os

import pytest

from tests.faults.cluster_storm import Losses, rage
from tests.support.patroni import missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.database,
    pytest.mark.postgresql,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {', '.join(missing())}"),
    # Three PostgreSQL servers, etcd and three apps want more than two cores that other tests use, too.
    pytest.mark.skipif(not os.environ.get("SCOREKEEPER_TEST_CLUSTER"), reason="run with SCOREKEEPER_TEST_CLUSTER=on"),
]


def test_losing_leaders_and_apps_loses_no_hand() -> None:
    """No hand is lost while database leaders and app processes are killed.

    Two leaders are killed one after the other, and an app process every ten seconds.
    """
    after, failovers = rage(Losses(leaders=2, tables=3, app_every=10), seed=1)
    assert after.clean, (after.verdict, after.counts.faults)
    assert len(failovers) == 2
    assert after.kills
    assert after.counts.busy + after.counts.broken, "nobody noticed anything"
    assert after.verdict.acknowledged
