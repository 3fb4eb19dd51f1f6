"""Store what every page says, and compare it after a change that only moves code: not one byte may differ.

Run on the commit before: .venv/bin/python -m tests.support.net store FOLDER
Run on the commit after:  .venv/bin/python -m tests.support.net compare FOLDER

`store` fills a database in FOLDER with the two leagues and the games of the access tests, the demo league, and a game
of each preset, every other one to its end. It opens every address of `routes.txt` as those who may do most and as a
stranger, and follows the links of these pages, of the demo league and of the games. Each page is stored in three
languages. `compare` opens the same addresses in a copy of that database, prints what differs, and exits with 1 if
anything does. The clock stands still, and tokens of forms and ids of taps are the same for all pages.
"""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import sys
import tempfile
from collections import Counter, deque
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from difflib import unified_diff
from functools import cache
from html import unescape
from itertools import islice
from pathlib import Path
from random import Random
from shutil import copyfile
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

import pytest
from cachetools import LRUCache
from itsdangerous import TimestampSigner
from sqlalchemy import select

from scorekeeper import create_app
from scorekeeper.accounts import sessions
from scorekeeper.games.services.scoring import ClientRequest, act, start_game
from scorekeeper.insight import odds
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.transfer.archive import bring_in
from scorekeeper.leagues.transfer.demo import demo_archive
from scorekeeper.leagues.transfer.demo_data import DEVICE, deals
from scorekeeper.ops.boot import boot
from scorekeeper.rules.commands import EnterHand, TakeBid
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.table import table_at
from scorekeeper.web.assets import current_version
from scorekeeper.web.extensions import db, writing
from tests.conftest import settings_in
from tests.security.access.league import hashed
from tests.security.access.test_reading_changes_nothing import paths
from tests.security.access.world import make_world
from tests.support.quick_passwords import quick_passwords

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

LANGUAGES = ("en", "es", "fr")
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
HANDS = 4
ALIKE = 1
"""Number of pages that are opened from the same start, of the same kind and with the same fields in their query."""
SHOWN = 40
"""Number of different lines that `compare` prints for a page."""
OPENED = "lost=1&score=1&watch=1"
"""Query that opens the folded parts of a page."""
UNREAD = ("static", "web.asset")

Wanted = tuple[str, str]
"""(cookies, address) of a page."""


class _Kind(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, datetime)


class Still(datetime, metaclass=_Kind):
    """A `datetime` for which the time is always `moment`."""

    moment: ClassVar[datetime]

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Any:
        """Return `moment`."""
        return cls.moment.astimezone(tz)


