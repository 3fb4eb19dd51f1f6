"""Backups work while phones save hands, on a schedule, on a full disk, and with the commands in OPERATING.md."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from scorekeeper.ops.backup.schedule import back_up, backups_in
from tests.faults.test_boot import refused
from tests.support.server import environment, running
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

FOUR = ("Ann", "Bob", "Cid", "Dee")
TOOK = {"high": 0, "low": 0, "jack": "none", "game": 1}
LIMITED = """
import resource, sys
sys.dont_write_bytecode = True  # a cut file of bytecode would spoil later runs
from scorekeeper.cli.app import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
main(sys.argv[2:])
"""
"""Source of the real command. Its first argument is the size limit, in bytes, of each file that the command writes."""


def scorekeeper(*words: str | Path) -> list[str]:
    """Return the command line that runs `scorekeeper` with these arguments."""
    return [sys.executable, "-m", "scorekeeper", *map(str, words)]


def done(*words: str | Path) -> str:
    """Run `scorekeeper` with these arguments, check that it succeeds, and return its output."""
    ended = subprocess.run(
        scorekeeper(*words), env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    return ended.stdout


def score(phone: WirePhone, game: str, hands: int) -> None:
    """Save `hands` more hands of `game`."""
    before = phone.get(f"{game}/record.json").body.count('"bidder"')
    for hand in range(before, before + hands):
        assert phone.bid(game, 1 + 2 * hand, 0, 2).status == 303
        seen = phone.look(game, 2 + 2 * hand, TOOK)
        answer = phone.post(f"{game}/hands", mode="points", version=2 + 2 * hand, seen=seen, sure=seen, **TOOK)
        assert answer.status == 303


def test_the_drill_from_the_command_line(tmp_path: Path) -> None:
    """The commands in OPERATING.md for a backup and a restore work.

    The test first restores a backup. Then it restores the database that the first restore replaced. After each restore,
    every game has the record that it had when the restored file was made.
    """
    folder = tmp_path / "data"
    with running(folder, "--workers", "2") as server, closing(WirePhone(server.url)) as phone:
        games = [phone.start("setback-21", FOUR, seating="4p", first_dealer=3) for _ in range(3)]
        for hands, game in enumerate(games):
            score(phone, game, hands)
        then = [phone.get(f"{game}/record.json").body for game in games]
        said = done("backup", "--instance", folder)
        (made,) = backups_in(folder / "backups")
        assert said == f"Backed up to {made}: {made.stat().st_size:,} bytes, checked.\n"

        score(phone, games[0], 2)
        later = [phone.get(f"{game}/record.json").body for game in games]
        assert later != then
        assert "is running. Stop it first" in refused(scorekeeper("restore", made, "--instance", folder))
        assert [phone.get(f"{game}/record.json").body for game in games] == later

    said = done("restore", made, "--instance", folder)
    assert f"Restored from {made}: 3 games" in said
    (before,) = folder.glob("scorekeeper-before-*.db")
    assert f"The previous database is now {before}." in said
    with running(folder) as server:
        phone.reach(server.url)
        assert [phone.get(f"{game}/record.json").body for game in games] == then
        score(phone, games[0], 1)
        phone.close()

    done("restore", before, "--instance", folder)
    with running(folder) as server:
        phone.reach(server.url)
        assert [phone.get(f"{game}/record.json").body for game in games] == later
        phone.close()


def test_an_open_score_book_backs_itself_up_once(tmp_path: Path) -> None:
    """With scheduled backups, only one of three workers makes each backup.

    While the database is still empty, no backup is made.
    """
    with running(tmp_path, "--workers", "3", "--backup-every", "2") as server, closing(WirePhone(server.url)) as phone:
        phone.get("/")
        assert not (tmp_path / "backups").exists()
        phone.start("setback-21", FOUR, seating="4p")
        until = time.monotonic() + 60
        while not backups_in(tmp_path / "backups"):
            assert time.monotonic() < until
            time.sleep(0.05)
    assert len(backups_in(tmp_path / "backups")) == 1


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a disk of 64 KiB at `folder`. Even an empty database needs more space than that.

    If the test has no right to mount a disk, it is skipped.
    """
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size=64k,mode=0700,uid={os.geteuid()}", "scorekeeper-test", str(folder)]
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        pytest.skip("no right to mount a small disk")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk(tmp_path: Path, empty_book: Path) -> None:
    """If the disk is full, `backup` says so, leaves no partial backup, and doesn't touch other files on the disk."""
    folder = tmp_path / "stick"
    with small_disk(folder):
        (folder / "holiday.txt").write_text("mine")
        said = refused(scorekeeper("backup", "--instance", empty_book, "--to", folder))
        assert said == f"The disk is full. Nothing was written to {folder}. Make room, or choose another folder."
        assert sorted(path.name for path in folder.iterdir()) == ["holiday.txt", "lock"]


@pytest.mark.parametrize("bytes_left", [0, 4096, 50_000])
def test_a_disk_that_fills_up_meanwhile(tmp_path: Path, empty_book: Path, bytes_left: int) -> None:
    folder = tmp_path / "backups"
    good = back_up(empty_book / "scorekeeper.db", folder)
    words = [
        "-c",
        LIMITED,
        str(bytes_left),
        "backup",
        "--instance",
        str(empty_book),
        "--to",
        str(folder),
        "--keep",
        "1",
    ]
    assert refused([sys.executable, *words]).startswith(f"The disk reported an error. Nothing was written to {folder}.")
    assert sorted(path.name for path in folder.iterdir()) == ["lock", good.name], "the older backup stays"


def test_a_restore_onto_a_full_disk(tmp_path: Path, empty_book: Path) -> None:
    """If the disk is full, `restore` doesn't change the database."""
    made = back_up(empty_book / "scorekeeper.db", tmp_path / "backups")
    book = tmp_path / "data" / "scorekeeper.db"
    book.parent.mkdir()
    book.write_bytes(made.read_bytes())
    words = ["-c", LIMITED, "50000", "restore", str(made), "--instance", str(book.parent)]
    assert refused([sys.executable, *words]).startswith("The disk reported an error. Nothing was written to ")
    assert book.read_bytes() == made.read_bytes()
    assert sorted(path.name for path in book.parent.iterdir()) == ["scorekeeper.db", "serving"]
