"""What an open club shows to strangers, as files (`scorekeeper publish`)."""

from __future__ import annotations

import json
import posixpath
import re
from errno import ENOSPC
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import rmtree
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from icalendar import Calendar
from lxml import etree
from sqlalchemy import String, select

from scorekeeper.cli.app import main
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.publishing.files import DRAFT, WRITTEN, Changed, NotPublishedError, chosen_clubs, publish
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit import COSTLY, asker, spend
from tests.leagues.publishing.conftest import FIRST, PEOPLE
from tests.leagues.publishing.test_feed import GRAMMAR
from tests.support import databases
from tests.support.page_checks import check_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.leagues.publishing.conftest import Club

ADDRESS = "https://example.org/cards"
ADDRESSES = re.compile(r'(?<=[ "])(?:href|src|action|value|data-watch|data-version)="[^"]*"|(?<=content=)"http[^"]*"')
SERVED = re.compile(
    r'<script type="module"[^>]*></script>|<link rel="manifest"[^>]*>|<footer.*?</footer>|'
    r'<img class="visited-mark"[^>]*>|'
    r'<form.*?</form>|<a href="/settings">.*?</a>| <a [^>]*>Put this on your website</a>',
    re.DOTALL,
)
"""What a page has only if a server sends it: scripts, forms, settings and help."""
WORDS = {"partners", "drawn", "final", "0001"}
"""What is in the files, and also in columns that strangers don't see, as the kind of something."""
SHOWN = {"league.name", "league_club.slug", "league_club_address.slug", "season.name"}
"""Columns with texts that strangers may see."""


class Links(HTMLParser):
    """The addresses in a page to which it leads, or that it needs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for key, value in attrs if key in {"href", "src", "action", "data-watch"} and value]
        given = dict(attrs)
        if given.get("http-equiv") == "refresh" or str(given.get("property")) in {"og:url", "og:image"}:
            self.found.append(str(given["content"]).rpartition("url=")[2])


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Return an empty folder."""
    folder = tmp_path / "web"
    folder.mkdir()
    return folder


def failing(method: Callable[..., Any], times: int) -> Callable[..., Any]:
    """Return a method of `Path` that works so many times, and then says that the disk is full."""
    left = iter(range(times))

    def fail(path: Path, *given: Any) -> Any:
        if next(left, None) is None:
            raise OSError(ENOSPC, "No space left on device", str(path))
        return method(path, *given)

    return fail


def without_addresses(text: str) -> list[str]:
    """Return the lines of a page without addresses and what needs a server."""
    return [line for line in ADDRESSES.sub("", SERVED.sub("", text)).splitlines() if line]


