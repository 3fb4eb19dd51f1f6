"""Rate limits apply across processes, and never keep a phone from saving a hand."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select
from werkzeug.exceptions import TooManyRequests

from scorekeeper import create_app
from scorekeeper.accounts.devices import COOKIE
from scorekeeper.games.views import blueprint
from scorekeeper.web import rate_limit
from scorekeeper.web.extensions import db
from scorekeeper.web.form_answers import FormAnswerRow
from scorekeeper.web.rate_limit import (
    CODE_BY_GAME,
    CODE_BY_NETWORK,
    CODE_FIRST,
    COSTLY,
    FORM_ANSWERS,
    HANDS,
    NEW_LEAGUES,
    NEW_RULES,
    TABLES,
    Limit,
    Limiter,
    asker,
    forgive,
    how_long,
    limited,
    spend,
)
from scorekeeper.web.rate_limit_store import FILE, BookStorage, open_file
from tests.conftest import settings_in
from tests.support import databases
from tests.support.game import play, start
from tests.support.league_night import open_hall
from tests.support.page import words
from tests.support.phone import device_word

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

FEW = Limit("few", 5, 60, "Too many tries.")
LENIENT = Limit("lenient", 5, 60, "Too many tries.", vital=False)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list with one number, which is the app's current time in seconds; tests change the number."""
    now = [1_000_000.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    return now


def test_the_sixth_within_any_minute_waits(limiter: Limiter, clock: list[float]) -> None:
    """With a limit of five requests a minute, a sixth request is let through only when the first is a minute old.

    It makes no difference when in that minute the five requests were made.
    """
    for moment in (0, 50, 58, 58, 59):
        clock[0] = 1_000_000.0 + moment
        assert limiter.wait(FEW, "a") == 0
    assert limiter.wait(FEW, "a") == 1
    assert limiter.wait(FEW, "b") == 0
    clock[0] = 1_000_060.5
    assert limiter.wait(FEW, "a") == 0
    assert limiter.wait(FEW, "a") == 50, "the next at 50 + 60"


def test_many_at_once_are_counted_one_by_one(app: Flask, limiter: Limiter) -> None:
    """If forty requests are made at once and the limit is five, exactly five are let through.

    The requests run in eight threads and use two limiters, like two worker processes.
    """
    other = Limiter(
        BookStorage(open_file(app.config["INSTANCE"] / FILE))
        if limiter.storage.engine.dialect.name == "sqlite"
        else BookStorage(limiter.storage.engine),
        app.config["SECRET_KEY"],
    )
    with ThreadPoolExecutor(8) as many:
        waits = list(many.map(lambda number: (limiter, other)[number % 2].wait(FEW, "a"), range(40)))
    other.storage.engine.dispose()
    assert waits.count(0) == 5


def test_what_people_do_is_not_even_counted(limiter: Limiter) -> None:
    """Each worker process lets the first few requests of a period through without counting them in the database.

    Later requests are counted in the database, in a counter that all worker processes share.
    """
    often = Limit("often", 5, 60, "", free=3)
    assert [limiter.wait(often, "a") for _ in range(3)] == [0, 0, 0]
    assert limiter.storage.reset() == 0
    waits = [limiter.wait(often, "a") for _ in range(7)]
    assert waits[:5] == [0] * 5
    assert all(waits[5:])
    assert limiter.wait(often, "b") == 0


def test_who_it_was_cannot_be_read_and_is_not_kept(app: Flask, limiter: Limiter, clock: list[float]) -> None:
    """The database of the rate limits has no readable network addresses, and rows of old requests are deleted."""
    limiter.wait(FEW, "203.0.113.9")
    kept = limiter.storage.engine.connect()
    with kept:
        assert "203.0.113.9" not in str(kept.exec_driver_sql("SELECT * FROM limit_hit").all())
    clock[0] += 61
    for number in range(3000):
        limiter.wait(Limit("much", 5000, 1, ""), f"{number % 2}")
        clock[0] += 1
    with limiter.storage.engine.connect() as now:
        assert now.exec_driver_sql("SELECT count(*) FROM limit_hit").scalar_one() < 2500


@pytest.mark.new_app
def test_it_is_told_how_long_to_wait(app: Flask, client: Phone, limiter: Limiter) -> None:
    """A request over the limit gets the status 429, a header with the seconds to wait, and a sentence for people.

    GET requests aren't counted. After a call of `forgive`, the earlier requests no longer count toward the limit.
    """

    @app.route("/tried", methods=["GET", "POST"])
    @limited(FEW)
    def tried() -> str:
        return ""

    token = client.see("/").form("/games/import").values["csrf_token"]
    for _ in range(5):
        assert client.post("/tried", data={"csrf_token": token}).status_code == 200
    refused = client.post("/tried", data={"csrf_token": token})
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert "Too many tries. Try again in " in refused.text
    assert client.get("/tried").status_code == 200
    with app.test_request_context(environ_base={"REMOTE_ADDR": "127.0.0.1"}):
        forgive(FEW, asker())
    assert client.post("/tried", data={"csrf_token": token}).status_code == 200


@pytest.mark.sqlite
def test_a_broken_counter_stops_no_hand(app: Flask, limiter: Limiter, tmp_path: Path) -> None:
    """If the database of the limits is damaged, requests with a vital limit raise an error, and others are let through.

    Vital limits are those against guessing.
    """
    limiter.wait(FEW, "a")
    limiter.storage.engine.dispose()
    for left in tmp_path.glob(f"{FILE}*"):
        left.unlink()
    (tmp_path / FILE).write_text("no database at all, " * 300)
    with app.test_request_context():
        spend(LENIENT, "a")
        with pytest.raises(limiter.storage.base_exceptions):
            spend(FEW, "a")


def test_where_nothing_is_limited_nothing_is_counted(app: Flask) -> None:
    """With limits turned off, as in the other tests, requests aren't counted."""
    with app.test_request_context():
        for _ in range(9):
            spend(FEW, "a")
    assert "limiter" not in app.extensions


@pytest.mark.sqlite
def test_it_is_limited_unless_somebody_says_otherwise(tmp_path: Path, empty_book: Path) -> None:
    """With the setting `limits`, which is on by default, the app refuses requests over a limit."""
    from msgspec import structs

    databases.copy_book(empty_book, tmp_path)
    app = create_app(structs.replace(settings_in(tmp_path), limits=True))
    with app.test_request_context(environ_base={"REMOTE_ADDR": "192.0.2.1"}):
        for _ in range(5):
            spend(FEW, asker())
        with pytest.raises(TooManyRequests):
            spend(FEW, asker())
        db.engine.dispose()
    app.extensions["limiter"].storage.engine.dispose()
    databases.drop_book(tmp_path)
    shutil.rmtree(tmp_path)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::"),
        ("2001:db8:1:2:bbbb::2", "2001:db8:1:2::"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("no address", "unknown"),
        ("", "unknown"),
    ],
)
def test_an_address_is_counted_as_its_home(app: Flask, address: str, counted: str) -> None:
    """All IPv6 addresses with the same first 64 bits are counted as one address.

    One household can use all these addresses.
    """
    with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
        assert asker() == counted


