"""The people of a phone's home table have pages with names and photos, and two people can be merged."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from sqlalchemy import select

from scorekeeper.games.store.models import GameRow
from scorekeeper.people.models import HomePersonRow, HomePhotoRow
from scorekeeper.people.tables import people_called
from scorekeeper.web.extensions import db, writing
from tests.games.test_home_table import people, seated
from tests.support.game import CLEAN, FOUR, path_of, play_all, start
from tests.support.page import Page, words
from tests.support.photos import photo

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone


def page_of(app: Flask, phone: Phone, name: str) -> Page:
    """Return the page of the person called `name`."""
    with app.app_context():
        query = select(HomePersonRow.public_id).where(HomePersonRow.name == name, HomePersonRow.joined_into.is_(None))
        return phone.see(f"/table/people/{db.session.scalars(query).one()}")


def listed(phone: Phone) -> list[str]:
    """Return the names in the list of people, in order."""
    return [words(item) for item in phone.see("/table/people").all("bdi", class_="name")]


def change(phone: Phone, page: Page, status: int = 303, **fields: object) -> Page:
    return phone.submit(page, page.path, status, **fields)


def error(page: Page) -> str:
    return words(page.one("p", role="alert"))


def upload(phone: Phone, page: Page, data: bytes, status: int = 303) -> Page:
    fields: dict[str, Any] = {
        **page.form(f"{page.path.removesuffix('/photo')}/photo").values,
        "photo": (io.BytesIO(data), "me.jpg"),
    }
    fields.pop("remove", None)
    response = phone.post(f"{page.path}/photo", data=fields, content_type="multipart/form-data")
    assert response.status_code == status
    return phone.see(response.location) if status == 303 else Page(response)


def picture_of(page: Page) -> str:
    """Return the address of the photo on a person's page."""
    return page.one("img", class_="face-of").get("src", "")


