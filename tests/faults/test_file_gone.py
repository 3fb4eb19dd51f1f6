"""If the database file is deleted or replaced under a running server, no hand is acknowledged and then lost."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper.ops.backup.schedule import back_up
from scorekeeper.ops.health import SECONDS_REMEMBERED
from scorekeeper.web.errors import FILE_GONE
from tests.faults.test_boot import refused
from tests.faults.test_crash import hands
from tests.faults.test_kill import TOOK
from tests.support.server import command, environment, kill_group, start, workers_of
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.server import Server

pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

FOUR = ("Ann", "Bob", "Cid", "Dee")


def remove(folder: Path) -> None:
    """Delete the database file, like `rm scorekeeper.db`."""
    (folder / "scorekeeper.db").unlink()


def remove_folder(folder: Path) -> None:
    """Delete the data folder, like `rm -r`."""
    shutil.rmtree(folder)


def remove_log(folder: Path) -> None:
    """Delete the write-ahead log, the file in which SQLite keeps the latest changes."""
    (folder / "scorekeeper.db-wal").unlink()


def replace(folder: Path) -> None:
    """Replace the database file with an older copy, as people do who don't know `scorekeeper restore`."""
    (folder.parent / "older.db").replace(folder / "scorekeeper.db")


def replace_by_nothing(folder: Path) -> None:
    """Replace the database file with an empty file."""
    (folder / "empty").touch()
    (folder / "empty").replace(folder / "scorekeeper.db")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the server's data folder. Tests may put other files beside it."""
    return tmp_path / "data"


def open_book(folder: Path, *options: str) -> tuple[Server, Path]:
    """Start a server with rate limits and the command-line options `options`; return the server and its log file."""
    log = folder.parent / "log"
    words = ["sh", "-c", f'exec "$0" "$@" 2>>{log}', *command(folder, *options)]
    return start(words, environment(SCOREKEEPER_LIMITS="on")), log