def test_the_time_to_wait_is_said_in_words(app: Flask) -> None:
    """The message gives a time to wait of up to a minute in seconds, and a longer time in minutes, rounded up."""
    with app.test_request_context():
        assert [how_long(seconds) for seconds in (1, 60, 61, 3600)] == [
            "Try again in 1 second.",
            "Try again in 60 seconds.",
            "Try again in 2 minutes.",
            "Try again in 60 minutes.",
        ]


@pytest.mark.usefixtures("limiter")
def test_nobody_makes_leagues_all_day(client: Phone) -> None:
    form = client.see("/leagues")
    for status in [*[422] * NEW_LEAGUES.amount, 429]:
        page = client.submit(form, "/leagues", status, name=" ")
    assert "Too many leagues created from here." in page.text


@pytest.mark.usefixtures("limiter")
def test_nobody_previews_lists_all_day(app: Flask, client: Phone) -> None:
    """Imports of players and imports of past results count toward the same limit, because reading files takes time."""
    hall = open_hall(app, client)
    path, other = f"/leagues/{hall.league}/people/import", f"/seasons/{hall.season}/results/import"
    token = client.see(path).form(path).values["csrf_token"]
    assert client.post(path, data={"csrf_token": token}).status_code == 422
    with app.test_request_context():
        for _ in range(TABLES.amount - 1):
            assert rate_limit.count(TABLES, "127.0.0.1") == 0
    assert client.post(path, data={"csrf_token": token}).status_code == 429
    assert client.post(other, data={"csrf_token": token}).status_code == 429
    assert client.see(path).status == 200


