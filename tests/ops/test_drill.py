"""The newest backup of a SQLite file is restored into a temporary file, checked and removed again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scorekeeper.cli.app import main
from scorekeeper.ops.backup.copying import BackupError
from scorekeeper.ops.backup.schedule import PASSED, back_up
from scorekeeper.ops.drill import drill
from tests.conftest import settings_in
from tests.ops.test_restore import BAD, close, files, score, tamper

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

pytestmark = [pytest.mark.database, pytest.mark.sqlite]


@pytest.fixture
def backup(app: Flask, tmp_path: Path) -> Path:
    """Back up a closed database with one game of two hands, and return the path of the backup."""
    score(app, 2)
    close(app)
    return back_up(tmp_path / "scorekeeper.db", tmp_path / "backups")


def test_the_drill_says_what_is_in_the_backup_and_leaves_nothing(backup: Path, tmp_path: Path) -> None:
    before = files(tmp_path)
    (backup.parent / "drill").mkdir()  # by a drill that was killed
    (backup.parent / "drill" / "book.db").write_text("half")
    done = CliRunner().invoke(main, ["backup", "--drill", "--instance", str(tmp_path)])
    assert done.stdout.startswith(f"Drill passed: {backup} was restored in "), done.stderr
    assert " It has 1 games and 3 log entries, the last from 20" in done.stdout
    names = sorted(path.name for path in backup.parent.iterdir())
    assert names == sorted(["drill-lock", PASSED, "lock", backup.name])
    assert files(tmp_path) == before


@pytest.mark.parametrize("how", [how for how in BAD if how != "gone"])
def test_a_bad_backup_fails_the_drill(backup: Path, tmp_path: Path, how: str) -> None:
    spoil, why = BAD[how]
    spoil(backup)
    with pytest.raises(BackupError, match=why.split(" Nothing")[0].rstrip("$")):
        drill(settings_in(tmp_path), backup.parent)
    assert not (backup.parent / PASSED).exists()
    assert not (backup.parent / "drill").exists()


def test_an_older_copy_of_the_database_is_not_touched_by_a_drill(backup: Path, tmp_path: Path) -> None:
    """The drill tests the backup with the newest time in its name, even if an older backup was changed later."""
    tamper(backup, "DELETE FROM game_event WHERE seq = 2")
    good = back_up(tmp_path / "scorekeeper.db", backup.parent)
    assert drill(settings_in(tmp_path), backup.parent).backup == good
    with closing(sqlite3.connect(backup)) as connection:
        assert connection.execute("SELECT count(*) FROM game_event").fetchone() == (2,)


def test_without_a_backup_there_is_nothing_to_try(tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    with pytest.raises(BackupError, match="There is no backup in"):
        drill(settings_in(tmp_path), tmp_path / "backups")
