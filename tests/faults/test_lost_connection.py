"""If the connection to PostgreSQL breaks while a hand or bid is saved, the phone still gets the right reply."""

from __future__ import annotations

import contextlib
import socket
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from scorekeeper import create_app
from scorekeeper.games.store.models import EventRow
from scorekeeper.web.errors import UNCERTAIN
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.support import databases
from tests.support.game import start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

pytestmark = [pytest.mark.database, pytest.mark.postgresql]

BUFFER = 65_536


@contextlib.contextmanager
def _hung_up(*sockets: socket.socket) -> Iterator[None]:
    """Close all sockets at the end of the `with` block, even if another thread is waiting for data from one."""
    try:
        yield
    finally:
        for each in sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


@dataclass
class Cable:
    """A proxy between the app and PostgreSQL that breaks the connection once.

    It breaks when all statements listed in `waits_for` have passed through the proxy in this order.
    """

    listener: socket.socket
    target: str
    waits_for: tuple[bytes, ...] = ()
    """Parts of SQL statements that must pass in this order; the connection breaks at the last of these statements."""
    arrives: bool = True
    """True if PostgreSQL gets the statement at which the connection breaks, so that only its reply is lost."""
    broken: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def serve(self) -> None:
        """Accept connections until the listener is closed."""
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self.target)
                lost = threading.Event()
                for pump in (self._there, self._back):
                    threading.Thread(target=pump, args=(client, server, lost), daemon=True).start()

    def _there(self, client: socket.socket, server: socket.socket, lost: threading.Event) -> None:
        with contextlib.suppress(OSError), _hung_up(client, server):
            while data := client.recv(BUFFER):
                if self._breaks_at(data):
                    lost.set()
                    if not self.arrives:
                        return
                server.sendall(data)

    def _back(self, client: socket.socket, server: socket.socket, lost: threading.Event) -> None:
        with contextlib.suppress(OSError), _hung_up(client, server):
            while (data := server.recv(BUFFER)) and not lost.is_set():
                client.sendall(data)

    def _breaks_at(self, data: bytes) -> bool:
        with self.lock:
            if not self.waits_for or self.waits_for[0] not in data:
                return False
            self.waits_for = self.waits_for[1:]
            self.broken += not self.waits_for
            return not self.waits_for


@pytest.fixture
def cable(app: Flask, client: Phone, tmp_path: Path) -> Iterator[Cable]:
    """Yield a proxy to PostgreSQL, and let `client` use an app that is connected through it."""
    target = databases.server().folder / ".s.PGSQL.5432"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = Cable(listener, str(target))
        threading.Thread(target=made.serve, daemon=True).start()
        address = f"postgres@127.0.0.1:{listener.getsockname()[1]}/{databases.name_for(tmp_path)}"
        far = create_app(structs.replace(settings_in(tmp_path), database_url=f"postgresql+psycopg://{address}"))
        far.testing = True
        client.application = far
        yield made
        client.application = app
        with far.app_context():
            db.engine.dispose()


@pytest.mark.parametrize(
    ("statements", "arrives"),
    [
        ((b"INSERT INTO game_event", b"COMMIT"), True),
        ((b"INSERT INTO game_event", b"COMMIT"), False),
        ((b"INSERT INTO game_event",), False),
    ],
)
def test_a_hand_is_saved_once(
    client: Phone, app: Flask, cable: Cable, statements: tuple[bytes, ...], arrives: bool
) -> None:
    """If the connection to PostgreSQL breaks while a bid is saved, the phone is still told that the bid is saved.

    The log has the bid once, whether or not PostgreSQL got the commit.
    """
    board = start(client)
    cable.arrives, cable.waits_for = arrives, statements
    client.submit(board, f"{board.path}/bid", 303, call="0:3")
    assert cable.broken == 1
    with app.app_context():
        kinds = [row.kind for row in db.session().query(EventRow).order_by(EventRow.seq)]
    assert kinds == ["GameStarted", "BidTaken"]


@pytest.mark.parametrize("arrives", [True, False])
def test_a_change_without_a_key_may_have_been_saved(client: Phone, cable: Cable, arrives: bool) -> None:
    """If the connection breaks while a form without a request key is saved, the page says that the outcome is unknown.

    Without a key, the app can't safely repeat the change. After a reload, the page shows whether the change was saved.
    """
    league = client.submit(client.see("/leagues"), "/leagues", name="Fire Hall")
    people = client.see(f"{league.path}/people")
    cable.arrives, cable.waits_for = arrives, (b"INSERT INTO league_event", b"COMMIT")
    page = client.submit(people, f"{league.path}/people", 503, names="Zebulon")
    assert page.h1 == UNCERTAIN.heading
    assert page.response.headers["Retry-After"]
    assert ("Zebulon" in client.see(f"{league.path}/people").text) is arrives
