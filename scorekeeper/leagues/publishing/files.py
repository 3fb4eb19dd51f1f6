"""Write the public pages of clubs as files, which any web space can serve without this program.

The pages are requested from the application as a stranger would, with the same templates. Their links are relative, so
the files also work from a USB stick.

Frozen-Flask isn't used: it would write `/clubs/fire-hall` as a file, but that address is also the folder of the club's
seasons.
"""

import json
import posixpath
import re
from collections.abc import Collection, Hashable, Mapping
from contextvars import Context
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from flask import Flask, render_template

from scorekeeper.leagues.publishing import api
from scorekeeper.leagues.publishing.pages import ClubHead, ClubList
from scorekeeper.leagues.publishing.queries.club import all_clubs, club_page
from scorekeeper.web.links import SITE

NOWHERE = "http://localhost"
"""Address of the files while they are made, if nobody knows where they will be."""
WRITTEN = ".scorekeeper-files"
"""Name of the file that lists what was written, so that nothing else is ever overwritten or removed."""
DRAFT = ".scorekeeper-new"
"""Name of the folder in which files are written until all are."""
PAGE, DATA, AS_IT_IS = "/index.html", ".json", ""
CLUB_ENDPOINTS = (
    "club",
    "embed_standings",
    "embed_last_night",
    "embed_schedule",
    "api_club",
    "api_schedule",
    "api_seasons",
)
ADDRESSED = ("poster", "club_feed", "club_calendar_file")
"""Pages of a club that contain their own address, so they exist only if that is known."""
WITH_A_SEASON, WITH_A_NIGHT = ("api_standings", "api_nights"), ("api_results", "api_games")
ENDINGS = {
    **dict.fromkeys(("clubs", "club", "club_season", "club_night", "poster"), PAGE),
    **dict.fromkeys(("embed_standings", "embed_last_night", "embed_schedule"), PAGE),
    **dict.fromkeys(
        (*(each for each in CLUB_ENDPOINTS if each.startswith("api_")), *WITH_A_SEASON, *WITH_A_NIGHT), DATA
    ),
    **dict.fromkeys(("club_feed", "club_calendar_file", "club_season_picture", "club_night_picture"), AS_IT_IS),
}
"""What is added to the address of each published page of the blueprint `leagues`, to make the name of a file."""
USED = re.compile(rb"""url\(["']?([^"')]+)["']?\)|\bfrom ["'](\.[^"']+)["']""")
"""What a style sheet or a script of ours needs: another file, relative to itself."""


class NotPublishedError(Exception):
    """The files can't be written. The message is for the person at the terminal."""


class Changed(NamedTuple):
    """How many files there are now, and how many of these were written, and how many others removed."""

    files: int
    written: int
    removed: int


class Site:
    """The files that show some clubs to strangers, while they are made.

    `address` is where they will be, without a slash at the end, or "" if nobody knows. `files` maps the name of each
    file to its content.
    """

    def __init__(self, app: Flask, clubs: Collection[ClubHead], address: str, language: str) -> None:
        self.app = app
        self.clubs = clubs
        self.address = address
        self.language = language
        self.files: dict[str, bytes] = {}
        self.made: dict[Hashable, Any] = {}
        """Page models from which several files are made (`web.links.once`)."""
        self.waiting: dict[str, str] = {}
        """Path of each file that is still to be made, by its name."""
        self.page = ""
        """Name of the file that is being made."""

    def link(self, endpoint: str, values: Mapping[str, Any]) -> str:
        """Return the address of a page for a template: relative, or whole if it was asked for and is known.

        Raises `KeyError` for a page that isn't published.
        """
        values = dict(values)
        whole = values.pop("_external", False)
        parts = urlsplit(self.app.url_for(endpoint, **values))
        path = parts.path.removeprefix(urlsplit(self.address).path)
        name = self._named(endpoint, path)
        if whole and self.address:
            return f"{self.address}/{name.removesuffix('index.html')}"  # with a slash at the end, as web servers want
        relative = posixpath.relpath(name, posixpath.dirname(self.page) or ".")
        return f"{relative}#{parts.fragment}" if parts.fragment else relative

    def make(self) -> None:
        """Make all files. Raises `NotPublishedError` if the application refuses a page."""
        with self.app.test_request_context("/", **self._request()):
            for club in self.clubs:
                for endpoint in (*CLUB_ENDPOINTS, *(ADDRESSED if self.address else ())):
                    self._ask("leagues." + endpoint, club=club.slug)
                for season in club_page(club.slug, "").seasons:
                    self._ask("leagues.club_season", club=club.slug, season=season.number)
        listed = ClubList(tuple(self.clubs), len(self.clubs), 1, more=False)
        self._put("api/1/clubs.json", json.dumps(api.clubs_answer(listed), ensure_ascii=False, separators=(",", ":")))
        self._put("api/1/openapi.json", json.dumps(api.description(f"{self.address}/api/1", ending=DATA)))
        self._render("clubs/index.html", "leagues/publishing/clubs.html", page=listed, search="")
        first = f"clubs/{listed.clubs[0].slug}/index.html" if len(self.clubs) == 1 else "clubs/index.html"
        self._render("index.html", "leagues/publishing/start.html", first=first)
        while self.waiting:
            self.page, path = self.waiting.popitem()
            self.files[self.page] = content = self._requested(path)
            if self.page.endswith((".css", ".js")):
                for found in USED.findall(content):
                    self._wait(posixpath.normpath(posixpath.join(posixpath.dirname(path), b"".join(found).decode())))

    def _named(self, endpoint: str, path: str) -> str:
        """Return the name of the file for a page, and see to it that the file is made."""
        if endpoint == "static":
            return self._wait(path)
        kind = endpoint.removeprefix("leagues.")
        name = unquote(path).strip("/") + ENDINGS[kind]
        if name not in self.files and name not in self.waiting and kind != "clubs":
            self.waiting[name] = path
            values = self.app.url_map.bind("localhost").match(path)[1]
            more = {"club_season": WITH_A_SEASON, "club_night": WITH_A_NIGHT}.get(kind, ())
            for each in more:
                self._ask("leagues." + each, **values)
        return name

    def _ask(self, endpoint: str, **values: Any) -> None:
        self._named(endpoint, self.app.url_for(endpoint, **values).removeprefix(urlsplit(self.address).path))

    def _wait(self, path: str) -> str:
        name = unquote(path).strip("/")
        if name not in self.files:
            self.waiting[name] = path
        return name

    def _put(self, name: str, text: str) -> None:
        self.files[name] = text.encode()

    def _render(self, name: str, template: str, **values: Any) -> None:
        def render() -> str:
            with self.app.test_request_context("/clubs", **self._request()):
                return render_template(template, **values)

        self.page = name
        self._put(name, Context().run(render))

    def _requested(self, path: str) -> bytes:
        """Return what the application answers to a stranger."""
        # In a context of its own, because what a request remembers until its end must not reach the next one.
        with Context().run(self.app.test_client(use_cookies=False).get, path, **self._request()) as answer:
            if answer.status_code != 200 or "Set-Cookie" in answer.headers:
                raise NotPublishedError(f"The page {path} can't be published (status {answer.status_code}).")
            return bytes(answer.data)

    def _request(self) -> dict[str, Any]:
        headers = {"Accept-Language": self.language}
        return {"base_url": self.address or NOWHERE, "headers": headers, "environ_overrides": {SITE: self}}


