"""A full disk, and a read-only database: a clear page, games can be viewed, nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper.web.errors import PROBLEMS
from tests.faults.test_boot import NOBODY, open_to_nobody
from tests.faults.test_crash import hands
from tests.faults.test_kill import TOOK
from tests.support.server import command, kill_group, start, workers_of
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from tests.support.server import Server

pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

READS = "+dac_read_search"
AS_NOBODY = f"setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups --inh-caps={READS} --ambient-caps={READS} --"
"""Gives up being root, but for reading: the interpreter may lie where only root can. Writing needs the right to it."""


def start_unprivileged(folder: Path) -> Server:
    """Start a server with its data in `folder` that is not root's."""
    words = command(folder, "--workers", "2")
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        open_to_nobody(folder.parent)
        words = [*AS_NOBODY.split(), *words]
    return start(words)


def begin(phone: WirePhone) -> str:
    """Start a game, save one hand, take the bid of the next, and return the path of the game."""
    game = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p", first_dealer=3)
    assert phone.bid(game, 1, 0, 2).status == 303
    assert phone.save(game, 2, TOOK).status == 303
    assert phone.bid(game, 3, 1, 2).status == 303
    return game


def hand(phone: WirePhone, game: str) -> dict[str, object]:
    """Return the form of the second hand, with the id of one tap."""
    seen = phone.look(game, 4, TOOK)
    return {"client_id": "one-tap-of-it", "mode": "points", "version": 4, "seen": seen, "sure": seen, **TOOK}


def is_refused(phone: WirePhone, game: str, tap: dict[str, object]) -> None:
    """See that the hand is not written, that the page says so, and that the game can be looked at all the same."""
    answer = phone.post(f"{game}/hands", **tap)
    assert answer.status == 503, answer.body
    assert PROBLEMS[503].heading in answer.body
    assert "disk is full" in answer.body
    assert "Traceback" not in answer.body
    shown = phone.get(game)
    assert shown.status == 200
    assert "Bob bid" in " ".join(shown.body.replace("<bdi>", "").replace("</bdi>", "").split())
    assert hands(phone, game) == 1


def test_a_full_disk_takes_no_hand_and_loses_none(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size=3m,mode=0700,uid={NOBODY}", "scorekeeper-test", str(folder)]
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        pytest.skip("no right to mount a small disk")
    with ExitStack() as after:
        # A worker may take a moment to end.
        after.callback(subprocess.run, ["umount", "--lazy", str(folder)], check=True)
        server = start_unprivileged(folder)
        after.callback(kill_group, server)
        with closing(WirePhone(server.url)) as phone:
            game = begin(phone)
            tap = hand(phone, game)
            filler = folder / "holiday.mp4"
            with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
                while True:
                    file.write(b"\0" * 4096)
            is_refused(phone, game, tap)
            filler.unlink()
            assert phone.post(f"{game}/hands", **tap).status == 303
            assert hands(phone, game) == 2


def test_a_read_only_database_takes_no_hand_and_loses_none(tmp_path: Path) -> None:
    """Someone removed write permission; once restored, and the server restarted, the same request is saved."""
    folder = tmp_path / "data"
    folder.mkdir()
    server = start_unprivileged(folder)
    with closing(WirePhone(server.url)) as phone:
        try:
            game = begin(phone)
            tap = hand(phone, game)
            rights = {path: path.stat().st_mode for path in (folder, *folder.glob("scorekeeper.db*"))}
            for path, mode in rights.items():
                path.chmod(mode & ~0o222)
            open_anew(server)
            phone.close()  # its line went dead with them
            is_refused(phone, game, tap)
        finally:
            kill_group(server)
        for path, mode in rights.items():
            path.chmod(mode)
        server = start_unprivileged(folder)
        try:
            phone.close()
            phone.reach(server.url)
            assert hands(phone, game) == 1
            assert phone.post(f"{game}/hands", **tap).status == 303
            assert hands(phone, game) == 2
        finally:
            kill_group(server)


def open_anew(server: Server) -> None:
    """End the processes that answer, so that others open the database as it is now."""
    for worker in workers_of(server):
        os.kill(worker, signal.SIGKILL)
