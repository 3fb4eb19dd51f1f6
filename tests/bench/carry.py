"""Measure how long moving a season to another database takes, and how many bytes, on SQLite and on PostgreSQL.

Run: python tests/bench/carry.py [NIGHTS [TABLES]]

A season of 36 nights with 20 tables, with an event log for each of its 2,880 games, is exported as a file and imported
into an empty database of the same kind. Standings, a player's page, the CSV and a new export must be the same there.
During the import, a phone scores a game in the other database, hand after hand. The exit status is 1 if anything
differs or a hand was not saved.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from flask import Flask  # noqa: E402  the checkout must be on the path first
from sqlalchemy import select  # noqa: E402

from scorekeeper import create_app  # noqa: E402
from scorekeeper.accounts.devices import COOKIE  # noqa: E402
from scorekeeper.config import Settings  # noqa: E402
from scorekeeper.games.services import scoring as service  # noqa: E402
from scorekeeper.games.services.scoring import ClientRequest  # noqa: E402
from scorekeeper.leagues.core.models import PersonRow  # noqa: E402
from scorekeeper.leagues.transfer.archive import bring_in, pack, read_archive, unpack  # noqa: E402
from scorekeeper.ops.boot import boot  # noqa: E402
from scorekeeper.rules.commands import EnterHand, Undo  # noqa: E402
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from scorekeeper.web.extensions import db  # noqa: E402
from tests.bench.season import DEVICE, SECRET  # noqa: E402
from tests.bench.season_rows import fill  # noqa: E402
from tests.support import databases  # noqa: E402
from tests.support.page import Page  # noqa: E402


@dataclass
class Phone:
    """A phone that keeps scoring a game. `taps` holds the seconds that each request took, and `wrong` the errors."""

    app: Flask
    taps: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def score(self) -> None:
        """Save a hand and undo it, again and again, until `stop` is set."""
        hand = {"bidder": 0, "bid": 2, "points": {"high": 0, "low": 0, "jack": 1, "game": 1}}
        with self.app.app_context():
            tap = ClientRequest("a phone", "a game of its own", None)
            game = service.start_game(
                rules=PRESETS["setback-21"],
                names=("Ann", "Bob", "Cid", "Dee"),
                sides=((0, 2), (1, 3)),
                first_dealer=3,
                request=tap,
            )
        while not self.stop.is_set():
            for command in (EnterHand(hand), Undo()):
                started = time.monotonic()
                with self.app.app_context():
                    tap = ClientRequest("a phone", f"tap number {len(self.taps)}", None)
                    try:
                        service.act(public_id=game, command=command, request=tap)
                    except Exception as error:  # noqa: BLE001  any error means the hand was not saved
                        self.wrong.append(repr(error))
                self.taps.append(time.monotonic() - started)
            time.sleep(0.02)


@contextmanager
def scoring(app: Flask) -> Iterator[Phone]:
    """Yield a phone that keeps scoring a game in `app`, in a thread, until the `with` block ends."""
    phone = Phone(app)
    thread = threading.Thread(target=phone.score)
    thread.start()
    try:
        while thread.is_alive() and not phone.taps:
            time.sleep(0.01)
        yield phone
    finally:
        phone.stop.set()
        thread.join()


@contextmanager
def book(folder: Path) -> Iterator[Flask]:
    """Create `folder`, and yield an app with a new database in that folder."""
    folder.mkdir()
    databases.variables_for(folder)
    settings = Settings(instance=folder, database_url=databases.url_for(folder), secret_key="0" * 32)
    boot(settings)
    app = create_app(settings)
    yield app
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
    databases.drop_book(folder)


def looked_at(app: Flask, season: str) -> dict[str, str]:
    """Return the text of a season's pages and CSV file, by path. Form tokens and ids are left out."""
    phone = app.test_client()
    phone.set_cookie(COOKIE, SECRET)
    with app.app_context():
        person = db.session.scalars(select(PersonRow.public_id).order_by(PersonRow.name)).first()
    told = {}
    for path in (f"/seasons/{season}", f"/people/{person}?night=all", f"/seasons/{season}/people.csv"):
        response = phone.get(path)
        assert response.status_code == 200, (path, response.status)
        told[path] = Page(response).text if response.mimetype == "text/html" else response.text
    return told


def carry(folder: Path, nights: int, tables: int) -> bool:
    """Move a season to another database and print the figures.

    The season has `nights` nights with `tables` tables each. Return True if the season arrived complete and no request
    of a phone failed during the move.
    """
    with book(folder / "here") as here:
        with here.app_context():
            league, season, _night = fill(DEVICE, nights, tables)
            started = time.monotonic()
            saved = read_archive(db.session(), league)
            db.session.rollback()  # PostgreSQL ends a transaction that is idle for a minute
            packed = pack(saved)
            print(f"    exported: {time.monotonic() - started:.1f} s, {len(packed):,} bytes")
        told = looked_at(here, season)
        with book(folder / "there") as there:
            with there.app_context(), scoring(there) as phone:
                started = time.monotonic()
                archive = unpack(packed)
                read = time.monotonic() - started
                bring_in(archive)
                print(f"    imported: {time.monotonic() - started:.1f} s, including {read:.1f} s to read the file")
            print(
                f"    {len(phone.taps)} requests of a phone during the import: the longest {max(phone.taps):.2f} s, "
                f"{len(phone.wrong)} not saved"
            )
            same = looked_at(there, season) == told
            with there.app_context():
                saved = read_archive(db.session(), league)
                db.session.rollback()
                again = pack(saved) == packed
            print(f"    same pages and CSV: {same}; same bytes when exported again: {again}")
            return same and again and not phone.wrong


def main(nights: int, tables: int) -> int:
    """Measure moving a season on SQLite, then on PostgreSQL, and print the figures.

    The season has `nights` nights with `tables` tables each. Return 1 if anything went wrong, else 0.
    """
    good = True
    print(f"{nights} nights of {tables} tables")
    for kind in ("sqlite", "postgresql"):
        print(kind)
        with databases.chosen(kind), tempfile.TemporaryDirectory() as folder:
            good &= carry(Path(folder), nights, tables)
    return 0 if good else 1


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    raise SystemExit(main(*(numbers + [36, 20][len(numbers) :])))
