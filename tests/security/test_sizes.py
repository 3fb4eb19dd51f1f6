"""Inputs that are too large or malformed get a proper response, cause no error 500, and aren't stored."""

from __future__ import annotations

import json
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.config import MAX_REQUEST_BYTES
from scorekeeper.games.views.offline import MOST
from tests.security.everywhere import open_book
from tests.support.game import FOUR, contents, path_of
from tests.support.page import Page

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.security.everywhere import Book
    from tests.support.phone import Phone

LONG = "x" * 5_000
DEEP = "[" * 60_000
MEANT = {
    "a long text": LONG,
    "a long number": "9" * 400,
    "a negative number": "-99999999999999999999",
    "no number": "1e400",
    "characters of no script": "\x00\ufffe\U000e0001",
}
TOKENS = {"csrf_token"}


def forms_of(book: Book) -> dict[str, dict[str, Any]]:
    """Return a dict with the fields of every form on any page of `book`, by the address to which the form is posted.

    The fields include the form's buttons.
    """
    forms: dict[str, dict[str, Any]] = {}
    for address in book.addresses("GET"):
        response = book.phone.get(address.path)
        if response.status_code != 200 or response.mimetype != "text/html":
            continue
        page = Page(response)
        for element in page.all("form"):
            if element.get("method") == "post":
                action = str(element.get("action", page.path))
                found = page.form(action)
                forms.setdefault(action, {}).update(dict.fromkeys(found.names, "1") | found.values)
    return forms


@pytest.mark.slow
def test_too_much_in_any_field_is_answered_and_not_stored(app: Flask, client: Phone) -> None:
    """A very long or otherwise wrong value in any field of a form causes no error 500 and isn't stored.

    First, each field of a form alone gets a wrong value. Then all fields of the form get the same wrong value, once for
    each kind of wrong value.
    """
    app.testing = False  # so that what breaks is answered as it would be
    book = open_book(app, client, FOUR)
    forms = forms_of(book)
    assert len(forms) > 40
    asked, slips = 0, cycle(MEANT)
    for action, fields in sorted(forms.items()):
        told = sorted(set(fields) - TOKENS)
        for names, slip in [*(([name], next(slips)) for name in told), *((told, slip) for slip in MEANT)]:
            # Not as a phone: what comes back with the form may be no character of any page.
            response = FlaskClient.open(client, action, method="POST", data=fields | dict.fromkeys(names, MEANT[slip]))
            assert response.status_code < 500, f"{action} {names} {slip}: {response.status}"
            asked += 1
    assert asked > 200
    stored = str(contents(app))
    assert LONG not in stored
    assert "9" * 400 not in stored


@pytest.mark.parametrize("size", [MAX_REQUEST_BYTES + 1, 20 * MAX_REQUEST_BYTES])
def test_more_than_a_page_can_send_is_refused(client: Phone, board: Page, size: int) -> None:
    """A request body that is too large is refused, whatever its content type."""
    token = board.form(f"{board.path}/bid").values["csrf_token"]
    for sent in (
        {"data": {"csrf_token": token, "name": "x" * size}},
        {"data": "x" * size, "content_type": "text/plain", "headers": {"X-CSRFToken": token}},
        {"data": json.dumps({"hands": ["x" * size]}), "content_type": "application/json"},
    ):
        for path in (f"{board.path}/names", f"{board.path}/waiting", "/games/import", "/recovery"):
            response = client.post(path, **sent)
            assert response.status_code in {400, 413}, f"{path}: {response.status}"


def test_many_fields_are_answered(client: Phone, board: Page) -> None:
    """A form with 20,000 fields, or with 20,000 values for one field, causes no error 500."""
    form = board.form(f"{board.path}/bid").values
    for more in ({f"f{number}": "1" for number in range(20_000)}, {"call": ["0:2"] * 20_000}):
        assert client.post(f"{board.path}/bid", data={**form, **more}).status_code < 500


