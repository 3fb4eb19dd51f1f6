"""League files that are uploaded in the browser, shown for review, and imported in a separate process."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from scorekeeper.leagues.core.models import LeagueRow, UploadRow
from scorekeeper.leagues.transfer import archive, demo, league_file
from scorekeeper.leagues.transfer.league_file import KEPT, TURN
from scorekeeper.ops.scheduler import tidy
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web import rate_limit
from scorekeeper.web.extensions import db, take, writing
from scorekeeper.web.rate_limit import LEAGUE_IMPORTS
from tests.support.league_night import open_hall
from tests.support.page import Page, words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

PATH = "/leagues/import"


@pytest.fixture(scope="module")
def packed() -> bytes:
    """Return the file of a small league that isn't in the database."""
    return archive.pack(demo.demo_archive(datetime(2026, 9, 1, tzinfo=UTC)))


def _upload(phone: Phone, data: bytes, status: int = 303) -> Page:
    return phone.submit(phone.see(PATH), PATH, status, file=(io.BytesIO(data), "league.zip"))


def _leagues(app: Flask) -> list[str]:
    with app.app_context():
        return list(db.session.scalars(select(LeagueRow.name)))


@pytest.mark.slow
def test_uploaded_league_belongs_to_the_device(
    app: Flask, client: Phone, new_phone: Callable[[], Phone], packed: bytes
) -> None:
    """An uploaded league is imported only after it is confirmed. Then it belongs to the device that uploaded it.

    Other devices can't open the upload.
    """
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
    with app.app_context():
        assert db.session.scalars(select(UploadRow.key)).all() == []


def _with(data: bytes, name: str, text: bytes) -> bytes:
    """Return the bytes of the league file `data` with `text` as the content of the file `name` inside it."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as told:
        for each in whole.namelist():
            told.writestr(each, text if each == name else whole.read(each))
    return file.getvalue()


def test_other_files_are_refused(client: Phone, packed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty file, a file that is not a league, a damaged file, and a file that is too large are refused."""
    assert "That file is empty." in _upload(client, b"", 422).text
    assert "Choose a league file" in client.submit(client.see(PATH), PATH, 422).text
    for wrong in (b"PK\x03\x04", b"name\nAnn\n", packed[:-50], _with(packed, "league.json", b"[]")):
        assert "isn't a league file" in _upload(client, wrong, 422).text
    monkeypatch.setattr(league_file, "MOST_HEAD", 1000)
    assert "too large for a browser" in _upload(client, packed, 422).text


def test_league_file_may_be_larger_than_a_form(client: Phone) -> None:
    """The form for league files accepts large files. Other forms refuse a request of that size with status 413."""
    token = str(client.see(PATH).form(PATH).values["csrf_token"])
    # Written by hand, because the test client leaves the file open in which it keeps a large form.
    part = '--part\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n{}\r\n'
    body = part.format("csrf_token", "", token) + part.format("file", '; filename="a.zip"', "x" * 600_000) + "--part--"
    headers = {"Origin": "http://localhost", "Content-Type": "multipart/form-data; boundary=part"}
    sent = client.post(PATH, data=body.encode(), headers=headers)
    assert (sent.status_code, "isn't a league file" in Page(sent).text) == (422, True)
    assert client.post("/games/import", data=body.encode(), headers=headers).status_code == 413


@pytest.mark.slow
def test_damage_in_the_games_is_found_by_the_import(app: Flask, client: Phone, packed: bytes) -> None:
    page = _upload(client, _with(packed, "games.jsonl", b"{}\n"))
    assert "Nothing was imported" in client.submit(page, page.path, 422).text
    assert _leagues(app) == []


def test_one_import_at_a_time(app: Flask, client: Phone, packed: bytes) -> None:
    page = _upload(client, packed)
    with app.app_context():
        assert take(name=TURN, lasts=timedelta(minutes=1))
    assert "Another league is being imported" in client.submit(page, page.path, 422).text
    assert _leagues(app) == []


def test_old_uploads_are_removed(app: Flask, client: Phone, packed: bytes) -> None:
    """An uploaded file can't be opened after an hour.

    The server deletes the file at the next upload, or when it cleans up old data.
    """
    open_hall(app, client)
    first = _upload(client, packed)
    with app.app_context(), writing() as session:
        session.execute(update(UploadRow).values(made_at=datetime.now(UTC) - KEPT))
    assert client.get(first.path).status_code == 404
    for remove in (lambda: league_file.keep(device="b", data=packed, file=league_file.look_into(packed)), tidy):
        with app.app_context():
            league_file.keep(device="a", data=packed, file=league_file.look_into(packed), now=datetime.now(UTC) - KEPT)
            old = db.session.scalars(select(UploadRow.key).order_by(UploadRow.id.desc())).first()
            remove()
            assert old not in db.session.scalars(select(UploadRow.key)).all()


def test_so_many_uploads_are_kept(app: Flask, packed: bytes) -> None:
    """The server keeps only the three newest uploads of each device.

    If the server has too many uploads in total, a new upload is refused, and other devices' uploads stay.
    """
    with app.app_context():
        file = league_file.look_into(packed)
        first = league_file.keep(device="first", data=b"x", file=file)
        mine = [league_file.keep(device="mine", data=b"x", file=file) for _again in range(league_file.MOST_KEPT + 2)]
        here = [league_file.kept(device="mine", key=key) is not None for key in mine]
        assert (sum(here), here[-3:]) == (3, [True] * 3)
        for number in range(league_file.MOST_KEPT - 4):
            league_file.keep(device=str(number), data=b"x", file=file)
        with pytest.raises(RuleViolation, match="Too many files"):
            league_file.keep(device="last", data=b"x", file=file)
        assert league_file.kept(device="first", key=first) is not None


def test_uploaded_file_is_parsed_once(app: Flask, client: Phone, packed: bytes) -> None:
    """The page about an upload shows what was found during the upload, even if the stored file can't be read later."""
    page = _upload(client, packed)
    with app.app_context(), writing() as session:
        session.execute(update(UploadRow).values(data=b""))
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