def published(club: Club, folder: Path, address: str = ADDRESS) -> Changed:
    with club.app.app_context():
        return publish(club.app, folder, chosen_clubs([], folder), address)


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def served(web: Path) -> Iterator[str]:
    """Serve the files, as any web server does, and yield the address of their folder, which isn't the server's top."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(web.parent))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{web.name}"
        server.shutdown()


@pytest.mark.parametrize("is_known", [False, True])
def test_every_address_in_the_files_leads_to_one_of_them(club: Club, web: Path, served: str, is_known: bool) -> None:
    """Pages, styles, pictures, feed and calendar: no broken link, and nothing from elsewhere."""
    published(club, web, served if is_known else "")
    files = files_in(web)
    waiting = [f"{served}/{name}" for name in files if name.endswith(".html")]
    found: set[str] = set()
    while waiting:
        address = waiting.pop().partition("#")[0].removesuffix("index.html")
        if address in found:
            continue
        found.add(address)
        name = address.removeprefix(f"{served}/")
        assert name in files or f"{name}index.html" in files, address
        with urlopen(address) as answer:
            text, kind = answer.read().decode(errors="replace"), answer.headers.get_content_type()
        if kind == "text/html":
            assert "<form" not in text, address
            assert "localhost" not in text, address
            links = Links(text).found
            assert links, address
        else:
            links = re.findall(r"url\(([^)]+)\)", text) if kind == "text/css" else []
        assert is_known or not any(urlsplit(link).scheme for link in links), address
        waiting += [urljoin(address, link.replace("webcal:", "http:")) for link in links]
    names = {re.sub("/$", "/index.html", address).removeprefix(f"{served}/") for address in found}
    assert {"clubs/fire-hall/index.html", "clubs/fire-hall/seasons/1/nights/1/index.html"} <= names
    alone = {name for name in files if name not in names and "api/1/" not in name}
    assert alone == {WRITTEN, *(["clubs/fire-hall/calendar.ics"] if is_known else [])}, "no night is planned"
    assert ("clubs/fire-hall/feed.atom" in names) == ("clubs/fire-hall/poster/index.html" in names) == is_known


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
    pages = [name for name in files if name.endswith("/index.html") and "/poster/" not in name]
    assert len(pages) == 7
    for name in pages:
        check_page(files[name].decode())
        assert without_addresses(files[name].decode()) == without_addresses(
            server.get(f"/{posixpath.dirname(name)}").text
        )
    GRAMMAR.assertValid(etree.fromstring(files["clubs/fire-hall/feed.atom"]))
    assert not Calendar.from_ical(files["clubs/fire-hall/calendar.ics"].decode()).errors


def test_nothing_private_gets_into_the_files(club: Club, web: Path) -> None:
    """No file has a full name, or an id or a token of any table of the database."""
    club.open(names="short")
    published(club, web)
    everything = b"".join(files_in(web).values()).decode(errors="replace")
    assert "Ann B." in everything
    assert "csrf" not in everything
    with club.app.app_context():
        columns = [each for table in db.metadata.sorted_tables for each in table.c if isinstance(each.type, String)]
        secret = [each for each in columns if str(each) not in SHOWN]
        kept = {text for each in secret for text in db.session.scalars(select(each).distinct()) if text}
    assert set(PEOPLE) | {club.league.rpartition("/")[2], club.season.rpartition("/")[2], club.device} <= kept
    assert {text for text in kept if text in everything} <= WORDS


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


def test_after_a_correction_only_the_files_that_show_it_change(club: Club, web: Path) -> None:
    night = club.night((PEOPLE, (9, 21)))
    published(club, web)
    before = files_in(web)
    with club.app.app_context():
        closing.reopen_night(night=night, device=club.device, reason="A slip")
        [table] = tables_of(db.session(), night_at(db.session(), night))
        tables.tell_result(night=night, table=table.id, totals=(10, 21), device=club.device, reason="A slip")
        closing.close_night(night=night, device=club.device)
    told = published(club, web)
    changed = {name for name, content in files_in(web).items() if content != before.get(name)}
    assert told == Changed(len(before) - 1, len(changed), 0)
    assert not [name for name in before if "nights/1" in name and name in changed], "the night before it"
    of_night = ("clubs/fire-hall/seasons/1/nights/2/index.html", "api/1/clubs/fire-hall/seasons/1/nights/2/games.json")
    of_season = ("clubs/fire-hall/index.html", "clubs/fire-hall/seasons/1/index.html", "clubs/fire-hall/feed.atom")
    assert {*of_night, *of_season, "embed/fire-hall/standings/index.html"} <= changed
    assert changed <= {name for name in before if "fire-hall" in name}
    unchanged = (
        "api/1/clubs/fire-hall/seasons.json",
        "embed/fire-hall/schedule/index.html",
        "clubs/fire-hall/calendar.ics",
    )
    assert not changed.intersection(unchanged)


def test_an_interrupted_run_leaves_the_old_files(club: Club, web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever file is being written when the disk is full, or the power fails, all old files are still there.

    If the run is interrupted while the new files are put in place, the next one finishes that.
    """
    published(club, web)
    written = files_in(web)
    club.night(FIRST)
    for times in (0, 5):
        monkeypatch.setattr(Path, "write_bytes", failing(Path.write_bytes, times))
        with pytest.raises(NotPublishedError, match="No space left"):
            published(club, web)
        monkeypatch.undo()
        assert {name: content for name, content in files_in(web).items() if not name.startswith(DRAFT)} == written
    monkeypatch.setattr(Path, "replace", failing(Path.replace, 3))
    with pytest.raises(NotPublishedError, match="No space left"):
        published(club, web)
    monkeypatch.undo()
    published(club, web)
    mended = files_in(web)
    rmtree(web)
    published(club, web)
    assert mended == files_in(web)


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
    told = CliRunner().invoke(main, [*command, "--base-url", f"{ADDRESS}/"], env=databases.variables_for(web.parent))
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
