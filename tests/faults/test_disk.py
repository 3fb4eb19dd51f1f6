"""With a full disk or a read-only database, pages say so, games can be viewed, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import ExitStack, closing, suppress
from http.client import HTTPException
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
"""Start of a command line that runs the rest as the user "nobody" with root's right to read, which Python may need."""


def start_unprivileged(folder: Path) -> Server:
    """Start a server with its data in `folder`, as a user other than root."""
    words = command(folder, "--workers", "2")
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        open_to_nobody(folder.parent)
        words = [*AS_NOBODY.split(), *words]
    return start(words)


def begin(phone: WirePhone) -> str:
    """Start a game, save one hand, enter the bid of the next hand, and return the game's path."""
    game = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p", first_dealer=3)
    assert phone.bid(game, 1, 0, 2).status == 303
    assert phone.save(game, 2, TOOK).status == 303
    assert phone.bid(game, 3, 1, 2).status == 303
    return game


def hand(phone: WirePhone, game: str) -> dict[str, object]:
    """Return the fields of the form that saves the second hand, with a fixed request id."""
    seen = phone.look(game, 4, TOOK)
    return {"client_id": "one-tap-of-it", "mode": "points", "version": 4, "seen": seen, "sure": seen, **TOOK}


def is_refused(phone: WirePhone, game: str, tap: dict[str, object]) -> None:
    """Send a hand with the form fields `tap`, and check that the page says that the hand wasn't saved.

    The game must still be viewable, with only the hand that was saved earlier.
    """
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
    """With a read-only database, a hand is refused.

    After a restart with write permission, the same request saves the hand.
    """
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
            open_anew(server, phone, game)
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


def open_anew(server: Server, phone: WirePhone, game: str) -> None:
    """Kill each worker in turn, so that new workers open the database while it is read-only.

    Each time, wait until the new worker has opened the database. At least one worker must have the database open all
    the time. Otherwise SQLite couldn't read the write-ahead log, because the log's shared index can't be written now.
    """
    until = time.monotonic() + 900
    for worker in (before := workers_of(server)):
        os.kill(worker, signal.SIGKILL)
        while not (newest := set(workers_of(server)) - set(before)) or not all(map(reads_database, newest)):
            assert time.monotonic() < until
            phone.close()  # any of them may answer the next line
            with suppress(OSError, HTTPException):  # it was the line of the process that ended
                phone.get(game)
        before = [*before, *newest]
    phone.close()


def reads_database(worker: int) -> bool:
    """Return whether the worker with the process id `worker` has the database open.

    The memory maps of the process show this.
    """
    with suppress(OSError):  # it ended
        return "scorekeeper.db-shm" in Path(f"/proc/{worker}/maps").read_text()
    return False
