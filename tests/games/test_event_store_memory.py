"""The games that a process keeps in memory always equal the log."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from scorekeeper import create_app
from scorekeeper.db.database import Recent
from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store import event_store
from scorekeeper.rules.commands import Abandon, EnterHand, Reopen, TakeBid, Undo, WithdrawBid
from scorekeeper.rules.events import HandScored
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import replay
from scorekeeper.rules.scoring import Hand
from scorekeeper.web.extensions import db, writing
from tests.conftest import settings_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from scorekeeper.rules.commands import Command

RULES = PRESETS["setback-21"]
HAND = EnterHand({"points": {"high": 0, "low": 0, "jack": None, "game": 1}})


@pytest.fixture
def other_worker(app: Flask, tmp_path: Path) -> Iterator[Flask]:
    """Yield a second app on the same database, with its own games in memory."""
    other = create_app(settings_in(tmp_path))
    yield other
    with other.app_context():
        db.engine.dispose()


@pytest.fixture
def game(app: Flask) -> str:
    """Return the public id of a new game of the phone "me"."""
    with app.app_context():
        return scoring.start_game(
            rules=RULES,
            names=("Ann", "Bob", "Cid", "Dee"),
            sides=((0, 2), (1, 3)),
            first_dealer=3,
            request=tap("start", None),
        )


def tap(word: str, version: int | None) -> ClientRequest:
    """Return a request of the phone "me" from a page at `version` of the game.

    The request's id is "tap-" followed by `word`.
    """
    return ClientRequest("me", f"tap-{word}", version)


def act(app: Flask, game: str, command: Command, version: int, word: str = "") -> Game:
    """Carry out `command` on the worker `app`, and return the changed game.

    `game` is the game's public id. The request comes from a page at `version` of the game, and its id ends with `word`.
    If `word` is "", the id ends with the version.
    """
    with app.app_context():
        return scoring.act(public_id=game, command=command, request=tap(word or str(version), version))


def read(app: Flask, game: str) -> Game:
    """Return the game as the worker `app` has it, and check that it equals a replay of the log."""
    with app.app_context():
        session = db.session()
        found = event_store.find(session, game)
        assert found is not None
        told = event_store.load(session, found).game
        assert told == replay(logged.event for logged in event_store.events_of(session, found))
        assert told.version == found.version
        return told


def test_workers_take_turns(app: Flask, other_worker: Flask, game: str) -> None:
    for hand, (one, two) in enumerate([(app, other_worker), (other_worker, app), (app, app)] * 2):
        act(one, game, TakeBid(0, 2), 2 * hand + 1)
        after = act(two, game, HAND, 2 * hand + 2)
        assert after.tally.totals == (2 * (hand + 1), hand + 1)
        assert read(one, game) == read(two, game) == after
    act(app, game, Undo(), 13)
    assert read(other_worker, game).tally.totals == (10, 5)


def test_a_rolled_back_write_is_forgotten(app: Flask, game: str) -> None:
    act(app, game, TakeBid(0, 2), 1, "first")
    read(app, game)
    with app.app_context(), pytest.raises(IntegrityError), writing() as session:
        found = event_store.find(session, game, to_write=True)
        assert found is not None
        before, event = event_store.load(session, found).game, HandScored(Hand(3, 0, 2, (4, 0)))
        event_store.append(session, found, before, [event], device="me", client_id="tap-first", now=datetime.now(UTC))
    assert read(app, game).version == 2
    assert act(app, game, HAND, 2, "second").tally.totals == (2, 1)
    assert read(app, game).tally.totals == (2, 1)


def test_a_log_has_a_limit(app: Flask, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a game's log has reached its limit, further events are refused.

    Otherwise a program could fill a log for hours, which would slow down everyone who opens the game.
    """
    monkeypatch.setattr(event_store, "MOST_EVENTS", 3)
    act(app, game, TakeBid(0, 2), 1)
    before = act(app, game, HAND, 2)
    with pytest.raises(RuleViolation, match=r"history is full \(3 entries\)"):
        act(app, game, TakeBid(1, 2), 3)
    assert read(app, game) == before


def test_a_full_game_can_still_be_ended(app: Flask, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_store, "MOST_EVENTS", 2)
    act(app, game, TakeBid(0, 2), 1)
    with pytest.raises(RuleViolation, match=r"history is full \(2 entries\)"):
        act(app, game, WithdrawBid(), 2)
    assert act(app, game, Abandon(), 2).over
    with pytest.raises(RuleViolation, match=r"history is full \(2 entries\)"):
        act(app, game, Reopen(), 3)


@pytest.mark.sqlite
def test_a_restored_database_is_read_again(app: Flask, other_worker: Flask, game: str, tmp_path: Path) -> None:
    copy(tmp_path / "scorekeeper.db", tmp_path / "copy.db")
    act(app, game, TakeBid(0, 4), 1)
    act(app, game, HAND, 2)
    assert read(app, game).tally.totals == (-4, 1)
    copy(tmp_path / "copy.db", tmp_path / "scorekeeper.db")
    act(other_worker, game, TakeBid(0, 2), 1)
    act(other_worker, game, HAND, 2)
    assert read(app, game).tally.totals == (2, 1)


def copy(source: Path, target: Path) -> None:
    """Copy an SQLite database that may be in use."""
    with sqlite3.connect(source) as one, sqlite3.connect(target) as other:
        one.backup(other)
    one.close()
    other.close()


def test_a_process_does_not_remember_every_game(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_store, "_games", Recent(3))
    with app.app_context():
        games = [
            scoring.start_game(
                rules=RULES, names=list("ABCD"), sides=((0, 2), (1, 3)), first_dealer=0, request=tap(f"{n}", None)
            )
            for n in range(5)
        ]
        for public_id in games:
            read(app, public_id)
        kept = [event_store._games.get(db.session(), public_id) for public_id in games]
        assert [told is not None for told in kept] == [False, False, True, True, True]
