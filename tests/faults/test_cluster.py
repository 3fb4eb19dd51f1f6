"""The cluster of CLUSTER.md, run on one machine, loses machines, and each acknowledged hand is saved once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPException
from typing import TYPE_CHECKING

import pytest

from tests.faults.cluster_storm import Losses, rage
from tests.support.patroni import machines, missing
from tests.support.server import environment
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.wire_phone import Answer

NAMES = ("Ann", "Bob", "Cid", "Dee")
TOOK = {"high": 0, "low": 1, "jack": "none", "game": 0}
SECONDS = 120
"""Longest wait for another leader, on a machine that has other work."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.database,
    pytest.mark.postgresql,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {', '.join(missing())}"),
    # Three PostgreSQL servers, etcd and three apps want more than two cores that other tests use, too.
    pytest.mark.skipif(not os.environ.get("SCOREKEEPER_TEST_CLUSTER"), reason="run with SCOREKEEPER_TEST_CLUSTER=on"),
]


def status(phone: WirePhone, ask: Callable[[], Answer]) -> int:
    """Return the status of an answer, or 0 if HAProxy closed the connection to an app that was no longer ready."""
    try:
        return ask().status
    except (OSError, HTTPException):
        phone.close()
        return 0


def test_pages_can_be_read_while_there_is_no_leader() -> None:
    """Until another machine is the leader, games can be viewed; a save says that it has to wait, and then works.

    Then a backup can be made, through PgBouncer. It failed when a sequence was on the lost machine only.
    """
    with machines() as cluster:
        cluster.start_app("one")
        cluster.until(cluster.is_served)
        with closing(WirePhone(cluster.url)) as phone:
            game = phone.start("setback-21", NAMES, seating="4p", first_dealer=3)
            answers = [(phone.get(game).status, phone.bid(game, 1, 0, 2).status)]
            leader = cluster.node_with("leader")
            assert leader is not None
            cluster.kill_node(leader)
            until = time.monotonic() + SECONDS
            while time.monotonic() < until and (len(answers) == 1 or answers[-1] != (200, 303)):
                answers.append(
                    (status(phone, lambda: phone.get(game)), status(phone, lambda: phone.save(game, 2, TOOK)))
                )
                time.sleep(0.5)
            assert phone.get(phone.start("setback-21", NAMES, seating="4p", first_dealer=3)).status == 200, (
                "limits count"
            )
            back_up = [sys.executable, "-m", "scorekeeper", "backup", "--instance", str(cluster.folder / "app-one")]
            subprocess.run(back_up, env=environment(**cluster.settings), check=True, timeout=SECONDS)
        assert {page for page, _save in answers} == {200}
        assert answers.count((200, 503)) > 3
        assert answers[-1] == (200, 303)
        assert cluster.node_with("leader") not in {None, leader}
        assert list((cluster.folder / "app-one" / "backups").glob("*.dump")), "through PgBouncer"


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
