"""What an open club shows to strangers, as files (`scorekeeper publish`)."""

from __future__ import annotations

import json
import posixpath
import re
from html.parser import HTMLParser
from shutil import rmtree
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from scorekeeper.cli.app import main
from scorekeeper.leagues.publishing.files import WRITTEN, Changed, NotPublishedError, chosen_clubs, publish
from scorekeeper.web.rate_limit import COSTLY, asker, spend
from tests.leagues.publishing.conftest import FIRST, PEOPLE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.leagues.publishing.conftest import Club

ADDRESS = "https://example.org/cards"


class Links(HTMLParser):
    """The addresses in a page to which it leads, or that it needs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for key, value in attrs if key in {"href", "src", "action", "data-watch"} and value]


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Return an empty folder."""
    folder = tmp_path / "web"
    folder.mkdir()
    return folder


def published(club: Club, folder: Path, address: str = ADDRESS) -> Changed:
    with club.app.app_context():
        return publish(club.app, folder, chosen_clubs([], folder), address)


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_every_link_of_a_published_page_leads_to_a_published_file(club: Club, web: Path, address: str) -> None:
    published(club, web, address)
    files = files_in(web)
    pages = {name: content.decode() for name, content in files.items() if name.endswith(".html")}
    assert {"index.html", "clubs/index.html", "clubs/fire-hall/index.html"} <= pages.keys()
    assert {"clubs/fire-hall/seasons/1/nights/1/index.html", "embed/fire-hall/standings/index.html"} <= pages.keys()
    assert ("clubs/fire-hall/feed.atom" in files) == ("clubs/fire-hall/poster/index.html" in files) == bool(address)
    for name, text in pages.items():
        links = Links(text).found
        assert links, name
        for link in links:
            parts = urlsplit(link)
            if parts.scheme:
                assert address, (name, link)
                whole = link.replace("webcal:", "https:")
                assert whole.startswith(ADDRESS), (name, link)
                assert whole.removeprefix(f"{ADDRESS}/") in files, (name, link)
            elif parts.path:
                assert posixpath.normpath(posixpath.join(posixpath.dirname(name), parts.path)) in files, (name, link)
        assert "<form" not in text, name
        assert "localhost" not in text, name


def test_style_sheets_and_scripts_bring_what_they_use(club: Club, web: Path) -> None:
    published(club, web)
    files = files_in(web)
    for name, content in files.items():
        if name.endswith(".css"):
            for used in re.findall(rb"url\(([^)]+)\)", content):
                assert posixpath.normpath(posixpath.join(posixpath.dirname(name), used.decode())) in files, name


def test_a_published_page_says_what_the_server_says(club: Club, web: Path) -> None:
    published(club, web)
    files = files_in(web)
    server = club.stranger
    for path in ("/api/1/clubs", "/api/1/clubs/fire-hall/seasons/1/standings"):
        assert json.loads(files[f"{path.strip('/')}.json"]) == server.get(path).get_json()
    assert files["clubs/fire-hall/seasons/1/picture.png"] == server.get("/clubs/fire-hall/seasons/1/picture.png").data
    described = json.loads(files["api/1/openapi.json"])
    assert described["servers"] == [{"url": f"{ADDRESS}/api/1"}]
    for path in described["paths"]:
        name = path.format(club="fire-hall", season=1, night=1)
        assert f"api/1{name}" in files, path
    tables = [re.findall(r"<tbody>.*?</tbody>", text, re.DOTALL) for text in (
        files["clubs/fire-hall/seasons/1/index.html"].decode(), server.get("/clubs/fire-hall/seasons/1").text
    )]  # fmt: skip
    assert tables[0]
    assert tables[0] == tables[1]


def test_nothing_private_gets_into_the_files(club: Club, web: Path) -> None:
    club.open(names="short")
    published(club, web)
    everything = b"".join(files_in(web).values()).decode(errors="replace")
    for name in PEOPLE:
        assert name not in everything
    assert "Ann B." in everything
    assert club.league.rpartition("/")[2] not in everything
    assert "csrf" not in everything


def test_only_what_changed_is_written_and_what_is_gone_is_removed(club: Club, web: Path) -> None:
    (web / "notes.txt").write_text("not ours")
    first = published(club, web)
    assert (first.written, first.removed) == (first.files, 0)
    before = files_in(web)
    assert published(club, web) == Changed(first.files, 0, 0)
    club.night(FIRST)
    more = published(club, web)
    assert more.files > first.files
    assert 0 < more.written < more.files
    club.open(slug="fire-house")
    moved = published(club, web)
    after = files_in(web)
    assert moved.removed
    assert not any("fire-hall" in name for name in after)
    assert not (web / "clubs" / "fire-hall").exists()
    assert after["notes.txt"] == before["notes.txt"]
    assert sorted(after) == sorted({"notes.txt", WRITTEN, *after[WRITTEN].decode().split("\n")})


def test_files_that_were_removed_by_hand_are_no_obstacle(club: Club, web: Path) -> None:
    """What is no longer published may be gone already, with its folder; what still is, is written again."""
    before = published(club, web)
    rmtree(web / "clubs")
    club.open(slug="fire-house")
    assert published(club, web).files == before.files
    assert (web / "clubs" / "fire-house" / "index.html").exists()


def test_a_file_that_was_not_published_stays(club: Club, web: Path) -> None:
    (web / "index.html").write_text("my page")
    with pytest.raises(NotPublishedError, match="wasn't published"):
        published(club, web)
    assert files_in(web) == {"index.html": b"my page"}


@pytest.mark.usefixtures("limiter")
def test_any_number_of_pictures_is_published(club: Club, web: Path) -> None:
    """The limit on pictures that have to be drawn is for strangers, not for the operator."""
    with club.app.test_request_context(environ_base={"REMOTE_ADDR": "127.0.0.1"}):
        for _ in range(COSTLY.amount):
            spend(COSTLY, asker())
    published(club, web)
    assert (web / "clubs" / "fire-hall" / "seasons" / "1" / "picture.png").exists()


def test_the_command_says_how_many_files_changed(club: Club, web: Path) -> None:
    command = ["publish", str(web), "--instance", str(web.parent)]
    told = CliRunner().invoke(main, [*command, "--base-url", f"{ADDRESS}/"])
    files = len(files_in(web)) - 1
    assert (told.exit_code, told.output) == (0, f"{web}: {files} files, {files} written, 0 removed.\n")
    assert (web / "index.html").stat().st_mode & 0o777 == 0o644
    wrong = CliRunner().invoke(main, [*command, "--base-url", "example.org"])
    assert "it must be an address such as https://example.org/cards." in wrong.output


def test_only_public_leagues_are_published(closed_club: Club, web: Path) -> None:
    with closed_club.app.app_context(), pytest.raises(NotPublishedError, match="No league here is public"):
        chosen_clubs([], web)
    closed_club.open()
    with closed_club.app.app_context():
        assert [club.slug for club in chosen_clubs(["fire-hall"], web)] == ["fire-hall"]
        with pytest.raises(NotPublishedError, match=r"“other” is no public league here. These are: fire-hall"):
            chosen_clubs(["other"], web)
