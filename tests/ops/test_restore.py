"""Restoring a backup brings back every total, keeps the replaced database, and refuses a bad file."""

from __future__ import annotations

import secrets
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from scorekeeper.db.data_folder import held
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.ops import restore as restoring
from scorekeeper.ops.backup.copying import BackupError
from scorekeeper.ops.backup.schedule import back_up
from scorekeeper.ops.restore import restore
from scorekeeper.rules.commands import EnterHand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.support.game import FOUR, contents, totals
from tests.support.newer_version import newer_version

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask

    from scorekeeper.ops.restore import Restored
    from tests.support.phone import Phone

pytestmark = pytest.mark.sqlite


def score(app: Flask, hands: int, game: str = "") -> str:
    """Enter `hands` hands, in each of which the sides take 3 points and 1 point, and return the game's id.

    The hands are added to `game`, or to a new game if `game` is empty.
    """
    with app.app_context():
        if not game:
            tap = ClientRequest("me", secrets.token_urlsafe(8))
            sides = ((0, 2), (1, 3))
            game = scoring.start_game(rules=PRESETS["setback-21"], names=FOUR, sides=sides, first_dealer=3, request=tap)
        for _ in range(hands):
            hand = EnterHand({"bidder": 0, "bid": 2, "taken": [3, 1]})
            scoring.act(public_id=game, command=hand, request=ClientRequest("me", secrets.token_urlsafe(8)))
    return game


def close(app: Flask) -> None:
    """Close the app's database, as a server does when it stops."""
    with app.app_context():
        db.engine.dispose()
    if file := app.extensions["database_file"]:
        file.opened = None  # the next server takes whatever file there is


def put_back(backup: Path, folder: Path) -> Restored:
    """Restore `backup` to the database in `folder`."""
    return restore(backup, folder / "scorekeeper.db", settings_in(folder))


@pytest.fixture
def backup(app: Flask, tmp_path: Path) -> Path:
    """Back up a closed database with one game of two hands, and return the path of the backup."""
    score(app, 2)
    close(app)
    return back_up(tmp_path / "scorekeeper.db", tmp_path / "backups")


def files(folder: Path) -> dict[str, bytes]:
    """Return the content of each database file in `folder` by file name, including side files such as the log."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if ".db" in path.name or "restoring" in path.name}


@pytest.mark.slow
def test_the_drill(app: Flask, client: Phone, tmp_path: Path) -> None:
    """Restoring a backup brings back all rows and totals from the time of the backup.

    The replaced database, with hands entered after the backup, is kept and can be restored too.
    """
    games = [score(app, hands) for hands in range(5)]
    then, shown = contents(app), [totals(client.see(f"/games/{game}")) for game in games]
    made = back_up(tmp_path / "scorekeeper.db", tmp_path / "backups")

    for game in games[:3]:
        score(app, 1, game)
    score(app, 0)
    later = contents(app)
    assert later != then
    close(app)

    restored = put_back(made, tmp_path)
    assert (restored.games, restored.events) == (5, len(then["game_event"]))
    assert contents(app) == then
    assert [totals(client.see(f"/games/{game}")) for game in games] == shown
    assert shown == [[str(3 * hands), str(hands)] for hands in range(5)]
    score(app, 1, games[0])  # it can be written to
    close(app)

    assert restored.before is not None
    assert put_back(restored.before, tmp_path).games == 6, "what was there before is kept, and can be put back as well"
    assert contents(app) == later
    assert made.exists()


def test_where_there_is_nothing_yet(backup: Path, tmp_path: Path) -> None:
    """A restore works in a data folder that doesn't exist yet, and creates the folder."""
    restored = put_back(backup, tmp_path / "new")
    assert (restored.games, restored.before) == (1, None)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["lock", "scorekeeper.db", "serving"]


