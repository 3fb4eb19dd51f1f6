"""A league file is imported in the browser: looked into first, then imported by a process of its own."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.db.lock import held
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.transfer import archive, demo, league_file
from scorekeeper.leagues.transfer.league_file import UPLOADS
from scorekeeper.web import rate_limit
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit import LEAGUE_IMPORTS
from tests.support.league_night import open_hall
from tests.support.page import Page, words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

PATH = "/leagues/import"


@pytest.fixture(scope="module")
def packed() -> bytes:
    """Return a small league as a file, made in no database."""
    return archive.pack(demo.demo_archive(datetime(2026, 9, 1, tzinfo=UTC)))


def _upload(phone: Phone, data: bytes, status: int = 303) -> Page:
    return phone.submit(phone.see(PATH), PATH, status, file=(io.BytesIO(data), "league.zip"))


def _leagues(app: Flask) -> list[str]:
    with app.app_context():
        return list(db.session.scalars(select(LeagueRow.name)))


def test_uploaded_league_belongs_to_the_device(
    app: Flask, client: Phone, new_phone: Callable[[], Phone], packed: bytes
) -> None:
    """Nobody else finds the upload, and nothing is saved before the second step."""
    page = _upload(client, packed)
    assert page.status == 200
    assert "24" in page.text
    assert _leagues(app) == []
    assert new_phone().get(page.path).status_code == 404
    league = client.submit(page, page.path)
    (name,) = _leagues(app)
    assert name in league.text
    assert client.get(f"{league.path}/archive.zip").status_code == 200
    assert new_phone().get(f"{league.path}/archive.zip").status_code == 403
    assert client.get(page.path).status_code == 404
    assert "already on this server" in _upload(client, packed, 422).text
    assert [path.suffix for path in (app.config["INSTANCE"] / UPLOADS).iterdir() if path.name != "lock"] == []


def _with(data: bytes, name: str, text: bytes) -> bytes:
    """Return the file with another part."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as told:
        for each in whole.namelist():
            told.writestr(each, text if each == name else whole.read(each))
    return file.getvalue()


def test_other_files_are_refused(client: Phone, packed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty one, one that is no league, a damaged one, and a ZIP bomb."""
    assert "Choose a league file" in _upload(client, b"", 422).text
    for wrong in (b"PK\x03\x04", b"name\nAnn\n", packed[:-50], _with(packed, "league.json", b"[]")):
        assert "isn't a league file" in _upload(client, wrong, 422).text
    monkeypatch.setattr(league_file, "MOST_HEAD", 1000)
    assert "too large for a browser" in _upload(client, packed, 422).text


def test_league_file_may_be_larger_than_a_form(client: Phone) -> None:
    """Elsewhere the limit of a request stands."""
    token = str(client.see(PATH).form(PATH).values["csrf_token"])
    # Written by hand, because the test client leaves the file open in which it keeps a large form.
    part = '--part\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n{}\r\n'
    body = part.format("csrf_token", "", token) + part.format("file", '; filename="a.zip"', "x" * 600_000) + "--part--"
    headers = {"Origin": "http://localhost", "Content-Type": "multipart/form-data; boundary=part"}
    sent = client.post(PATH, data=body.encode(), headers=headers)
    assert (sent.status_code, "isn't a league file" in Page(sent).text) == (422, True)
    assert client.post("/games/import", data=body.encode(), headers=headers).status_code == 413


def test_damage_in_the_games_is_found_by_the_import(app: Flask, client: Phone, packed: bytes) -> None:
    page = _upload(client, _with(packed, "games.jsonl", b"{}\n"))
    assert "Nothing was imported" in client.submit(page, page.path, 422).text
    assert _leagues(app) == []


def test_one_import_at_a_time(app: Flask, client: Phone, packed: bytes) -> None:
    page = _upload(client, packed)
    with held(app.config["INSTANCE"] / UPLOADS / "lock"):
        assert "Another league is being imported" in client.submit(page, page.path, 422).text
    assert _leagues(app) == []


def test_old_uploads_are_removed(app: Flask, client: Phone, packed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    open_hall(app, client)
    first = _upload(client, packed)
    monkeypatch.setattr(league_file, "KEPT_SECONDS", -1)
    assert client.get(first.path).status_code == 404
    league_file.keep(app.config["INSTANCE"], "device", packed, league_file.look_into(packed))
    assert sorted(path.suffix for path in (app.config["INSTANCE"] / UPLOADS).iterdir()) == [".json", ".zip"]


def test_uploaded_file_is_parsed_once(app: Flask, client: Phone, packed: bytes) -> None:
    """The page shows what was found at the upload, even if the file beside it can't be read anymore."""
    page = _upload(client, packed)
    for path in (app.config["INSTANCE"] / UPLOADS).glob("*.zip"):
        path.write_bytes(b"")
    again = client.see(page.path)
    assert [words(row) for row in again.all("dl")] == [words(row) for row in page.all("dl")]


def test_imports_are_limited(app: Flask, client: Phone, packed: bytes) -> None:
    page = _upload(client, packed)
    app.config["LIMITS"] = True
    rate_limit.connect(app)
    with app.test_request_context():
        for _ in range(LEAGUE_IMPORTS.amount):
            assert rate_limit.count(LEAGUE_IMPORTS, "127.0.0.1") == 0
    client.submit(page, page.path, 429)
    assert client.see(page.path).status == 200
    app.extensions["limiter"].storage.engine.dispose()
