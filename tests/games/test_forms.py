"""Forms that no page of the app sends are refused with a message, and nothing is partly stored."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from scorekeeper.web.errors import PROBLEMS
from tests.support.game import FOUR, contents, play, points
from tests.support.page import Page

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

NASTY = ["", " ", "²", "٣", "-1", "1e3", "0x1", "9" * 4000, "\x00", "\ufffd", "None", "true", "[]", "{{7*7}}", "' --"]

FIELDS = {
    "hands": ("dealer", "bidder", "bid", "trump", "high", "tricks", "mode", "seen"),
    "hands/3/correction": ("dealer", "bidder", "bid", "trump", "game", "mode"),
    "bid": ("call", "trump"),
    "dealer": ("dealer",),
    "concession": ("winner",),
    "seats": ("seat", "name"),
    "names": ("name-2",),
}
"""Fields to tamper with in each form of a game. A key is the part of the form's address after the game's address."""


@pytest.mark.parametrize("version", [None, "", "0", "-1", "²", "1.5", "x", "9" * 26, "9" * 5000, "\x00"])
def test_a_form_needs_a_version(client: Phone, app: Flask, board: Page, version: str | None) -> None:
    """A form is refused if it doesn't say which version of the game its page showed."""
    before = contents(app)
    page = client.submit(board, f"{board.path}/bid", 422, version=version, call="0:2")
    assert "That form was incomplete, so nothing was changed. Reload the page and try again." in page.text
    assert contents(app) == before


@pytest.mark.parametrize("version", ["2", "9999999"])
def test_an_unknown_version_is_late(client: Phone, app: Flask, board: Page, version: str) -> None:
    """If a form names a version of the game that doesn't exist yet, it is refused as out of date."""
    before = contents(app)
    assert client.submit(board, f"{board.path}/bid", 409, version=version, call="0:2").h1 == board.h1
    assert contents(app) == before


@pytest.mark.parametrize("field", ["client_id", "version", "call", "trump", "high", "mode", "name-0", "text", "seat"])
def test_a_file_in_place_of_a_field(client: Phone, app: Flask, board: Page, field: str) -> None:
    """If a forged form has a file in place of a text field, the response is a page, not an error 500.

    Nothing is stored.
    """
    play(client, board, 0, 3, "AAAB")
    page = client.see(board.path)
    values = page.form(f"{board.path}/bid").values
    before = contents(app)
    for name in ("bid", "hands", "names", "seats", "hands/3/correction"):
        sent = {"mode": "points", **points("AAAB"), **values, field: (io.BytesIO(b"2"), "two.txt")}
        response = client.post(f"{board.path}/{name}", data=sent, content_type="multipart/form-data")
        assert response.status_code in (200, 422), f"{name}: {response.status}"
    assert contents(app) == before
    for path in ("/games", "/games/import", "/games/new"):
        named = {f"name-{seat}": name for seat, name in enumerate(("Ann", "Cid", "Cid", "Dee"))}
        sent = {**values, **named, field: (io.BytesIO(b"2"), "two.txt")}
        response = client.post(path, data=sent, content_type="multipart/form-data")
        assert response.status_code in (200, 422), f"{path}: {response.status}"
    assert contents(app) == before


@pytest.mark.parametrize("nasty", NASTY)
def test_no_field_breaks_a_page(client: Phone, app: Flask, board: Page, nasty: str) -> None:
    """Strange input in any form field about a game never leads to an error 404 or 500."""
    play(client, board, 0, 3, "AAAB")
    page = client.see(board.path)
    form = page.form(f"{board.path}/bid").values
    sent = {"call": "0:2", "mode": "points", **points("AAAB"), **form}
    for name, fields in FIELDS.items():
        for field in fields:
            response = client.post(f"{board.path}/{name}", data={**sent, field: nasty})
            assert response.status_code in (200, 303, 409, 422), f"{name}, {field}: {response.status}"
    for field in FIELDS["hands"]:
        assert client.get(f"{board.path}/preview", query_string={**sent, field: nasty}).status_code == 200


@pytest.mark.parametrize("nasty", NASTY)
def test_no_field_breaks_the_new_game(client: Phone, nasty: str) -> None:
    """Strange input in any field of the new-game form still leads to a page."""
    form = client.see("/games/new").form("/games/new").values
    named = {f"name-{seat}": name for seat, name in enumerate(FOUR)}
    fields = ("preset", "seating", "name-1", "first_dealer", "choose", "seating_choice", "rule-target", "rule-low")
    for field in fields:
        response = client.post("/games/new", data={**form, **named, field: nasty})
        assert response.status_code == 200, f"{field}: {response.status}"
    everything = dict.fromkeys([*form, *fields, "rule-", "rule-preset", "rule-categories", "name-7"], nasty)
    response = client.post("/games", data={**everything, **named, "csrf_token": form["csrf_token"]})
    assert response.status_code == 422


def test_two_megabytes_of_a_name_are_refused(client: Phone, app: Flask, board: Page) -> None:
    """A form with a name of two megabytes is refused, in both encodings that a form can have.

    The response has status 413 and is a page.
    """
    before = contents(app)
    token = board.form(f"{board.path}/bid").values["csrf_token"]
    name = "x" * 2_000_000
    bodies = {
        "application/x-www-form-urlencoded": f"csrf_token={token}&name-0={name}",
        "multipart/form-data; boundary=b": "".join(
            f'--b\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
            for field, value in (("csrf_token", token), ("name-0", name))
        )
        + "--b--\r\n",
    }
    for path in ("/games", "/games/new", "/games/import", f"{board.path}/names", f"{board.path}/bid"):
        for kind, body in bodies.items():
            response = client.post(path, data=body.encode(), content_type=kind)
            assert response.status_code == 413
            assert Page(response).h1 == PROBLEMS[413].heading
    assert contents(app) == before


def test_a_thousand_fields_are_refused(client: Phone, app: Flask) -> None:
    before = contents(app)
    form = client.see("/games/new").form("/games/new").values
    response = client.post("/games", data={**form, **{f"name-{seat}": "x" for seat in range(2000)}})
    assert response.status_code in (413, 422)
    assert contents(app) == before


def test_the_first_of_two_values_counts(client: Phone, board: Page) -> None:
    page = client.submit(board, f"{board.path}/bid", call=["0:3", "1:4"], trump=["H", "X"])
    assert "Ann bid 3 ♥" in page.text
    checked = client.submit(
        page, f"{board.path}/hands", 200, mode=["points", "passed"], high=["0", "1"], low="0", jack="none", game="0"
    )
    assert "Ann and Cid score 3" in checked.text


@pytest.mark.parametrize("number", ["0", "7", "9" * 30])
def test_deleting_unknown_house_rules(client: Phone, app: Flask, board: Page, number: str) -> None:
    """Deleting unknown house rules is answered with 404, even if their number is too large for a database."""
    before = contents(app)
    response = client.post(f"/house-rules/{number}/deletion", data=board.form(f"{board.path}/bid").values)
    assert response.status_code == 404
    assert contents(app) == before