def test_what_was_not_in_the_file_yet_is_kept_too(app: Flask, backup: Path, tmp_path: Path) -> None:
    """A restore also moves the old database's write-ahead log aside, so no hand in that log is lost.

    A server that is killed leaves hands in the log that aren't in the database file yet.
    """
    score(app, 1)
    then = contents(app)
    for name in ("scorekeeper.db", "scorekeeper.db-wal"):
        shutil.copy(tmp_path / name, tmp_path / f"killed-{name}")
    close(app)
    for name in ("scorekeeper.db", "scorekeeper.db-wal"):
        (tmp_path / f"killed-{name}").replace(tmp_path / name)
    restored = put_back(backup, tmp_path)
    assert restored.before is not None
    assert restored.games == 1
    assert put_back(restored.before, tmp_path).games == 2
    assert contents(app) == then


def test_what_lies_beside_a_score_book_that_is_gone_is_no_part_of_the_backup(
    app: Flask, client: Phone, backup: Path, tmp_path: Path
) -> None:
    """A write-ahead log left by a deleted database is moved aside before a restore.

    Otherwise SQLite would apply that log to the restored backup.
    """
    then = contents(app)
    for _ in range(3):
        score(app, 1)
    log = tmp_path / "scorekeeper.db-wal"
    shutil.copy(log, tmp_path / "kept")
    close(app)
    (tmp_path / "scorekeeper.db").unlink()
    (tmp_path / "kept").replace(log)
    left = log.read_bytes()
    assert put_back(backup, tmp_path).before is None
    [aside] = tmp_path.glob("scorekeeper-before-*.db-wal")
    assert aside.read_bytes() == left
    assert contents(app) == then


def test_a_damaged_score_book_is_replaced_and_kept(backup: Path, tmp_path: Path) -> None:
    """A restore replaces a damaged database, which is moved aside."""
    book = tmp_path / "scorekeeper.db"
    book.write_bytes(b"torn" * 2000)
    (tmp_path / "scorekeeper.db-wal").write_bytes(b"torn too")
    restored = put_back(backup, tmp_path)
    assert restored.games == 1
    assert restored.before is not None
    assert restored.before.read_bytes() == b"torn" * 2000
    assert restored.before.with_name(f"{restored.before.name}-wal").read_bytes() == b"torn too"
    assert not (tmp_path / "scorekeeper.db-wal").exists()