@pytest.mark.slow
@pytest.mark.usefixtures("limiter")
def test_nobody_keeps_house_rules_all_day(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """Phones at the same network address share one limit for saving house rules."""
    answers = []
    for phone in (client, new_phone(), new_phone()):
        form = phone.see("/").form("/games/import").values
        sent = {"csrf_token": form["csrf_token"], "rules_name": " "}
        answers += [phone.post("/house-rules", data=sent) for _ in range(NEW_RULES.amount // 2)]
    assert [answer.status_code for answer in answers[: NEW_RULES.amount + 1]] == [*[422] * NEW_RULES.amount, 429]
    assert "Too many house rules saved from here." in answers[-1].text


@pytest.mark.usefixtures("limiter")
def test_a_flood_of_forms_does_not_push_out_the_pages_of_others(app: Flask, client: Phone) -> None:
    """A client above the limit gets the same page, at the form's address, and nothing more is stored for it."""
    values = client.see("/games/new").form("/games/new").values | {"name-0": ""}
    assert client.post("/games", data=values, headers={"Accept": "text/html"}).status_code == 303
    with app.test_request_context():
        while rate_limit.count(FORM_ANSWERS, "127.0.0.1") == 0:
            pass
    answer = client.post("/games", data=values, headers={"Accept": "text/html"})
    assert answer.status_code == 422
    assert "Every seat needs a name" in answer.text
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(FormAnswerRow)) == 1


@pytest.mark.usefixtures("limiter")
def test_another_cookie_is_no_other_count(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """A phone that may not score a game is counted by its network address, so a new cookie doesn't reset the count.

    Each phone that may score has a separate count.
    """
    boards = [start(client), start(client)]
    stranger = new_phone()
    token = {"csrf_token": stranger.see("/").form("/games/import").values["csrf_token"]}
    answers = []
    for number in range(HANDS.amount + HANDS.free + 5):
        stranger.set_cookie(COOKIE, device_word(str(number)))
        answers.append(stranger.post(f"{boards[number % 2].path}/recovery", data=token).status_code)
    assert answers == [*[403] * (HANDS.amount + HANDS.free), *[429] * 5]
    play(client, boards[0], 0, 3, "AAAB")


@pytest.mark.usefixtures("limiter")
def test_strangers_keep_no_right_code_out(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """An owner can use the backup code of a game even after strangers have used up all tries for that game.

    Strangers may know the first four letters of the code. Each network has a few tries that other networks can't use
    up.
    """
    board = start(client)
    code = words(client.see(f"{board.path}/table").one("p", class_="code-word")).replace("-", "")
    stranger = new_phone()

    def guess(network: int, home: int, typed: str) -> int:
        stranger.environ_base["REMOTE_ADDR"] = f"198.51.{network}.{home}"
        return stranger.post("/recovery", data={**token, "code": typed}).status_code

    token = {"csrf_token": stranger.see("/recovery").form("/recovery").values["csrf_token"]}
    wrong = code[:4] + "bbbbbbbb"
    one = [guess(1, home, wrong) for home in range(30)]
    free = CODE_FIRST.amount
    assert one == [*[422] * CODE_BY_NETWORK.amount, *[429] * (30 - CODE_BY_NETWORK.amount)]
    more = [guess(2, home, wrong) for home in range(10)]
    left = CODE_BY_GAME.amount - (CODE_BY_NETWORK.amount - free)
    assert more == [*[422] * (free + left), *[429] * (10 - free - left)]
    assert [guess(3, home, wrong) for home in range(free + 1)] == [*[422] * free, 429]
    assert guess(3, 99, code) == 429, "those who guessed wait like anybody"
    assert guess(4, 1, code) == 303


@pytest.mark.usefixtures("limiter")
def test_nobody_looks_at_all_of_a_long_game_all_day(client: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests for pages that show all of a long game are limited, because making these pages takes long.

    Such pages of ordinary games aren't limited, and neither is the log, which is shown in parts.
    """
    board = start(client)
    whole = [board.path, *(f"{board.path}/{page}" for page in ("race", "sheet", "log.csv", "log.json", "record.json"))]
    for _ in range(COSTLY.amount // len(whole) + 1):
        assert {client.get(path).status_code for path in whole} == {200}
    monkeypatch.setattr(blueprint, "LONG", 0)
    answers = [client.get(path).status_code for _ in range(COSTLY.amount // len(whole) + 1) for path in whole]
    assert answers == [200] * COSTLY.amount + [429] * len(whole)
    assert client.get(f"{board.path}/log").status_code == 200


@pytest.mark.usefixtures("limiter")
def test_nobody_has_files_made_all_day(app: Flask, client: Phone) -> None:
    """Requests for files that the app must create are limited.

    A request for a picture that the browser already has in its cache doesn't count.
    """
    board = start(client)
    picture = board.path.replace("/games/", "/watch/") + "/score.png"
    kept = {"If-None-Match": client.get(picture).headers["ETag"]}
    with app.test_request_context(environ_base={"REMOTE_ADDR": "127.0.0.1"}):
        for _ in range(COSTLY.amount - 1):
            spend(COSTLY, asker())
    assert client.get(picture, headers=kept).status_code == 304
    answer = client.get(picture)
    assert answer.status_code == 429
    assert "Too many files requested from here." in answer.text
    for path in ("/leagues/x/archive.zip", "/seasons/x/people.csv?x=1", "/seasons/x/people.xlsx", "/people/x/data.zip"):
        assert client.get(path).status_code == 429
