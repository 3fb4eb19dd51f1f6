"""Only one process can write at a time, so no game is read or replayed from its start during a write."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.games.logic.reconcile import WaitingHand
from scorekeeper.games.services import hands, offline_sync, scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.services.table_file import read_text
from scorekeeper.games.store import event_store
from scorekeeper.rules import record as rules_record
from scorekeeper.rules.commands import Abandon, EnterHand
from scorekeeper.rules.replay import replay
from scorekeeper.web.extensions import db
from tests.support.game import path_of
from tests.support.game_steps import import_record

if TYPE_CHECKING:
    from types import FrameType

    from flask import Flask

    from tests.support.phone import Phone

pytestmark = pytest.mark.database

LONG = (event_store.events_of, replay, rules_record.read_record)
"""Functions that take longer for games with more events."""
POINTS = {"bidder": 0, "bid": 2, "points": {"high": 0, "low": 0, "jack": 1, "game": 1}}
RECORD: dict[str, Any] = {
    "format": "scorekeeper-game/1",
    "ruleset": {"preset": "setback-21", "options": {"target": 99}},
    "players": ["Ann", "Bob", "Cid", "Dee"],
    "sides": [[0, 2], [1, 3]],
    "first_dealer": 0,
    "hands": [POINTS] * 5,
}

ACTS: dict[str, Callable[[str, ClientRequest], object]] = {
    "a hand": lambda game, tap: scoring.act(public_id=game, command=EnterHand(POINTS), request=tap),
    "an end": lambda game, tap: scoring.act(public_id=game, command=Abandon(), request=tap),
    "names": lambda game, tap: scoring.name_players(public_id=game, names=("A", "B", "C", "D"), request=tap),
    "a substitute": lambda game, tap: scoring.replace_player(public_id=game, seat=0, name="Eve", request=tap),
    "a hand from another phone": lambda game, tap: hands.report_hand(
        public_id=game,
        command=lambda _then: EnterHand(POINTS),
        number=5,
        request=ClientRequest(tap.device, "another-tap", 5),
    ),
    "hands from no signal": lambda game, tap: offline_sync.save_waiting(
        public_id=game, device=tap.device, version=6, hands=[WaitingHand("phone-made-1", 6, {"dealer": 1} | POINTS)]
    ),
    "a tail": lambda game, tap: offline_sync.accept_tail(
        public_id=game,
        device=tap.device,
        version=6,
        hands=[WaitingHand("phone-made-2", 2, {"dealer": 1} | POINTS | {"bid": 3})],
    ),
    "another one": lambda game, tap: scoring.rematch(public_id=game, request=tap),
}


@contextmanager
def locked_out() -> Iterator[set[str]]:
    """Watch for calls of slow functions during a write, and yield a set to which their names are added.

    The functions in `LONG` count as slow. Only calls inside the `with` block are seen.
    """
    called: set[str] = set()
    codes = {function.__code__: function.__name__ for function in LONG}

    def look(frame: FrameType, happened: str, _argument: Any) -> None:
        if happened == "call" and frame.f_code in codes and db.session().info.get("writing"):
            called.add(codes[frame.f_code])

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        yield called
    finally:
        sys.setprofile(before)


@pytest.mark.parametrize("what", ACTS)
def test_a_game_is_read_before_the_write(app: Flask, client: Phone, what: str) -> None:
    """If a process doesn't have a game in memory, it reads the game before the write, not during the write."""
    game = path_of(import_record(client, RECORD)).split("/")[2]
    with app.app_context():
        found = event_store.find(db.session(), game)
        assert found is not None
        db.session.rollback()
        event_store._games.clear()
        with locked_out() as called:
            ACTS[what](game, ClientRequest(found.device, "a-tap-here", 6))
    # A new game has one event.
    assert called <= ({"replay"} if what == "another one" else set())


def test_a_record_is_replayed_before_the_write(app: Flask, client: Phone) -> None:
    with app.app_context(), locked_out() as called:
        game = scoring.import_game(
            record=read_text(json.dumps(RECORD).encode()), request=ClientRequest("me", "a-tap-here")
        )
    assert not called
    assert len(client.see(f"/watch/{game}").all("tr")) > len(RECORD["hands"])
