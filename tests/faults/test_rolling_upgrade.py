"""No save fails while machines are upgraded one after another during play."""

from __future__ import annotations

import shutil
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper.db.outages import newest_revision
from tests.support import databases
from tests.support.server import command, environment, kill_group, start
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from tests.support.server import Server

pytestmark = [pytest.mark.database, pytest.mark.postgresql, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
KEY = "a secret key that both of the machines have"
NAMES = ("Ann", "Bob", "Cid", "Dee")
TOOK = {"high": 0, "low": 1, "jack": "none", "game": 0}
PHONES = 2
MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "{}"
branch_labels = None
depends_on = None
EXPANDS = True


def upgrade() -> None:
    op.add_column("game_event", sa.Column("weather", sa.String(length=20), nullable=True))
    op.create_table("umbrella", sa.Column("id", sa.Integer(), primary_key=True))
"""


class Evening:
    """Phones that play games and save each hand on the next server in `open`, as they would behind a load balancer."""

    def __init__(self) -> None:
        self.open: list[Server] = []
        self.saved: dict[str, int] = {}
        """Number of hands saved on each server, by its address."""
        self.refused: list[tuple[str, int, str]] = []
        self.over = threading.Event()
        self.lock = threading.Lock()

    def play(self, number: int) -> None:
        """Play one game until the event `over` is set. Each hand is saved on the next of the open servers in turn.

        `number` decides which server is first, so that phones begin on different servers.
        """
        with closing(WirePhone(self.open[0].url)) as phone:
            game = phone.start("setback-21", NAMES, seating="4p", first_dealer=3, **{"rule-target": 999})
            version = 1
            while not self.over.is_set():
                url = self.open[(number + version // 2) % len(self.open)].url
                phone.close()
                phone.reach(url)
                phone.get(game)
                answers = [phone.bid(game, version, 0, 2), phone.save(game, version + 1, TOOK)]
                version += 2
                with self.lock:
                    self.saved[url] = self.saved.get(url, 0) + 1
                    self.refused += [(url, each.status, each.body[:300]) for each in answers if each.status != 303]

    def until_saved(self, url: str, hands: int) -> None:
        """Wait until `hands` more hands were saved on the server at `url`."""
        wanted = self.saved.get(url, 0) + hands
        while self.saved.get(url, 0) < wanted:
            assert not self.refused, self.refused
            assert not self.over.wait(0.05)


def test_no_save_fails_while_one_machine_after_the_other_is_upgraded(tmp_path: Path) -> None:
    """No save fails while a newer version of the app migrates the database and runs beside the older one.

    Both versions save hands until the older version is stopped.
    """
    newer = tmp_path / "newer"
    for folder in ("scorekeeper", "templates", "static"):
        shutil.copytree(ROOT / folder, newer / folder, ignore=shutil.ignore_patterns("__pycache__"))
    versions = newer / "scorekeeper" / "migrations" / "versions"
    (versions / "9001_weather.py").write_text(MIGRATION.format(newest_revision()))
    evening = Evening()
    env = environment(**databases.variables_for(tmp_path), SECRET_KEY=KEY)
    older = start(command(tmp_path / "one"), env | {"PYTHONPATH": str(ROOT)}, cwd=tmp_path)
    servers = [older]
    evening.open = [older]
    phones = [threading.Thread(target=evening.play, args=(number,)) for number in range(PHONES)]
    try:
        for phone in phones:
            phone.start()
        evening.until_saved(older.url, 2)
        upgraded = start(command(tmp_path / "two"), env | {"PYTHONPATH": str(newer)}, cwd=newer)
        servers.append(upgraded)
        assert any("upgraded to this version" in line for line in upgraded.said)
        evening.until_saved(older.url, 4)
        evening.open = [older, upgraded]
        evening.until_saved(older.url, 4)
        evening.until_saved(upgraded.url, 4)
        evening.open = [upgraded]
        evening.until_saved(upgraded.url, 4)
        assert older.stop() == 0
        evening.until_saved(upgraded.url, 4)
    finally:
        evening.over.set()
        for phone in phones:
            phone.join(timeout=60)
        for server in servers:
            kill_group(server)
        databases.drop_book(tmp_path)
    assert not evening.refused
