"""Strangers, removed phones and forged files can't harm home tables, their notes and photos, or offline games."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from sqlalchemy import event, select
from werkzeug.exceptions import ServiceUnavailable

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.games.services.home_people import PHOTO_SIDE
from scorekeeper.games.services.table_file import FORMAT, FilePerson, pack, person_line, read_table
from scorekeeper.games.services.table_transfer import import_table
from scorekeeper.games.store.models import GameRow, HandNoteRow
from scorekeeper.people.models import HomePhotoRow
from scorekeeper.web import uploads
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit import COSTLY, PHOTOS, asker, one_at_a_time, spend
from scorekeeper.web.uploads import PhotoRefusedError, photo_from
from tests.games.test_home_table import homes, seated
from tests.games.test_offline_start import begun, send
from tests.games.test_record_import import RECORD, bring_in
from tests.games.test_table_sharing import join, link
from tests.support.game import CLEAN, FOUR, path_of, play, play_all, start
from tests.support.league_night import NAMES, open_hall
from tests.support.photos import photo

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


def owners(app: Flask) -> list[tuple[str, str, str]]:
    """Return (public id, hash of the phone that started the game, request key) for each game, oldest first."""
    with app.app_context():
        rows = db.session.scalars(select(GameRow).order_by(GameRow.id))
        return [(row.public_id, row.device, row.client_id) for row in rows]


def again(phone: Phone, board: Page) -> Page:
    """Start a rematch of the finished game on the page `board`, and return the board of the new game."""
    return phone.submit(board, f"{path_of(board)}/rematch")


def test_nobody_owns_a_league_game_by_its_number(app: Flask, client: Phone, other: Phone) -> None:
    """A phone can't become the owner of a league game by guessing the request key with which that game was started.

    Such a key can be guessed, because it consists of the night's id and a number. Here a phone sends the start of an
    offline game with that key.
    """
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:4])
    hall.draw()
    points: dict[str, Any] = {"points-1-0": "21", "points-1-1": "5"}
    client.submit(hall.at_desk(), f"{hall.path}/rounds/1/results", **points)
    before = owners(app)
    ((game, _phone, key),) = before
    assert send(other, begun(key), game=game).status_code == 403
    assert owners(app) == before


def test_a_removed_phone_starts_no_more_games_at_the_table(app: Flask, client: Phone, other: Phone) -> None:
    """If a phone was removed from a home table and starts a rematch, the rematch belongs to a new home table.

    The new table belongs to that phone, and the players of the rematch are people of the new table.
    """
    play_all(client, start(client), CLEAN)
    join(other, link(client))
    own = play_all(other, start(other), CLEAN)
    phones = client.see("/table/phones")
    actions = [str(form.get("action")) for form in phones.all("form")]
    client.submit(phones, next(each for each in actions if each.endswith("/void") and "/phones/" in each))
    again(other, own)
    first, second, after = homes(app)
    assert first == second != after
    assert seated(app) == [list(FOUR)] * 3


def test_a_photo_with_more_pictures_behind_it_is_a_photo() -> None:
    """A photo file that contains several pictures is accepted, and the first picture is used.

    Phones add pictures with brightness or depth to their photo files.
    """
    out = io.BytesIO()
    picture = Image.new("RGB", (80, 60), "red")
    picture.save(out, "MPO", save_all=True, append_images=[Image.new("RGB", (80, 60), "blue")])
    made = photo_from(out.getvalue(), side=40)
    assert (made.width, made.height) == (40, 30)
    red, _green, blue = Image.open(io.BytesIO(made.data)).getpixel((5, 5))  # type: ignore[misc]
    assert red > blue


def test_large_pictures_in_a_file_are_not_read(app: Flask) -> None:
    """When the file of a home table is imported, photos with too many pixels are left out.

    The app writes only small photos to such files, but a forged file could contain hundreds of photos that need much
    memory when they are read.
    """
    flat = io.BytesIO()
    Image.new("RGB", (4000, 4000), "red").save(flat, "PNG")
    with pytest.raises(PhotoRefusedError):
        photo_from(flat.getvalue(), side=PHOTO_SIDE, square=True, most_pixels=PHOTO_SIDE**2)
    own = photo_from(photo(), side=PHOTO_SIDE, square=True).data
    people = [FilePerson("bcdfghjkmn", "Ann", photo=own), FilePerson("bcdfghjkmp", "Bob", photo=flat.getvalue())]
    file = read_table(pack([{"format": FORMAT, "table": "bcdfghjkmq", "name": ""}, *map(person_line, people)]))
    with app.app_context():
        import_table(file=file, device="a" * 64)
        (kept,) = db.session.scalars(select(HomePhotoRow.data))
    assert Image.open(io.BytesIO(kept)).size == (PHOTO_SIDE, PHOTO_SIDE)


@pytest.mark.slow
def test_many_notes_in_a_record_are_one_statement(app: Flask, client: Phone) -> None:
    """An import of 2,000 notes on one hand takes fewer than ten SQL statements on notes.

    The import must be fast, because on SQLite no other phone can save anything until the import is done.
    """
    notes = [{"hand": 1, "note": f"No. {number}"} for number in range(2_000)]
    asked: list[str] = []
    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *told: asked.append(told[2]))
    bring_in(client, json.dumps(RECORD | {"x_hand_notes": notes}))
    assert sum("hand_note" in each for each in asked) < 10
    with app.app_context():
        assert [row.text for row in db.session.scalars(select(HandNoteRow))] == ["No. 1999"]


@pytest.mark.usefixtures("limiter")
def test_nobody_fills_the_disk_with_photos(app: Flask, client: Phone) -> None:
    board = play(client, start(client), 0, 3, "AAAB")
    page = client.see(f"{path_of(board)}/hands/3/note")
    with app.test_request_context(environ_base={"REMOTE_ADDR": "127.0.0.1"}):
        for _ in range(PHOTOS.amount):
            spend(PHOTOS, asker())
    path = f"{path_of(board)}/hands/3/photo"
    client.submit(page, path, 429, photo=(io.BytesIO(photo()), "cards.jpg"))


@pytest.mark.usefixtures("limiter")
@pytest.mark.parametrize("query", ["who=Ann", "evening=x", "since=2026-01-01", "of=won:x"])
def test_numbers_for_one_request_alone_are_limited(app: Flask, client: Phone, query: str) -> None:
    """Requests for statistics with a filter are limited, because these statistics are calculated anew each time.

    Requests for the statistics of all games aren't limited, because these are cached.
    """
    play_all(client, start(client), CLEAN)
    with app.test_request_context(environ_base={"REMOTE_ADDR": "127.0.0.1"}):
        for _ in range(COSTLY.amount):
            spend(COSTLY, asker())
    assert client.get("/table").status_code == 200
    assert client.get(f"/table?{query}").status_code == 429


def test_what_is_kept_for_all_phones_has_nothing_of_one(app: Flask, client: Phone, other: Phone) -> None:
    """The cached data for starting games offline contains nothing about the phone that requested this data first.

    All phones get the same data. Neither a host name nor a phone's settings are in it.
    """
    board = client.see("/settings")
    client.submit(board, "/settings", keys="off", sound="on", buzz="off")
    first = client.get("/games/kits.json", base_url="http://hall-pc:8000")
    assert "hall-pc" not in first.text
    second = other.get("/games/kits.json")
    assert "localhost" not in second.text
    assert json.loads(first.text)["kits"] == json.loads(second.text)["kits"]


@pytest.mark.parametrize(
    "path", ["/table", "/table/phones", "/table/games", "/table/people", "/table/import", "/games/kits.json"]
)
def test_no_shared_cache_keeps_the_pages_of_a_table(client: Phone, path: str) -> None:
    start(client)
    assert "private" in client.get(path).headers["Cache-Control"]


def test_a_photo_is_for_phones_at_the_table(app: Flask, client: Phone, other: Phone) -> None:
    """Only phones of a home table can open its photos. Other phones can't, even if they know the address of a photo.

    Shared caches may not store the photos.
    """
    start(client)
    page = client.see("/table/people")
    person = next(str(each.get("href")) for each in page.all("a") if "/table/people/" in str(each.get("href")))
    form = client.see(person)
    client.submit(form, f"{person}/photo", photo=(io.BytesIO(photo()), "me.jpg"))
    address = str(client.see(person).one("img", class_="face-of").get("src"))
    answer = client.get(address)
    assert answer.headers["Cache-Control"].startswith("private")
    assert answer.mimetype == "image/jpeg"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert other.get(address).status_code == 404
    client.delete_cookie(COOKIE)
    assert client.get(address).status_code == 404


def test_many_photos_at_once_leave_threads_for_hands() -> None:
    """If one uploaded photo is being processed and two are waiting, another upload is refused for the moment.

    This limit doesn't apply to calls of `photo_from` with `most_pixels`, such as for photos in a home table's file.
    """
    small = photo(size=(20, 20))
    places = 0
    while uploads._places.acquire(blocking=False):
        places += 1
    with pytest.raises(PhotoRefusedError, match="Try again"):
        photo_from(small, side=40)
    assert photo_from(small, side=40, most_pixels=400).width == 20
    uploads._places.release(places)
    assert places == 3
    assert photo_from(small, side=40).width == 20


def test_what_is_slow_is_done_for_one_at_a_time(app: Flask) -> None:
    """If a slow function is called while another call runs, the second call is refused with a time to try again.

    For example, only one file of a home table is made at a time.
    """

    @one_at_a_time
    def slow(*, again: bool) -> str:
        return slow(again=False) if again else "done"

    with app.test_request_context():
        with pytest.raises(ServiceUnavailable) as refused:
            slow(again=True)
        assert ("Retry-After", "1") in refused.value.get_headers()
        assert slow(again=False) == "done"
