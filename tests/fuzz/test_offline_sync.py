"""Hands of an offline phone are either saved, or refused with a message without changing anything."""

from __future__ import annotations

import base64
import json
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient
from hypothesis import strategies as st
from sqlalchemy import select

from scorekeeper.games.store.event_store import events_of, find, summary_of
from scorekeeper.games.store.models import GameRow
from scorekeeper.rules.replay import replay
from scorekeeper.web.extensions import db
from tests.fuzz.budget import fuzz
from tests.fuzz.mutation import dumped, encoded, json_bytes, mutated_bytes, mutated_values
from tests.fuzz.samples import TAILS
from tests.support.game import contents, path_of, play, start
from tests.support.game_steps import let_in
from tests.support.phone import Phone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

    from tests.fuzz.conftest import NewBook

pytestmark = [pytest.mark.slow, pytest.mark.fuzz, pytest.mark.database]

WAYS = ("waiting", "tail", "tail/acceptance", "tail/void", "carried", "/carry")
CODES = [b"z" + base64.urlsafe_b64encode(zlib.compress(json.dumps(tail).encode())[2:-4]).rstrip(b"=") for tail in TAILS]
BOMB = b"z" + base64.urlsafe_b64encode(zlib.compress(b" " * 200_000_000, 9)[2:-4])
"""Content of a link in a QR code: 260 kB that unpack to 200 MB."""


def logs_tell(app: Flask) -> None:
    """Raise `AssertionError` if the stored summary of a game differs from a replay of its log."""
    with app.app_context():
        session = db.session()
        for row in session.scalars(select(GameRow).where(GameRow.deleted_at.is_(None))):
            found = find(session, row.public_id)
            assert found is not None
            game = replay(logged.event for logged in events_of(session, found))
            summary = summary_of(game)
            assert {key: getattr(row, key) for key in summary} == summary


def test_hands_that_waited_are_taken_or_refused(new_book: NewBook) -> None:
    """Damaged hands from an offline phone are either saved, or refused without changing anything.

    Such hands are sent to every address for offline hands, by the game's main phone, another scorer and a stranger. The
    stored summary of a game always equals a replay of its log.
    """
    sendings = st.tuples(
        st.sampled_from(WAYS),
        st.integers(0, 2),
        st.one_of(
            encoded(mutated_values(TAILS).map(dumped)),
            json_bytes(TAILS),
            mutated_bytes(CODES, most=2),
            st.just(b"bomb"),
        ),
        st.sampled_from((0, 1, 2, 3, 4, 6, 9)),
        st.booleans(),
    )

    @contextmanager
    def claims() -> Iterator[Callable[[Any], None]]:
        with new_book() as app:
            phones = [phone for phone in (app.test_client() for _ in range(3)) if isinstance(phone, Phone)]
            board = start(phones[0])
            let_in(phones[0], phones[1], board, "1")
            play(phones[0], board, 0, 4, "AAAA")
            path = path_of(board)
            token = [phone.see("/").form("/games/import").values["csrf_token"] for phone in phones]
            taps = iter(range(10**9))
            held = contents(app)

            def claim(drawn: tuple[str, int, bytes, int, bool]) -> None:
                nonlocal held
                way, who, data, version, carried = drawn
                data = BOMB if data == b"bomb" else data
                sent: dict[str, Any] = {"headers": {"X-CSRFToken": token[who]}}
                if way == "waiting":
                    sent |= {"data": data, "content_type": "application/json"}
                else:
                    if way == "/carry" and data[:1] == b"{":
                        data = b'{"game": "' + path.rpartition("/")[2].encode() + b'", ' + data[1:]
                    sent["data"] = {
                        "sent": data.decode("utf-8", "replace"),
                        "client_id": f"tap-number-{next(taps):08d}",
                        "version": str(version),
                        **({"carried": "1"} if carried else {}),
                    }
                response = FlaskClient.open(
                    phones[who], way if way == "/carry" else f"{path}/{way}", method="POST", **sent
                )
                assert response.status_code in {200, 303, 400, 403, 404, 409, 413, 422}, response.status
                told = response.json if way == "waiting" and response.is_json else {}
                now = contents(app)
                writes = way not in {"/carry", "tail"} and who < 2 and response.status_code in {200, 303}
                if not writes and (told or {}).get("trouble") != "differs":
                    assert now == held, f"{response.status} and yet something changed"
                if now != held:
                    logs_tell(app)
                    for name in ("", "/log", "/table", "/race", "/sheet", "/record.json"):
                        assert FlaskClient.open(phones[0], path + name).status_code == 200, name
                    held = contents(app)

            yield claim

    assert fuzz(sendings, claims)