def test_a_new_phone_can_add_people_before_its_first_game(app: Flask, client: Phone) -> None:
    assert listed(client) == []
    client.submit(client.see("/table/people"), "/table/people", name="Ann")
    assert listed(client) == ["Ann"]
    assert people(app) == ["Ann"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\u202eb", "ANN"])
def test_a_bad_or_known_name_is_refused(client: Phone, board: Page, name: str) -> None:
    refused = client.submit(client.see("/table/people"), "/table/people", 422, name=name)
    assert error(refused)
    assert sorted(listed(client)) == sorted(FOUR)


def test_a_name_that_looks_like_a_known_one_is_asked_about_once(app: Flask, client: Phone, board: Page) -> None:
    asked = client.submit(client.see("/table/people"), "/table/people", 422, name="Anne")
    assert error(asked) == "“Anne” looks like Ann, who already plays here. If it's someone else, tap the button again."
    client.submit(asked, "/table/people", 422, name="Anni", sure="Anne")
    client.submit(asked, "/table/people")
    assert people(app) == [*FOUR, "Anne"]


def test_a_new_name_shows_in_all_games(app: Flask, client: Phone, board: Page) -> None:
    """When a person is renamed, all their games show the new name, even pages that other phones have cached.

    The renaming adds no event to any game.
    """
    watched, watcher = path_of(board).replace("games", "watch"), app.test_client()
    before = watcher.get(watched).headers["ETag"]
    start(client, ("Ann", "Eve", "Zoe", "Dee"))
    with app.app_context():
        versions = db.session.scalars(select(GameRow.version)).all()
    change(client, page_of(app, client, "Ann"), name="Annabel")
    after = watcher.get(watched, headers={"If-None-Match": before})
    assert after.status_code == 200
    assert "Annabel" in after.text
    assert [each[0] for each in seated(app)] == ["Annabel", "Annabel"]
    assert "Annabel" in client.see(f"{path_of(board)}/log").text
    with app.app_context():
        assert db.session.scalars(select(GameRow.version)).all() == versions


def test_two_people_cannot_have_one_name(app: Flask, client: Phone, board: Page) -> None:
    refused = change(client, page_of(app, client, "Bob"), 422, name="ann")
    assert "merge" in error(refused)
    assert people(app) == list(FOUR)


def test_merged_people_are_one_in_all_games(app: Flask, client: Phone, board: Page) -> None:
    """After one person is merged into another, all games show the name of the person who was kept.

    If the removed person's name is entered for a later game, the person who was kept gets that seat.
    """
    start(client, ("Anne", "Eve", "Zoe", "Dee"), sure="Anne")
    page = page_of(app, client, "Anne")
    ann = page_of(app, client, "Ann").path.rpartition("/")[2]
    assert "confirm" in error(client.submit(page, f"{page.path}/merge", 422, into=ann, sure=None))
    client.submit(page, f"{page.path}/merge", into=ann, sure="1")
    assert [each[0] for each in seated(app)] == ["Ann", "Ann"]
    assert "Anne" not in listed(client)
    start(client, ("Anne", "Eve", "Zoe", "Dee"))
    assert seated(app)[-1][0] == "Ann"


def test_people_who_sat_together_are_not_merged(app: Flask, client: Phone, board: Page) -> None:
    page = page_of(app, client, "Ann")
    bob = page_of(app, client, "Bob").path.rpartition("/")[2]
    refused = client.submit(page, f"{page.path}/merge", 422, into=bob, sure="1")
    assert "same person" in error(refused)
    assert seated(app) == [list(FOUR)]


def test_a_hidden_player_comes_back_by_playing(app: Flask, client: Phone, board: Page) -> None:
    page = page_of(app, client, "Ann")
    client.submit(page, f"{page.path}/hide", hidden="1")
    with app.app_context():
        assert db.session.scalars(select(HomePersonRow.name).where(HomePersonRow.hidden)).all() == ["Ann"]
    start(client)
    with app.app_context():
        assert db.session.scalars(select(HomePersonRow.name).where(HomePersonRow.hidden)).all() == []


def test_a_person_who_comes_back_is_returned_as_no_longer_hidden(app: Flask, client: Phone, board: Page) -> None:
    page = page_of(app, client, "Ann")
    client.submit(page, f"{page.path}/hide", hidden="1")
    with app.app_context(), writing() as session:
        table = session.scalars(select(HomePersonRow.table_id).where(HomePersonRow.hidden)).one()
        found = people_called(session, table, ["Ann", "Bob"], datetime.now(UTC))
    assert [(person.name, person.hidden) for person in found] == [("Ann", False), ("Bob", False)]


def test_only_people_who_never_played_can_be_deleted(app: Flask, client: Phone, board: Page) -> None:
    ann = page_of(app, client, "Ann")
    assert not any("deletion" in form.get("action", "") for form in ann.all("form"))
    response = client.post(f"{ann.path}/deletion", data=ann.form(ann.path).values)
    assert response.status_code == 422
    client.submit(client.see("/table/people"), "/table/people", name="Eve")
    eve = page_of(app, client, "Eve")
    client.submit(eve, f"{eve.path}/deletion")
    assert people(app) == list(FOUR)


def test_a_color_and_an_emoji_are_saved(app: Flask, client: Phone, board: Page) -> None:
    change(client, page_of(app, client, "Ann"), color="teal", emoji="🦊")
    face = page_of(app, client, "Ann").one("span", class_="face-of")
    assert words(face) == "🦊"
    assert "tint-teal" in face.get("class", "")
    for wrong in ({"color": "url(x)"}, {"emoji": "ab"}):
        assert error(change(client, page_of(app, client, "Ann"), 422, **wrong))


def test_a_photo_is_shown_to_phones_of_the_table_only(app: Flask, client: Phone, board: Page) -> None:
    page = upload(client, page_of(app, client, "Ann"), photo((300, 200)))
    address = picture_of(page)
    shown = client.get(address)
    assert shown.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert shown.content_type == "image/jpeg"
    assert Image.open(io.BytesIO(shown.data)).size == (192, 192)
    assert app.test_client().get(address).status_code == 404


def test_another_photo_has_another_address(app: Flask, client: Phone, board: Page) -> None:
    """A person's new photo has a new address, so browsers don't show the old photo from their cache.

    The old photo is deleted from the server.
    """
    first = picture_of(upload(client, page_of(app, client, "Ann"), photo()))
    page = upload(client, page_of(app, client, "Ann"), photo((50, 50)))
    assert picture_of(page) != first
    assert client.get(first).status_code == 404
    client.submit(page, f"{page.path}/photo", remove="1")
    with app.app_context():
        assert db.session.scalars(select(HomePhotoRow)).all() == []


def test_what_is_no_photo_is_refused_with_a_sentence(app: Flask, client: Phone, board: Page) -> None:
    for data in (b"", b"GIF89a is what it says", b"{}"):
        assert error(upload(client, page_of(app, client, "Ann"), data, 422))


def test_another_phone_finds_nobody(app: Flask, client: Phone, board: Page) -> None:
    other: Any = app.test_client()
    path = page_of(app, client, "Ann").path
    assert other.get(path).status_code == 404
    assert listed(other) == []


def test_rematches_keep_the_people(app: Flask, client: Phone, board: Page) -> None:
    over = play_all(client, board, CLEAN)
    client.submit(over, f"{path_of(over)}/rematch")
    change(client, page_of(app, client, "Ann"), name="Anna")
    assert [each[0] for each in seated(app)] == ["Anna", "Anna"]
