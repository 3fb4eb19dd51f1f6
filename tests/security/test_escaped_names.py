"""Malicious names can't run code in any output: pages, drawings, preview cards, spreadsheets and printed sheets."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
import zipfile
from typing import TYPE_CHECKING

import pytest

from scorekeeper.leagues.transfer.spreadsheet import lines_of
from scorekeeper.web.csv_cells import FORMULA, csv_file, harmless
from tests.security.everywhere import open_book
from tests.support.game import start
from tests.support.page import Page, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask import Flask
    from werkzeug.test import TestResponse

    from tests.support.phone import Phone

MEAN = ("<script>alert(1)</script>", "\"'><img src=x onerror=alert(2)>", "=cmd|' /C calc'!A0", "שרה </title>&lt;b>")
RAW = ("<script>alert", "<img src=x", "</title>&lt;")
"""Parts of these names that no page may contain without escaping."""
INVISIBLE = " \u00a0\u200b\u200e\u200f\u2067\ufeff"


@pytest.mark.slow
def test_a_mean_name_is_a_name_in_every_output(app: Flask, client: Phone) -> None:
    """No response about a game or league with malicious names runs code.

    `CHECKS` has a check for each type of response. The test client also refuses a page with an inline script, and a
    page on which a name has ended one attribute and added another.
    """
    book = open_book(app, client, MEAN)
    seen: dict[str, int] = {}
    for address in book.addresses("GET"):
        for headers in ({}, {"X-Part": "main"}):
            response = client.get(address.path, headers=headers)
            assert response.status_code < 500, address
            if response.status_code == 200:
                kind = str(response.mimetype)
                CHECKS.get(kind, nothing)(response)
                seen[kind] = seen.get(kind, 0) + 1
    assert seen["text/html"] > 60, seen
    assert set(CHECKS) <= set(seen), "each kind of output was looked at"
    told = [client.get(address.path).text for address in book.addresses("GET") if address.endpoint == "games.watch"]
    for meta in [each for each in parse(told[0]).iter("meta") if each.get("property") == "og:title"]:
        assert MEAN[0] in str(meta.get("content"))
    assert MEAN[1] in Page(client.get(book.game)).text


def in_page(response: TestResponse) -> None:
    """Raise `AssertionError` if a page or drawing contains a malicious name without escaping."""
    for raw in RAW:
        assert raw not in response.text, response.request.path


def in_drawing(response: TestResponse) -> None:
    """Raise an error if a drawing isn't well-formed XML, or contains a malicious name without escaping."""
    in_page(response)
    ET.fromstring(response.text)


def in_json(response: TestResponse) -> None:
    """Raise `AssertionError` if a response isn't valid JSON, or if a browser might display the response as a page."""
    json.loads(response.text)
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def in_csv(response: TestResponse) -> None:
    """Raise `AssertionError` if the CSV file in the response has a cell that spreadsheets would run as a formula."""
    no_formulas(response.data)


def in_workbook(response: TestResponse) -> None:
    """Raise `AssertionError` if a workbook contains a formula or a link, or lacks the malicious names."""
    with zipfile.ZipFile(io.BytesIO(response.data)) as book:
        parts = {name: book.read(name).decode() for name in book.namelist() if name.endswith(".xml")}
    for name, text in parts.items():
        ET.fromstring(text)
        assert "<f>" not in text, name
        assert "hyperlink" not in text, name
    if any('<row r="2"' in text for text in parts.values()):
        assert "=cmd|" in "".join(parts.values())