@contextmanager
def nothing_random(moment: datetime) -> Iterator[None]:
    """Stop the clock of all modules of the app at `moment`, and make all random tokens alike, in the `with` block."""
    Still.moment = moment
    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            if name.startswith("scorekeeper") and getattr(module, "datetime", None) is datetime:
                patch.setattr(module, "datetime", Still)
        patch.setattr(secrets, "token_urlsafe", lambda size=32: "x" * (4 * size // 3))
        patch.setattr(secrets, "token_hex", lambda size=32: "0" * (2 * size))
        patch.setattr(secrets, "randbelow", lambda _most: 0)
        patch.setattr(os, "urandom", bytes)
        patch.setattr(TimestampSigner, "get_timestamp", lambda _self: int(moment.timestamp()))
        yield


def app_in(folder: Path) -> Flask:
    """Return the app for the database in `folder`."""
    settings = settings_in(folder)
    boot(settings)
    app = create_app(settings)
    app.testing = True
    app.config["SIGN_UP"] = True
    sessions.FRESH = timedelta(days=1)
    odds._known = LRUCache(1000)
    odds.SECONDS = 60  # the same result on a machine that is slow
    for table in (table_at(rules, rules.seatings[0]) for rules in PRESETS.values()):
        if len(table.sides) == 2 and table.rules.target <= 21:
            odds.solved(table)
    return app


def fill(app: Flask) -> list[list[Wanted]]:
    """Fill the database, and return lists of pages, from each of which links are followed."""
    world = make_world(app)
    cookies = [world.cookies["starter"], world.cookies["device"], ""]
    plain = [path for method, path, endpoint, _of in paths(world) if method == "GET" and endpoint not in UNREAD]
    starts = [[(cookie, path) for path in plain for cookie in cookies]]
    starts.append([(cookie, f"{path}?{OPENED}") for path in plain for cookie in cookies[:2]])
    with app.app_context():
        league = bring_in(demo_archive(datetime.now(UTC).replace(microsecond=0)))
        with writing() as session:
            session.scalars(select(LeagueRow).where(LeagueRow.device == DEVICE)).one().device = hashed("device")
        starts.append([(world.cookies["device"], f"/leagues/{league}"), ("", f"/leagues/{league}")])
        for number, preset in enumerate(PRESETS):
            game = f"/games/{game_of(preset, ends=number % 2 == 1)}"
            starts.append([(world.cookies["starter"], game), ("", f"{game}/watch")])
    return starts


def game_of(preset: str, *, ends: bool) -> str:
    """Start a game of `preset`, play a few hands or to its end, and return its public id."""
    rules = PRESETS[preset]
    seating = rules.seatings[0]
    table = table_at(rules, seating)
    tap = ClientRequest(hashed("starter"), f"{preset} {ends}")
    game = start_game(
        rules=rules, names=NAMES[: table.players], sides=table.sides, first_dealer=table.players - 1, request=tap
    )
    for number, hand in enumerate(islice(deals(table, Random(preset)), 200 if ends else HANDS)):
        tap = ClientRequest(hashed("starter"), f"{preset} {ends} {number}")
        if act(public_id=game, command=EnterHand(hand), request=tap).over:
            return game
    if rules.has_bids:
        last = ClientRequest(hashed("starter"), f"{preset} {ends} bid")
        act(
            public_id=game, command=TakeBid(0, next(each for each in table.bids if isinstance(each, int))), request=last
        )
    return game


def follow(app: Flask, start: list[Wanted]) -> Iterator[Wanted]:
    """Yield the pages in `start`, and those to which links lead from there; from a game, only to its own pages."""
    within = start[0][1] if start[0][1].startswith("/games/") else "/"
    waiting, seen, alike = deque(start), set(start), Counter[object]()
    urls = app.url_map.bind("localhost")
    while waiting:
        cookies, _address = wanted = waiting.popleft()
        yield wanted
        for href in re.findall(r'href="(/[^"#]*)', text_of(app, wanted, "en")):
            link = (cookies, unescape(href))
            path, query = urlsplit(link[1])[2:4]
            if link in seen or not path.startswith(within) or not urls.test(path, "GET"):
                continue
            kind = (cookies, urls.match(path, "GET")[0], *(name for name, _value in parse_qsl(query)))
            seen.add(link)
            alike[kind] += 1
            if alike[kind] <= ALIKE and kind[1] not in UNREAD:
                waiting.append(link)


@cache
def text_of(app: Flask, wanted: Wanted, language: str) -> str:
    """Open a page, and return its status, type and text; of pictures and packed files, only status and type."""
    headers = {"Cookie": wanted[0], "Accept-Language": language, "Accept": "text/html"}
    response = app.test_client(use_cookies=False).get(wanted[1], headers=headers, buffered=True)
    kind = response.mimetype or ""
    kept = kind.startswith("text/") or kind.endswith(("json", "xml"))
    led = response.headers.get("Location", "")
    text = f"{response.status_code} {kind} {led}\n{response.get_data().decode() if kept else ''}"
    with app.app_context():
        return text.replace(current_version(), "version")  # it changes with a comment in a script


def store(folder: Path) -> int:
    """Fill a database in `folder`, and store all its pages there."""
    (folder / "pages").mkdir(parents=True)
    app = app_in(folder)
    starts = fill(app)
    with app.app_context():
        db.engine.dispose()
    copyfile(folder / "scorekeeper.db", folder / "kept.db")
    moment = datetime.now(UTC)
    with nothing_random(moment):
        wanted = list(dict.fromkeys(each for start in starts for each in follow(app, start)))
        for number, each in enumerate(wanted):
            for language in LANGUAGES:
                (folder / "pages" / f"{number:04}-{language}").write_bytes(text_of(app, each, language).encode())
    (folder / "wanted.json").write_text(json.dumps({"moment": moment.isoformat(), "wanted": wanted}, indent=0))
    print(f"{len(wanted)} pages in {len(LANGUAGES)} languages")
    return 0


def compare(folder: Path) -> int:
    """Open the stored pages again, print the differences, and return 1 if there are any."""
    told = json.loads((folder / "wanted.json").read_text())
    differ = 0
    with tempfile.TemporaryDirectory() as place:
        copyfile(folder / "kept.db", Path(place) / "scorekeeper.db")
        app = app_in(Path(place))
        with nothing_random(datetime.fromisoformat(told["moment"])):
            for number, (cookies, address) in enumerate(told["wanted"]):
                for language in LANGUAGES:
                    text = text_of(app, (cookies, address), language)
                    before = (folder / "pages" / f"{number:04}-{language}").read_bytes().decode()
                    if text != before:
                        differ += 1
                        lines = unified_diff(
                            before.splitlines(), text.splitlines(), "before", address, n=0, lineterm=""
                        )
                        print(*islice(lines, SHOWN), sep="\n")
    print(f"{differ} of {len(LANGUAGES) * len(told['wanted'])} pages differ")
    return int(differ > 0)


if __name__ == "__main__":
    logging.disable()
    with quick_passwords():
        sys.exit({"store": store, "compare": compare}[sys.argv[1]](Path(sys.argv[2])))
