"""Print how long the pages of a home table with 2,000 games take, with and without their cache.

Usage: .venv/bin/python -m tests.bench.our_table [games]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import insert, select

from scorekeeper import create_app
from scorekeeper.games.store import home_games
from scorekeeper.games.store.models import GameRow
from scorekeeper.ops.boot import boot
from scorekeeper.web.extensions import writing
from tests.conftest import settings_in
from tests.support.game import CLEAN, play_all, start
from tests.support.page import words
from tests.support.phone import Phone

ROUNDS = 9


def main(games: int) -> None:
    """Make a home table with `games` games, and print how long each page takes with an empty and with a filled cache.

    The times are medians in milliseconds.
    """
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_in(Path(folder))
        boot(settings)
        app = create_app(settings)
        phone = Phone(app, use_cookies=True)
        play_all(phone, start(phone), CLEAN)
        with app.app_context():
            fill(games)
        page = phone.see("/table")
        ann = next(str(each.get("href")) for each in page.all("a") if words(each) == "Ann")
        who = ann.rsplit("/", 1)[-1]
        for path in ("/", "/table", ann, "/table/games", f"/table/games?of=won:{who}", f"/table?people={who}"):
            cold, warm = (median(phone, path, forget=forget) for forget in (True, False))
            print(f"{path[:40]:40}  cold {cold:6.1f} ms  remembered {warm:6.1f} ms")


def fill(games: int) -> None:
    """Copy the only game until there are `games` games. The copies have different bids, winners and times."""
    chance = Random(17)
    with writing() as session:
        row = session.scalars(select(GameRow)).one()
        columns = {key: getattr(row, key) for key in GameRow.__table__.columns.keys() if key != "id"}  # noqa: SIM118
        rows: list[dict[str, Any]] = []
        for number in range(games - 1):
            bids = [[hand, chance.choice(row.players), str(chance.choice((2, 3, 4))), 1, 3] for hand in range(1, 16)]
            began = row.started_at - timedelta(hours=number * 20)
            rows.append(
                columns
                | {"public_id": f"copy{number}", "client_id": f"copy{number}", "started_at": began, "updated_at": began}
                | {"winner": chance.randrange(2), "facts": {"bids": bids, "behind": chance.choice((0, 9))}}
            )
        session.execute(insert(GameRow), rows)


def median(phone: Phone, path: str, *, forget: bool) -> float:
    """Return the median time in milliseconds of a request for `path`. With `forget`, the cache is always empty."""
    taken = []
    for _ in range(ROUNDS):
        if forget:
            home_games.forget()
        begun = time.perf_counter()
        status = phone.get(path, headers={"X-Bench": "1"}).status_code
        taken.append((time.perf_counter() - begun) * 1000)
        assert status == 200, (path, status)
    return statistics.median(taken)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