def waiting(phone: Phone, board: Page, body: str) -> TestResponse:
    """Post `body` to the address for hands that a phone entered offline, and return the response.

    `body` should be the JSON text of these hands.
    """
    token = str(board.form(f"{board.path}/bid").values["csrf_token"])
    headers = {"X-CSRFToken": token}
    return phone.post(f"{path_of(board)}/waiting", data=body, content_type="application/json", headers=headers)


HAND = {"dealer": 3, "bidder": 0, "bid": 2, "points": {"high": 0, "low": 0, "jack": None, "game": 1}}


@pytest.mark.parametrize(
    "body",
    [
        DEEP,
        '{"a":' * 40_000,
        "1" * 100_000,
        "[]",
        "{}",
        "null",
        '{"version": 1e999, "hands": []}',
        json.dumps(
            {"version": 1, "hands": [{"id": f"tap-{n:08d}", "number": n, "hand": HAND} for n in range(1, MOST + 2)]}
        ),
        json.dumps({"version": 1, "hands": [{"id": "tap-00000001", "number": 10**30, "hand": HAND}]}),
        json.dumps({"version": 10**30, "hands": [{"id": "tap-00000001", "number": 1, "hand": HAND}]}),
        json.dumps({"version": 1, "hands": [{"id": "x" * 9000, "number": 1, "hand": HAND}]}),
        json.dumps({"version": 1, "hands": [{"id": "tap-00000001", "number": 1, "hand": HAND | {"bid": 10**30}}]}),
        json.dumps({"version": 1, "hands": [{"id": "tap-00000001", "number": 1, "hand": HAND | {"bid": LONG}}]}),
        json.dumps(
            {"version": 1, "hands": [{"id": "tap-00000001", "number": 1, "hand": HAND | {"taken": [1] * 50_000}}]}
        ),
        json.dumps(
            {"version": 1, "hands": [{"id": "tap-00000001", "number": 1, "hand": HAND | {"points": {LONG: 1}}}]}
        ),
    ],
    ids=range(15),
)
def test_hands_that_waited_are_bounded(app: Flask, client: Phone, board: Page, body: str) -> None:
    """Hands that a phone entered offline are refused if their JSON is too deep or too long, or has too many hands.

    The response has a 4xx status, and nothing in the database changes.
    """
    app.testing = False
    before = contents(app)
    response = waiting(client, board, body)
    assert 400 <= response.status_code < 500
    assert contents(app) == before


@pytest.mark.parametrize(
    "text", [DEEP, '{"a":' * 40_000, "1" * 100_000, '{"format": "scorekeeper-game/1", "hands": ' + DEEP]
)
def test_a_record_that_is_too_deep_is_refused(app: Flask, client: Phone, text: str) -> None:
    """A game record that is nested too deeply is refused by the import, like a text that isn't valid JSON.

    If such a text is sent as hands that a phone received from another phone, the response isn't an error 500.
    """
    app.testing = False
    assert client.submit(client.see("/"), "/games/import", 422, text=text).text
    token = client.see("/").form("/games/import").values["csrf_token"]
    for path in ("/carry",):
        assert client.post(path, data={"csrf_token": token, "code": text, "sent": text}).status_code < 500


@pytest.mark.slow
def test_long_addresses_and_headers_are_answered(app: Flask, client: Phone, board: Page) -> None:
    """A query or header of 8 kB doesn't cause an error 500."""
    app.testing = False
    long = "é" * 8_000
    for path in ("/", board.path, f"{board.path}/preview", board.path.replace("/games/", "/watch/"), "/tv"):
        for headers in (
            {"Accept-Language": "de," * 2_700},
            {"Accept-Language": long},
            {"Cookie": f"scorekeeper_device={long}; scorekeeper={long}; scorekeeper_settings={long}"},
            {"Referer": f"http://localhost/{long}"},
            {"If-None-Match": f'W/"{long}"'},
            {"Accept-Encoding": "gzip;q=" + "9" * 8_000},
            {"X-Part": long},
        ):
            sent = {name: value.encode("utf-8").decode("latin-1") for name, value in headers.items()}
            assert client.get(path, headers=sent, query_string={"version": long, "games": long}).status_code < 500
