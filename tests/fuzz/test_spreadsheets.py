"""Tables of players and results are imported completely, or refused with a sentence without storing anything."""

from __future__ import annotations

import html
import io
import re
import zipfile
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient
from hypothesis import strategies as st
from openpyxl import Workbook

from scorekeeper.leagues.core.access import season_at
from scorekeeper.leagues.standings.standings_cache import _seasons, season_standings
from scorekeeper.leagues.transfer.names import newcomers
from scorekeeper.leagues.transfer.past_reading import Past, PastSeason, Said, read_past
from scorekeeper.leagues.transfer.spreadsheet import text_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.fuzz.budget import fuzz
from tests.fuzz.mutation import ODD_TEXTS, encoded, mutated_bytes, odd_texts
from tests.fuzz.samples import PEOPLE, RESULTS
from tests.support.game import contents
from tests.support.league_night import open_hall
from tests.support.phone import Phone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

    from tests.fuzz.conftest import NewBook

pytestmark = [pytest.mark.slow, pytest.mark.fuzz, pytest.mark.database]


LARGEST = 320_000
"""The highest number of characters or bytes of a table that a test tries.

This is a little more than `sheet.MOST_BYTES`. Tables with more bytes than that are refused without being read.
"""


@st.composite
def cells_changed(draw: st.DrawFn, samples: tuple[str, ...]) -> str:
    """Draw one of the tables `samples` with up to four wrong cells, and cut the table to `LARGEST` characters."""
    text = draw(st.sampled_from(samples))
    separator = max(",;\t", key=text.count)
    lines = [line.split(separator) for line in text.splitlines()]
    for _ in range(draw(st.integers(0, 4))):
        line = draw(st.sampled_from(lines))
        if line:
            place = draw(st.integers(0, len(line) - 1))
            line[place] = draw(odd_texts) if draw(st.booleans()) else line[place] + draw(st.sampled_from(ODD_TEXTS))
    if draw(st.integers(0, 9)) == 0:
        lines += [lines[-1]] * draw(st.sampled_from((1, 50, 3_001)))
    return draw(st.sampled_from(("\n", "\r\n", "\r"))).join(separator.join(line) for line in lines)[:LARGEST]


def sheets(samples: tuple[str, ...]) -> st.SearchStrategy[bytes]:
    """Return a strategy that draws files with tables like those of `samples`, usually damaged ones."""
    drawn = st.one_of(
        encoded(cells_changed(samples)),
        encoded(cells_changed(samples)),
        mutated_bytes([sample.encode() for sample in samples]),
        encoded(st.text(max_size=200)),
        st.binary(max_size=200),
    )
    return drawn.map(lambda data: data[:LARGEST])


def _past(text: str) -> Past:
    """Parse a table of past results as an import would.

    The season has no results yet, and Ann, Bob and Zoë Müller are known players.
    """
    season = PastSeason(PRESETS["setback-21"], (), stops=False, known=("Ann", "Bob", "Zoë Müller"))
    return read_past(text, season, Said(without=9999), date(2026, 11, 1))


CHECKED = re.compile(r'type="radio" name="(who-[^"]*)" value="([^"]*)" checked')


def _answers(page: str) -> dict[str, Any]:
    """Return the form fields of an import preview, with the player that the preview proposes for each name."""
    return {html.unescape(name): html.unescape(value) for name, value in CHECKED.findall(page)}


def _book(rows: list[list[str]]) -> bytes:
    """Return an XLSX file with these rows of cells."""
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


BOOKS = [_book([re.split("[,;\t]", line) for line in sample.splitlines()]) for sample in RESULTS]


def test_damaged_workbooks_are_read_or_refused() -> None:
    """A damaged XLSX file is either read, or refused with a message.

    The damage is in the bytes of the whole file, or in one of the XML files inside it.
    """

    @contextmanager
    def claims() -> Iterator[Callable[[bytes], None]]:
        def claim(data: bytes) -> None:
            try:
                assert _past(text_of(data)).lines is not None
            except RuleViolation as violation:
                assert str(violation.message)

        yield claim

    assert fuzz(st.one_of(mutated_bytes(BOOKS), repacked()), claims)


