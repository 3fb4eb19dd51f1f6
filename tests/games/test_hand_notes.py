"""Hands can have notes and photos, which not everyone may write or see. New cards for a bad hand can be logged."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from sqlalchemy import select

from scorekeeper.config import MAX_UPLOAD_BYTES
from scorekeeper.games.services.hands import MOST_PHOTOS
from scorekeeper.games.store.hand_notes import remove_games
from scorekeeper.games.store.models import NOTE_LENGTH, GameRow, HandNoteRow
from scorekeeper.web.extensions import db, writing
from tests.support.game import path_of, play, start, undo
from tests.support.page import Page, words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

HAND = 3
"""Number of the event that scores the first hand. Event 1 starts the game, and event 2 is the bid."""


def cards(side: int = 2000) -> io.BytesIO:
    """Return a JPEG photo `side` pixels wide, with GPS data like a photo from a phone."""
    out, exif = io.BytesIO(), Image.Exif()
    exif[0x8825] = {1: "N", 2: (52.0, 31.0, 12.0)}
    Image.new("RGB", (side, side // 2), "red").save(out, "JPEG", exif=exif)
    return io.BytesIO(out.getvalue())


@pytest.fixture
def played(client: Phone) -> Page:
    """Return the board of a game with one hand."""
    return play(client, start(client), 0, 3, "AAAB")


def note_page(phone: Phone, board: Page) -> Page:
    """Open the page for the note and the photo of the first hand."""
    return phone.see(f"{path_of(board)}/hands/{HAND}/note")


def write(phone: Phone, board: Page, text: str, status: int = 303) -> Page:
    """Write a note on the first hand, and return the page that follows."""
    return phone.submit(note_page(phone, board), f"{path_of(board)}/hands/{HAND}/note", status, note=text)


def send(phone: Phone, board: Page, photo: io.BytesIO, status: int = 303) -> Page:
    """Add a photo to the first hand, and return the page that follows."""
    path = f"{path_of(board)}/hands/{HAND}/photo"
    return phone.submit(note_page(phone, board), path, status, photo=(photo, "cards.jpg"))


def record_of(phone: Phone, board: Page) -> dict[str, Any]:
    """Return the exported record of a game."""
    return dict(phone.get(f"{path_of(board)}/record.json").get_json())


def photo_link(page: Page) -> str:
    """Return the address of the photo on the score sheet, or "" if there is none."""
    return next((str(link.get("href")) for link in page.all("a") if words(link) == "Photo of the cards"), "")


def history(phone: Phone, board: Page) -> str:
    """Return the whole text of the game's history page."""
    return words(phone.see(f"{path_of(board)}/log").one("main"))


def test_a_note_stands_on_the_sheet_for_everyone_who_sees_the_game(client: Phone, other: Phone, played: Page) -> None:
    watch = path_of(played).replace("/games/", "/watch/")
    tag = {"If-None-Match": other.get(watch).headers["ETag"]}
    write(client, played, "  Cid had\n the joker! ")
    assert "“Cid had the joker!”" in words(client.see(played.path).one("table", class_="sheet"))
    assert other.get(watch, headers=tag).status_code == 200, "the page that watchers have is old"
    assert "“Cid had the joker!”" in words(other.see(watch).one("table", class_="sheet"))
    assert "Note on a hand saved." in history(client, played)


def test_a_note_can_be_changed_and_removed(app: Flask, client: Phone, played: Page) -> None:
    write(client, played, "one")
    write(client, played, "two")
    assert note_page(client, played).form(f"{path_of(played)}/hands/{HAND}/note").values["note"] == "two"
    write(client, played, "")
    assert "two" not in words(client.see(played.path).one("table", class_="sheet"))
    assert "Note on a hand removed." in history(client, played)
    with app.app_context():
        assert db.session.scalars(select(HandNoteRow)).all() == []


def test_a_long_note_comes_back(client: Phone, played: Page) -> None:
    page = write(client, played, "x" * (NOTE_LENGTH + 1), 422)
    assert words(page.one("p", class_="error")) == f"A note can have at most {NOTE_LENGTH} characters."


def test_a_photo_is_kept_small_and_without_metadata(client: Phone, other: Phone, played: Page) -> None:
    page = send(client, played, cards())
    answer = other.get(photo_link(client.see(played.path)))
    picture = Image.open(io.BytesIO(answer.data))
    assert (picture.format, picture.size, dict(picture.getexif())) == ("JPEG", (1280, 640), {})
    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert answer.mimetype == page.one("img", class_="hand-photo").get("type", "image/jpeg")


def test_a_photo_is_for_those_who_may_watch(client: Phone, other: Phone, played: Page) -> None:
    send(client, played, cards())
    link = photo_link(client.see(played.path))
    assert other.get(link[:-1] + ("a" if link[-1] != "a" else "b")).status_code == 404
    client.submit(client.see(f"{path_of(played)}/table"), f"{path_of(played)}/watching/void")
    assert (client.get(link).status_code, other.get(link).status_code) == (200, 404)