def chosen_clubs(slugs: Collection[str], folder: Path) -> list[ClubHead]:
    """Return the open clubs with these slugs, or all open clubs if there are none.

    Raises `NotPublishedError` if a club isn't open to the public. The same if none is, unless something was published
    into the folder before, which is then removed.
    """
    clubs = all_clubs()
    if not clubs and not (folder / WRITTEN).exists():
        raise NotPublishedError("No league here is public. Its owner makes it public on the league's page.")
    for slug in slugs if clubs else ():
        if all(club.slug != slug for club in clubs):
            known = ", ".join(club.slug for club in clubs)
            raise NotPublishedError(f"“{slug}” is no public league here. These are: {known}.")
    return [club for club in clubs if not slugs or club.slug in slugs]


def publish(app: Flask, folder: Path, clubs: Collection[ClubHead], address: str = "", language: str = "en") -> Changed:
    """Write the public pages of `clubs` into `folder`, and return what changed.

    All files that differ are written under other names first, so a run that is interrupted leaves the old ones. Then
    they are renamed, pages after the files that they need. That takes milliseconds; the next run goes on if it is
    interrupted. Files that were published before and aren't any more are removed last. The folder may be a web root or
    a checkout: nothing else in it changes. Raises `NotPublishedError` if a file in the folder would be overwritten that
    wasn't published, or can't be written.
    """
    site = Site(app, clubs, address, language)
    site.make()
    try:
        return _written(folder, site.files)
    except OSError as error:
        raise NotPublishedError(f"Can't write {error.filename or folder}: {error.strerror}.") from error


def _written(folder: Path, files: Mapping[str, bytes]) -> Changed:
    known = folder / WRITTEN
    before = set(known.read_text(encoding="utf-8").split("\n")) - {""} if known.exists() else set()
    foreign = next((name for name in files if name not in before and (folder / name).exists()), None)
    if foreign is not None:
        raise NotPublishedError(f"{folder / foreign} is there already and wasn't published. Choose another folder.")
    draft = folder / DRAFT
    rmtree(draft, ignore_errors=True)
    changed = [name for name in files if not (folder / name).exists() or (folder / name).read_bytes() != files[name]]
    changed.sort(key=lambda name: (name.endswith(".html"), name))
    for name in changed:
        _make_folder((folder / name).parent)
        _write(draft / name, files[name])
    _write(draft / WRITTEN, "\n".join(sorted({*before, *files})).encode())
    for name in (WRITTEN, *changed):
        (draft / name).replace(folder / name)
    gone = [folder / name for name in sorted(before - files.keys()) if _is_inside(name)]
    for path in gone:
        path.unlink(missing_ok=True)
        for parent in path.parents[: len(path.relative_to(folder).parents) - 1]:
            if parent.exists() and not any(parent.iterdir()):
                parent.rmdir()
    _write(draft / WRITTEN, "\n".join(sorted(files)).encode())
    (draft / WRITTEN).replace(known)
    rmtree(draft)
    return Changed(len(files), len(changed), len(gone))


def _is_inside(name: str) -> bool:
    return not name.startswith("/") and ".." not in name.split("/")


def _make_folder(folder: Path) -> None:
    """Make a folder that a web server may read."""
    for missing in [each for each in (*reversed(folder.parents), folder) if not each.exists()]:
        missing.mkdir()
        missing.chmod(0o755)


def _write(path: Path, content: bytes) -> None:
    """Write a file that a web server may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o644)