def tear(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def overwrite(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\x55" * (len(whole) - 4096))


def renumber(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def orphan(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO scorer (game_id, device, since) VALUES (77, 'x', '2026-01-01 00:00:00')")


def another(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")


def unguard(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")


def tamper(path: Path, change: str) -> None:
    """Change one row of an append-only log by the SQL statement `change`; `path` is the path of the database.

    The triggers that protect the log are dropped before the change and created again after it.
    """
    with closing(sqlite3.connect(path)) as connection, connection:
        guards = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")]
        unguard(path)
        assert connection.execute(change).rowcount == 1
        for guard in guards:
            connection.execute(guard)


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "gone": (lambda path: path.unlink(), r"^There is no file "),
    "empty": (lambda path: path.write_bytes(b""), r"isn't a Scorekeeper database. Nothing was changed\.$"),
    "text": (lambda path: path.write_text("Ann 12, Bob 9\n" * 200), r"is damaged or isn't a database. Nothing was"),
    "torn": (tear, r"is damaged or isn't a database. Nothing was changed\.$"),
    "overwritten": (overwrite, r"is damaged or isn't a database. Nothing was changed\.$"),
    "incoherent": (orphan, r"is damaged, so no copy was made\.$"),
    "another": (another, r"isn't a Scorekeeper database. Nothing was changed\.$"),
    "without guards": (unguard, r"is incomplete: The log account_event isn't guarded against changes: its trigger is"),
    "with a hole": (
        lambda path: tamper(path, "DELETE FROM game_event WHERE seq = 2"),
        r"is incomplete: Game \w+ is missing entry 2 of its log\. Nothing was changed\.",
    ),
    "cut short": (
        lambda path: tamper(path, "DELETE FROM game_event WHERE seq = (SELECT max(seq) FROM game_event)"),
        r"is incomplete: Game \w+ is missing entry 3 of its log\.",
    ),
    "with an empty entry": (
        lambda path: tamper(path, "UPDATE game_event SET data = '{}' WHERE seq = 2"),
        r"is incomplete: Game \w+ can't be replayed: entry 2 of its log is damaged\.",
    ),
    "with half an entry": (
        lambda path: tamper(path, "UPDATE game_event SET data = '{' WHERE seq = 3"),
        r"is incomplete: Game \w+ can't be replayed: entry 3 of its log is damaged\.",
    ),
    "begun twice": (
        lambda path: tamper(
            path,
            "UPDATE game_event SET (kind, data, format) = (SELECT kind, data, format FROM game_event WHERE seq = 1) "
            "WHERE seq = 2",
        ),
        r"is incomplete: Game \w+ can't be replayed: the entries of its log contradict each other\.",
    ),
    "newer": (renumber, r"was written by a version of Scorekeeper that this one doesn\'t know\. Nothing was changed\."),
}


@pytest.mark.parametrize("how", BAD)
def test_a_bad_file_is_refused_and_changes_nothing(backup: Path, tmp_path: Path, how: str) -> None:
    spoil, why = BAD[how]
    spoil(backup)
    before = files(tmp_path)
    with pytest.raises(BackupError, match=why):
        put_back(backup, tmp_path)
    assert files(tmp_path) == before


def test_one_that_is_not_whole_is_restored_where_that_is_asked_for(backup: Path, tmp_path: Path) -> None:
    """With the argument `anyway=True`, even an incomplete backup is restored.

    An incomplete backup may be the only backup, and people can go on with the games in it that aren't damaged.
    """
    tamper(backup, "DELETE FROM game_event WHERE seq = 2")
    restored = restore(backup, tmp_path / "scorekeeper.db", settings_in(tmp_path), anyway=True)
    assert (restored.games, restored.events) == (1, 2)


def test_the_score_book_is_no_backup_of_itself(backup: Path, tmp_path: Path) -> None:
    before = files(tmp_path)
    with pytest.raises(BackupError, match="is the database itself"):
        put_back(tmp_path / "scorekeeper.db", tmp_path)
    assert files(tmp_path) == before


def test_not_while_it_is_open(backup: Path, tmp_path: Path) -> None:
    before = files(tmp_path)
    with held(tmp_path / "serving", shared=True), pytest.raises(BackupError, match="Stop it first"):
        put_back(backup, tmp_path)
    assert files(tmp_path) == before
    assert put_back(backup, tmp_path).games == 1


def test_an_older_backup_is_brought_to_this_version(app: Flask, client: Phone, backup: Path, tmp_path: Path) -> None:
    """A backup from an older version of the app is upgraded when it is restored."""
    with newer_version(tmp_path / "newer") as revision:
        assert put_back(backup, tmp_path).games == 1
        client.see("/")
        assert len(contents(app)["game"]) == 1
        with app.app_context(), db.engine.connect() as connection:
            assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one() == revision


def test_a_migration_that_fails_leaves_all_as_it_was(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If upgrading a backup fails, the restore doesn't change the database.

    The backup is upgraded before it replaces the database.
    """
    before = files(tmp_path)

    def fail(*_: object) -> None:
        raise BackupError("The power went out.")

    monkeypatch.setattr(restoring, "bring_forward", fail)
    with pytest.raises(BackupError, match="power"):
        put_back(backup, tmp_path)
    assert files(tmp_path) == before


def test_those_who_could_use_it_still_can(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "scorekeeper.db").chmod(0o660)
    put_back(backup, tmp_path)
    assert (tmp_path / "scorekeeper.db").stat().st_mode & 0o777 == 0o660