def in_archive(response: TestResponse) -> None:
    """Raise `AssertionError` if a CSV file in the ZIP file has a cell that spreadsheets would run as a formula.

    At least one file in the ZIP file must contain a malicious name.
    """
    with zipfile.ZipFile(io.BytesIO(response.data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    told = b"".join(parts.values())
    assert b"=cmd|" in told or b"alert(1)" in told
    for table in (part for name, part in parts.items() if name.endswith(".csv")):
        only_text(table)


def nothing(_response: TestResponse) -> None:
    """Check nothing; this function is used for types of responses that contain no names."""


def no_formulas(data: bytes) -> None:
    """Raise `AssertionError` if a CSV file has a cell that spreadsheets would run as a formula.

    A file with more than one line must also contain the malicious names.
    """
    assert b"=cmd|" in data or data.count(b"\n") == 1
    only_text(data)


def only_text(data: bytes) -> None:
    """Raise `AssertionError` if a cell of a CSV file starts like a formula; negative numbers are allowed."""
    for cell in (cell for line in csv.reader(io.StringIO(data.decode("utf-8-sig"))) for cell in line):
        number = cell.removeprefix("-").replace(".", "", 1).isdigit()
        assert number or not cell.lstrip(INVISIBLE).startswith(FORMULA), cell


CHECKS: Mapping[str, Callable[[TestResponse], None]] = {
    "text/html": in_page,
    "image/svg+xml": in_drawing,
    "application/json": in_json,
    "text/csv": in_csv,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": in_workbook,
    "application/zip": in_archive,
}


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\u200f=1", "\u2067\ufeff+1", "＝1", "－1"]
)
def test_a_cell_that_begins_as_a_formula_is_made_words(cell: str) -> None:
    """A cell that starts like a formula gets an apostrophe in front, so that spreadsheets treat the cell as text.

    Invisible characters before the formula make no difference. Full-width characters count too, because some
    spreadsheets accept them.
    """
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize(
    "cell", ["Ann;=1+1", "Ann; =1+1;", ';"=1+1"', "=1;+1", "Ann\t=1", "Ann\r\n@SUM(A1)", "Ann;\u200f＝1"]
)
def test_a_part_of_a_cell_that_begins_as_a_formula_is_made_words(cell: str) -> None:
    """If a cell contains semicolons, tabs or line breaks, no part between them starts like a formula.

    In languages with a decimal comma, such as French, spreadsheets split the lines of any CSV file at `;`.
    """
    for part in re.split(r"[;\t\r\n]+", str(harmless(cell))):
        assert not part.strip(f'{INVISIBLE}"').startswith(FORMULA), part


@pytest.mark.parametrize("cell", ["=Ann", "Ann;=1+1", "Ann; =1;-2", "Ann 'Bob' ;Cid"])
def test_what_made_it_words_is_no_part_of_what_is_read(cell: str) -> None:
    assert lines_of(csv_file(["name"], [[cell]]).decode("utf-8-sig"))[1][1] == [cell]


@pytest.mark.parametrize("cell", ["Ann", "Ann = Bob", "Ann; Bob", "Ann;a=1", -3, 2.5, None, "", " ", "\u200f"])
def test_any_other_cell_stays_as_it_is(cell: str | float | None) -> None:
    assert harmless(cell) == cell


@pytest.mark.parametrize("mark", ["\u202e", "\u202d", "\u2066", "\u2067", "\u2069", "\u2028"])
def test_a_name_that_turns_the_words_around_it_is_refused(client: Phone, mark: str) -> None:
    """A player's name with a character that changes the direction of text is refused, and the page says so."""
    page = start_refused(client, f"An{mark}n")
    assert "A name can't have invisible control characters." in page.text


def start_refused(phone: Phone, name: str) -> Page:
    """Try to start a game with a player called `name`, and return the page with the error."""
    page = phone.see("/games/new")
    form = page.form("/games/new").values
    seats = {f"name-{seat}": text for seat, text in enumerate((name, "Bob", "Cid", "Dee"))}
    response = phone.post("/games", data={**form, **seats})
    assert response.status_code == 422
    return Page(response)


def test_a_name_from_the_right_turns_no_sentence(client: Phone) -> None:
    """A name in a right-to-left script doesn't change the order of the words around it."""
    board = start(client, ("שרה", "Bob", "Cid", "Dee"))
    log = client.get(f"{board.path}/log").text
    assert "\u2068שרה\u2069" in log
