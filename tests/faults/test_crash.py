"""The server dies at the two worst moments: just before a hand is committed, and just after, before the reply."""

from __future__ import annotations

import http.client
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.faults.test_kill import TOOK
from tests.support.server import command, kill_group, running, start
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.database

CRASHING = """
import os, pathlib, signal, sys
from sqlalchemy import Engine, event
from sqlalchemy.orm import Session
from scorekeeper.cli.app import main

def crash(_):
    if pathlib.Path(sys.argv[1]).exists():
        os.kill(os.getpid(), signal.SIGKILL)

# The engine says so when all is written but not committed, the session when it is.
event.listen({moment}, crash)
main(sys.argv[2:])
"""
"""Source of the real command; a process kills itself at the commit if the file named by the first argument exists."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moment", "written"), [('Engine, "commit"', 0), ('Session, "after_commit"', 1)], ids=["before", "after"]
)
def test_a_crash_before_and_after_the_commit(tmp_path: Path, moment: str, written: int) -> None:
    """If the server dies just before it commits a hand, nothing is saved. If it dies just after, the hand is saved.

    In both cases, the game has the hand once after the phone sends it again with the same id.
    """
    folder, trigger = tmp_path / "data", tmp_path / "crash"
    words = [sys.executable, "-c", CRASHING.format(moment=moment), str(trigger), *command(folder)[3:]]
    server = start(words)
    with closing(WirePhone(server.url)) as phone:
        try:
            game = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p", first_dealer=3)
            assert phone.bid(game, 1, 0, 2).status == 303
            seen = phone.look(game, 2, TOOK)
            tap = {"client_id": "the-tap-that-died", "mode": "points", "version": 2, "seen": seen, "sure": seen, **TOOK}
            trigger.touch()
            with pytest.raises((OSError, http.client.HTTPException)):
                phone.post(f"{game}/hands", **tap)
        finally:
            kill_group(server)
        phone.close()
        with running(folder) as again:
            phone.reach(again.url)
            assert hands(phone, game) == written
            assert phone.post(f"{game}/hands", **tap).status == 303
            assert hands(phone, game) == 1
            phone.close()


def hands(phone: WirePhone, game: str) -> int:
    """Return how many hands the game has on the server."""
    return phone.get(f"{game}/record.json").body.count('"bidder"')