@st.composite
def repacked(draw: st.DrawFn) -> bytes:
    """Draw an XLSX file that is a valid ZIP archive but has one damaged file inside."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(draw(st.sampled_from(BOOKS)))) as whole, zipfile.ZipFile(file, "w") as packed:
        wrong = draw(st.sampled_from(whole.namelist()))
        for name in whole.namelist():
            data = whole.read(name)
            packed.writestr(name, draw(mutated_bytes([data])) if name == wrong else data)
    return file.getvalue()


def _standings(app: Flask, season: str, *, anew: bool) -> str:
    with app.app_context():
        if anew:
            _seasons.clear()
        return repr(season_standings(db.session(), season_at(db.session(), season)).people)


@pytest.mark.parametrize("samples", [PEOPLE, RESULTS], ids=["people", "results"])
def test_tables_are_read_or_refused(new_book: NewBook, samples: tuple[str, ...]) -> None:
    """A damaged table is either imported completely, or refused without storing anything.

    The preview stores nothing either. After an import, all pages that show the imported rows work.
    """
    for sample in samples:
        lines: Any = newcomers(sample, ()) if samples is PEOPLE else _past(sample).lines
        assert not [line.problem for line in lines if line.problem], sample

    @contextmanager
    def claims() -> Iterator[Callable[[tuple[bytes, bool]], None]]:
        with new_book() as app:
            desk = app.test_client()
            assert isinstance(desk, Phone)
            hall = open_hall(app, desk)
            season, people = f"/seasons/{hall.season}", f"/leagues/{hall.league}/people"
            path = f"{people}/import" if samples is PEOPLE else f"{season}/results/import"
            token = hall.desk.see(path).form(path).values["csrf_token"]
            held = contents(app)

            def send(data: bytes, pasted: bool, **more: Any) -> Any:
                told: Any = (
                    {"text": data.decode("utf-8", "replace")} if pasted else {"file": (io.BytesIO(data), "a.csv")}
                )
                return FlaskClient.open(hall.desk, path, method="POST", data={"csrf_token": token, **told, **more})

            def claim(drawn: tuple[bytes, bool]) -> None:
                nonlocal held
                looked = send(*drawn)
                if looked.status_code == 413:  # what is no text is nine times as long in a form
                    assert contents(app) == held
                    return
                assert looked.status_code in {200, 422}, looked.status
                assert contents(app) == held
                # Lines that cannot be are left out, and who somebody is stays as proposed.
                done = send(*drawn, confirmed="1", without="9999", new="9999", **_answers(looked.text))
                if done.status_code == 200:  # there is a name that nobody can be asked about
                    assert contents(app) == held
                    return
                if done.status_code == 422:
                    assert contents(app) == held
                    return
                assert done.status_code == 303, done.status
                assert looked.status_code == 200, "it was taken, and said before that it cannot be"
                for at in (
                    people,
                    season,
                    f"{season}/people.csv",
                    f"{season}/people.xlsx",
                    f"/leagues/{hall.league}/log",
                ):
                    assert FlaskClient.open(hall.desk, at).status_code == 200, at
                assert _standings(app, hall.season, anew=False) == _standings(app, hall.season, anew=True)
                if samples is PEOPLE:
                    again = send(*drawn, confirmed="1", new="0", **_answers(looked.text))
                    assert again.status_code == 303
                    assert "added=0" in again.location, "once more, everybody is there"
                held = contents(app)

            yield claim

    # With each import the league grows, and its pages take longer.
    assert fuzz(st.tuples(sheets(samples), st.booleans()), claims, each_round=40)


@pytest.mark.parametrize("samples", [PEOPLE, RESULTS], ids=["people", "results"])
def test_tables_are_looked_at(samples: tuple[str, ...]) -> None:
    """A damaged table is either parsed, or refused with a message.

    No database is used, so that many more tables can be tried.
    """

    @contextmanager
    def claims() -> Iterator[Callable[[bytes], None]]:
        def claim(data: bytes) -> None:
            try:
                text = text_of(data)
                lines: Any = newcomers(text, ("Ann", "Bob")) if samples is PEOPLE else _past(text).lines
                assert all(str(line.problem) for line in lines if line.problem)
            except RuleViolation as violation:
                assert str(violation.message)

        yield claim

    assert fuzz(sheets(samples), claims)
