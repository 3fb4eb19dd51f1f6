"""A backup is complete even while phones write, and good backups aren't removed too early."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from scorekeeper.ops.backup.copying import BackupError
from scorekeeper.ops.backup.schedule import Schedule, back_up, backups_in
from scorekeeper.ops.metrics import of_files
from tests.support.game import start

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def tally(tmp_path: Path) -> Path:
    """Create a SQLite file with a table of two equal numbers, and return the file's path.

    The file is in WAL mode, like the app's database. Each transaction in these tests leaves both numbers equal.
    """
    path = tmp_path / "tally.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE tally (one INTEGER, two INTEGER, room BLOB)")
        connection.execute("INSERT INTO tally VALUES (0, 0, zeroblob(200000))")
    return path


def read(path: Path) -> tuple[int, int]:
    """Return both numbers of the table in the SQLite file `path`."""
    with closing(sqlite3.connect(path)) as connection:
        one, two = connection.execute("SELECT one, two FROM tally").fetchone()
    return one, two


def test_a_backup_is_one_file_that_only_its_owner_reads(tally: Path, tmp_path: Path) -> None:
    made = back_up(tally, tmp_path / "backups", now=NOON)
    assert made == tmp_path / "backups" / "scorekeeper-20260301T120000Z.db"
    assert made.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "backups").stat().st_mode & 0o777 == 0o700
    assert made.read_bytes()[18:20] == b"\x01\x01", "no write-ahead log is needed to read it"
    assert sorted(path.name for path in made.parent.iterdir()) == ["lock", made.name]


def test_a_backup_is_of_one_moment(tally: Path, tmp_path: Path) -> None:
    """A backup that is made while a thread keeps writing never contains only part of a transaction.

    If several backups are made in a row, a later backup never contains older data than an earlier one.
    """
    done = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(tally, timeout=10)) as connection:
            while not done.is_set():
                with connection:
                    connection.execute("UPDATE tally SET one = one + 1")
                    connection.execute("UPDATE tally SET two = two + 1, room = zeroblob(200000)")

    phone = threading.Thread(target=write)
    phone.start()
    try:
        seen = [read(back_up(tally, tmp_path / "backups")) for _ in range(8)]
    finally:
        done.set()
        phone.join()
    assert all(one == two for one, two in seen)
    assert [one for one, _ in seen] == sorted(one for one, _ in seen)
    assert seen[-1] > seen[0]


def test_the_newest_stay_and_nothing_else_is_touched(tally: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "scorekeeper-mine.db").write_text("mine")
    made = [back_up(tally, folder, keep=3, now=NOON + timedelta(minutes=minute)) for minute in range(5)]
    assert backups_in(folder) == made[2:]
    assert (folder / "scorekeeper-mine.db").read_text() == "mine"


def test_two_in_one_second_are_two(tally: Path, tmp_path: Path) -> None:
    assert back_up(tally, tmp_path, now=NOON) != back_up(tally, tmp_path, now=NOON)
    assert len(backups_in(tmp_path)) == 2


def test_what_a_killed_one_left_is_cleared_away(tally: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "part").write_bytes(b"half of a backup")
    (folder / "part-journal").write_bytes(b"of another time")
    made = back_up(tally, folder)
    assert sorted(path.name for path in folder.iterdir()) == ["lock", made.name]


def test_no_backup_of_a_damaged_score_book(tally: Path, tmp_path: Path) -> None:
    """A damaged database isn't backed up, and an earlier backup from before the damage is kept."""
    good = back_up(tally, tmp_path / "backups", keep=1)
    whole = tally.read_bytes()
    for damaged in (whole[:4096] + b"\x55" * (len(whole) - 4096), whole[: len(whole) // 2], b"Ann 12, Bob 9\n" * 400):
        tally.write_bytes(damaged)
        with pytest.raises(BackupError, match=r"is damaged, so no copy was made\.$"):
            back_up(tally, tmp_path / "backups", keep=1)
        assert sorted(path.name for path in good.parent.iterdir()) == ["lock", good.name]


def test_no_backup_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="There is no database at"):
        back_up(tmp_path / "none.db", tmp_path / "backups")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_is_due_after_so_many_hours(tally: Path, tmp_path: Path) -> None:
    plan = Schedule(tally, tmp_path / "backups", every=timedelta(hours=2), keep=2)
    made = [plan.make_if_due(NOON + timedelta(minutes=minutes)) for minutes in (0, 30, 119, 120, 121, 300)]
    assert [path and path.name[12:28] for path in made] == [
        "20260301T120000Z",
        None,
        None,
        "20260301T140000Z",
        None,
        "20260301T170000Z",
    ]
    assert backups_in(tmp_path / "backups") == [made[3], made[5]]
    assert plan.make_if_due(NOON) is not None, "the clock was put back"


def test_a_clock_that_was_put_back_makes_one_backup_and_no_storm(tally: Path, tmp_path: Path) -> None:
    """After the clock is set back, the schedule makes a single new backup, instead of a new one at every check.

    The names of the existing backups then contain times in the future. These backups are kept, except for the oldest,
    which makes room for the new backup.
    """
    folder = tmp_path / "backups"
    future = [back_up(tally, folder, keep=4, now=NOON + timedelta(days=day)) for day in range(1, 5)]
    plan = Schedule(tally, folder, every=timedelta(hours=2), keep=4)
    made = [plan.make_if_due(NOON + timedelta(seconds=20 * look)) for look in range(5)]
    assert [bool(path) for path in made] == [True, False, False, False, False]
    assert backups_in(folder) == [made[0], *future[1:]]


def test_the_metrics_leave_out_backups_dated_in_the_future(tally: Path, tmp_path: Path) -> None:
    """After the clock is set back, the metrics are about the newest backup that isn't dated in the future.

    If all backups are dated in the future, the metrics say that there is none.
    """
    folder, now = tmp_path / "backups", datetime.now(UTC)
    back_up(tally, folder, now=now + timedelta(days=300))
    found = dict(of_files(tmp_path, tally))
    assert found["scorekeeper_backups"] == 0
    assert "scorekeeper_backup_age_seconds" not in found
    back_up(tally, folder, now=now - timedelta(days=3))
    found = dict(of_files(tmp_path, tally))
    assert found["scorekeeper_backups"] == 1
    assert round(found["scorekeeper_backup_age_seconds"] / 86400) == 3
    back_up(tally, folder, now=now + timedelta(seconds=50))
    assert dict(of_files(tmp_path, tally))["scorekeeper_backup_age_seconds"] == 0


@pytest.mark.database
@pytest.mark.sqlite
def test_a_score_book_with_nothing_in_it_is_not_backed_up(app: Flask, client: Phone, tmp_path: Path) -> None:
    plan = Schedule(tmp_path / "scorekeeper.db", tmp_path / "backups", every=timedelta(hours=2), keep=2)
    assert plan.make_if_due(NOON) is None
    start(client)
    assert plan.make_if_due(NOON) is not None


def test_a_backup_that_was_due_and_could_not_be_made_is_logged(
    tally: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """If a scheduled backup can't be made, the log gets one sentence that says why."""
    (tmp_path / "file").write_text("mine")
    Schedule(tally, tmp_path / "file", every=timedelta(hours=1), keep=9).start()
    until = time.monotonic() + 60
    while not caplog.records and time.monotonic() < until:
        time.sleep(0.01)
    assert caplog.messages == [f"No backup: The folder {tmp_path / 'file'} can't be used: File exists."]


def test_many_processes_make_one_backup(tally: Path, tmp_path: Path) -> None:
    plan = Schedule(tally, tmp_path / "backups", every=timedelta(hours=1), keep=9)
    made: list[Path | None] = []
    threads = [threading.Thread(target=lambda: made.append(plan.make_if_due(NOON))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([path for path in made if path]) == 1
    assert len(backups_in(tmp_path / "backups")) == 1