def test_a_photo_can_be_removed_for_good(app: Flask, client: Phone, played: Page) -> None:
    page = send(client, played, cards())
    link = photo_link(client.see(played.path))
    client.submit(page, f"{path_of(played)}/hands/{HAND}/photo/removal")
    assert client.get(link).status_code == 404
    assert photo_link(client.see(played.path)) == ""
    with app.app_context():
        assert db.session.scalars(select(HandNoteRow)).all() == []


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"\xff\xd8\xff\xe0" + bytes(2000)])
def test_what_is_no_photo_is_refused_with_a_sentence(app: Flask, client: Phone, played: Page, data: bytes) -> None:
    page = send(client, played, io.BytesIO(data), 422)
    assert words(page.one("p", class_="error"))
    with app.app_context():
        assert db.session.scalars(select(HandNoteRow)).all() == []


def test_much_more_than_a_photo_is_not_even_read(client: Phone, played: Page) -> None:
    page = note_page(client, played)
    form = page.form(f"{path_of(played)}/hands/{HAND}/photo").values
    how = {"content_type": "multipart/form-data; boundary=x", "headers": {"X-CSRFToken": str(form["csrf_token"])}}
    body = bytes(MAX_UPLOAD_BYTES + 5_000)
    assert client.post(f"{path_of(played)}/hands/{HAND}/photo", data=body, **how).status_code == 413


def test_a_game_has_room_for_so_many_photos(app: Flask, client: Phone, played: Page) -> None:
    with app.app_context(), writing() as session:
        game = session.scalars(select(GameRow.id)).one()
        for seq in range(100, 100 + MOST_PHOTOS):
            session.add(HandNoteRow(game_id=game, seq=seq, text="", photo=b"1", photo_key=str(seq)))
    page = send(client, played, cards(), 422)
    assert str(MOST_PHOTOS) in words(page.one("p", class_="error"))


def test_notes_go_with_the_game(app: Flask, client: Phone, played: Page) -> None:
    send(client, played, cards())
    with app.app_context(), writing() as session:
        remove_games(session, session.scalars(select(GameRow.id)).all())
        assert session.scalars(select(HandNoteRow)).all() == []


def test_an_undone_hand_has_no_page_for_notes(client: Phone, played: Page) -> None:
    write(client, played, "gone")
    undo(client, client.see(played.path))
    assert client.get(f"{path_of(played)}/hands/{HAND}/note").status_code == 409


def test_a_coke_hand_stands_in_the_history_and_changes_nothing_else(client: Phone) -> None:
    board = start(client)
    before = record_of(client, board)
    log = client.submit(client.see(f"{path_of(board)}/table"), f"{path_of(board)}/coke-hand", seat="1")
    assert "Coke hand: Bob got new cards." in words(log.one("main"))
    assert record_of(client, board) == before


def test_without_the_rule_the_menu_explains_it(client: Phone) -> None:
    board = start(client, rules={"redeal": "none"})
    page = client.see(f"{path_of(board)}/table")
    assert f"{path_of(board)}/coke-hand" not in [form.get("action") for form in page.all("form")]
    (text,) = [words(each) for each in page.all("details") if words(each).startswith("Coke hand")]
    assert "This game doesn't use that rule" in text


def test_notes_travel_with_the_record(client: Phone, played: Page) -> None:
    """A note is exported and imported with its game. After a note is removed, exports no longer have it."""
    board = play(client, played, 1, 2, "BB--")
    write(client, board, "the joker")
    record = record_of(client, board)
    assert record["x_hand_notes"] == [{"hand": 1, "note": "the joker"}]
    brought = client.submit(client.see("/"), "/games/import", text=json.dumps(record))
    assert "“the joker”" in words(brought.one("table", class_="sheet"))
    assert record_of(client, brought)["x_hand_notes"] == record["x_hand_notes"]
    client.submit(client.see(f"{path_of(brought)}/hands/2/note"), f"{path_of(brought)}/hands/2/note", note="")
    assert "x_hand_notes" not in record_of(client, brought)


@pytest.mark.parametrize(
    "noted",
    [
        {},
        "x",
        [
            1,
            {},
            {"hand": 0, "note": "a"},
            {"hand": 9, "note": "a"},
            {"hand": True, "note": "a"},
            {"hand": 1, "note": 3},
        ],
        [{"hand": 1, "note": "\x00 \n"}],
    ],
)
def test_what_is_no_note_in_a_record_is_left_out(app: Flask, client: Phone, played: Page, noted: object) -> None:
    record = record_of(client, played) | {"x_hand_notes": noted}
    client.submit(client.see("/"), "/games/import", text=json.dumps(record))
    with app.app_context():
        assert db.session.scalars(select(HandNoteRow)).all() == []


def test_a_long_note_in_a_record_is_cut(client: Phone, played: Page) -> None:
    record = record_of(client, played) | {"x_hand_notes": [{"hand": 1, "note": "x" * 9999}]}
    brought = client.submit(client.see("/"), "/games/import", text=json.dumps(record))
    assert "“" + "x" * NOTE_LENGTH + "”" in words(brought.one("table", class_="sheet"))


def test_the_printed_sheet_has_the_notes(client: Phone, played: Page) -> None:
    """The printed score sheet lists the notes below the hands, with the hands' numbers.

    A blank sheet has no notes.
    """
    write(client, played, "Ann misdealt.")
    sheet = client.see(f"{path_of(played)}/sheet")
    assert [words(item) for item in sheet.one("ul", class_="remarks")] == ["Hand 1 Ann misdealt."]
    assert not client.see(f"{path_of(played)}/sheet?blank=1").all("ul", class_="remarks")