@pytest.fixture(params=[1, pytest.param(2, marks=pytest.mark.long)], ids=["one worker", "two workers"])
def server(folder: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """Yield a running server with rate limits, once with one worker and once with two.

    Every run of the slow tests has two workers in `test_a_process_that_begins_later_knows_which_file_it_was`.
    """
    server, _ = open_book(folder, "--workers", str(request.param))
    yield server
    kill_group(server)


def begin(phone: WirePhone) -> str:
    """Start a game, save one hand, enter the bid of the next hand, and return the game's path."""
    game = phone.start("setback-21", FOUR, seating="4p", first_dealer=3)
    assert phone.bid(game, 1, 0, 2).status == 303
    assert phone.save(game, 2, TOOK).status == 303
    assert phone.bid(game, 3, 1, 2).status == 303
    return game


def hand(phone: WirePhone, game: str) -> dict[str, object]:
    """Return the fields of the form that saves the second hand, with a fixed request id."""
    seen = phone.look(game, 4, TOOK)
    return {"client_id": "one-tap-of-it", "mode": "points", "version": 4, "seen": seen, "sure": seen, **TOOK}


@pytest.mark.parametrize("mishap", [remove, remove_folder, remove_log, replace, replace_by_nothing])
def test_nothing_is_acknowledged_any_more(server: Server, folder: Path, mishap: Callable[[Path], None]) -> None:
    with closing(WirePhone(server.url)) as phone, closing(WirePhone(server.url)) as other:
        game = begin(phone)
        back_up(folder / "scorekeeper.db", folder.parent / "backups").replace(folder.parent / "older.db")
        tap = hand(phone, game)
        other.get("/games/new")
        assert phone.get("/readyz").status == 200
        mishap(folder)
        for _ in range(6):
            phone.close()  # so that each worker is asked
            answer = phone.post(f"{game}/hands", **tap)
            assert answer.status == 503, answer.body
            assert FILE_GONE.heading in answer.body
            assert "Nothing was saved" in answer.body
            other.close()
            seats = {f"name-{seat}": name for seat, name in enumerate(FOUR)}
            answer = other.post("/games", preset="setback-21", seating="4p", first_dealer=3, **seats)
            assert answer.status == 503, answer.body
            assert other.get(game).status in {200, 503}, "a game is there, or it is said why not"
        time.sleep(SECONDS_REMEMBERED)
        ready = phone.get("/readyz")
        assert ready.status == 503
        assert "database: failed" in ready.body
    log = (folder.parent / "log").read_text()
    assert "scorekeeper.db" in log
    assert "Traceback" not in log


@pytest.mark.parametrize(
    "mishap",
    [
        remove,
        remove_log,
        replace,
        *(pytest.param(each, marks=pytest.mark.long) for each in (remove_folder, replace_by_nothing)),
    ],
)
def test_a_process_that_begins_later_knows_which_file_it_was(folder: Path, mishap: Callable[[Path], None]) -> None:
    """If the database file was deleted or replaced, new workers of the running server refuse all changes.

    After deleting or replacing the file, the test kills all workers, so the replies come from new workers.
    """
    server, _ = open_book(folder, "--workers", "2")
    try:
        with closing(WirePhone(server.url)) as phone:
            game = begin(phone)
            back_up(folder / "scorekeeper.db", folder.parent / "backups").replace(folder.parent / "older.db")
            tap = hand(phone, game)
            before = set(workers_of(server))
            mishap(folder)
            there = sorted(path.name for path in folder.glob("*"))
            for worker in before:
                os.kill(worker, signal.SIGKILL)
            until = time.monotonic() + 90
            while len(set(workers_of(server)) - before) < len(before):
                assert time.monotonic() < until, "nobody is there to answer"
                time.sleep(0.1)
            for _ in range(6):
                phone.close()
                answer = phone.post(f"{game}/hands", **tap)
                assert answer.status == 503, answer.body
                assert FILE_GONE.heading in answer.body
            assert not before & set(workers_of(server))
            assert sorted(path.name for path in folder.glob("*")) == there, "nothing new lies there"
            rescue(server, folder.parent / "rescued.db")
            with closing(sqlite3.connect(folder.parent / "rescued.db")) as connection:
                assert connection.execute("SELECT hands FROM game").fetchall() == [(1,)]
    finally:
        kill_group(server)


def test_a_file_that_is_moved_away_and_back(server: Server, folder: Path) -> None:
    with closing(WirePhone(server.url)) as phone:
        game = begin(phone)
        tap = hand(phone, game)
        file = folder / "scorekeeper.db"
        file.rename(folder / "away")
        assert phone.post(f"{game}/hands", **tap).status == 503
        (folder / "away").rename(file)
        assert phone.post(f"{game}/hands", **tap).status == 303
        assert hands(phone, game) == 2


def rescue(server: Server, target: Path) -> None:
    """Copy the database files that the server has open, even deleted ones, to `target`.

    These are the steps that OPERATING.md describes.
    """
    for opened in Path(f"/proc/{server.process.pid}/fd").iterdir():
        name = str(opened.readlink()).removesuffix(" (deleted)")
        if name.endswith(("scorekeeper.db", "scorekeeper.db-wal")):
            shutil.copyfile(opened, target.with_name(target.name + name.partition("scorekeeper.db")[2]))


@pytest.mark.parametrize("mishap", [remove, remove_folder, remove_log, replace, replace_by_nothing])
def test_what_was_acknowledged_is_brought_back(server: Server, folder: Path, mishap: Callable[[Path], None]) -> None:
    with closing(WirePhone(server.url)) as phone:
        game = begin(phone)
        back_up(folder / "scorekeeper.db", folder.parent / "backups").replace(folder.parent / "older.db")
        tap = hand(phone, game)
        assert phone.post(f"{game}/hands", **tap).status == 303
        key = (folder / "secret_key").read_bytes()
        mishap(folder)
        assert phone.bid(game, 5, 2, 2).status == 503
        rescue(server, folder.parent / "rescued.db")
        assert server.stop() == 0
        folder.mkdir(exist_ok=True)
        (folder / "secret_key").write_bytes(key)
        for old in folder.glob("scorekeeper.db*"):
            old.rename(folder.parent / f"old-{old.name}")
        put_back(folder, folder.parent / "rescued.db")
        again, _ = open_book(folder)
        try:
            phone.close()
            phone.reach(again.url)
            assert hands(phone, game) == 2
            assert phone.bid(game, 5, 2, 2).status == 303
        finally:
            kill_group(again)


def put_back(folder: Path, file: Path) -> None:
    """Restore the database in `folder` from `file` with `scorekeeper restore`."""
    words = [sys.executable, "-m", "scorekeeper", "restore", "--instance", str(folder), str(file)]
    ended = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_a_start_leaves_what_was_written_last_alone(folder: Path) -> None:
    """If the database file is missing or empty but its write-ahead log exists, the server refuses to start.

    A start could destroy the latest changes, which are only in the log. Once the database file is back, the server
    starts and has these changes.
    """
    server, _ = open_book(folder)
    with closing(WirePhone(server.url)) as phone:
        begin(phone)
    kill_group(server)
    file, log = folder / "scorekeeper.db", folder / "scorekeeper.db-wal"
    kept, before = file.read_bytes(), log.read_bytes()
    assert before
    file.unlink()
    assert f"There is {log}, which holds what was saved last, but no {file}" in refused(command(folder))
    file.touch()
    assert f"There is {log}, which holds what was saved last, but no {file}" in refused(command(folder))
    assert log.read_bytes() == before
    file.write_bytes(kept)
    log.unlink()
    assert f"{log} is missing" in refused(command(folder))
    log.write_bytes(before)
    server, _ = open_book(folder)
    server.stop()
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT hands FROM game").fetchall() == [(1,)]
