"""The server of public pages, which makes each page once for all requests, and only a few pages at the same time."""

from __future__ import annotations

import http.client
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from flask import request, request_finished, request_started

from scorekeeper.server import shared_pages
from scorekeeper.server.request_body import IDLE, MOST, OpenHosts, reduced
from scorekeeper.server.shared_pages import OPEN_AT_ONCE
from scorekeeper.web import rate_limit, shared
from scorekeeper.web.rate_limit import Limit
from tests.leagues.publishing.conftest import FIRST
from tests.support.server_thread import served

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Flask

    from tests.leagues.publishing.conftest import Club
    from tests.support.page import Page

FEED = "/clubs/fire-hall/feed.atom"


@dataclass
class Door:
    """A running server with an open club.

    `made` counts the responses that the app made. Responses from the cache don't count.
    """

    port: int
    made: int = 0

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes]:
        """Send a request, and return the status and the body of the response.

        In the names of `headers`, "_" becomes "-".
        """
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as line:
            line.request(method, path, headers={key.replace("_", "-"): value for key, value in headers.items()})
            answer = line.getresponse()
            return answer.status, answer.read()


@pytest.fixture
def door(club: Club, monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    """Yield a running server with an open club. At each request, the server checks whether the club has changed."""
    monkeypatch.setattr(shared_pages, "LOOKS_APART", 0.0)
    with served(club.app, threads=16) as port:
        door = Door(port)

        def count(_app: Flask, **_more: object) -> None:
            door.made += 1

        with request_finished.connected_to(count, club.app):
            yield door


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        *(("page=2", "page=2"), ("page=02", "page=2"), ("page=0", "page=0"), ("page=abc", "page=0")),
        *(("page=", "page=0"), ("page=99999", "page=0"), ("page=2&page=3", "page=2"), ("x=1", "")),
    ],
)
def test_wrong_pages_of_the_api_are_one_request(asked: str, kept: str) -> None:
    """They are refused, so they must not look like the first page, nor fill the cache."""
    scope = {"method": "GET", "path": "/api/1/clubs", "scheme": "http", "query_string": asked.encode(), "headers": []}
    assert reduced(scope, proxies=0)["query_string"].decode() == kept


def test_made_up_requests_are_one_page(door: Door) -> None:
    first = door.ask(FEED)
    assert first[0] == 200
    for path in (f"{FEED}?x=1", f"{FEED}?look=pink&page=2", f"{FEED}?x=%FF&x=2", FEED.replace("feed", "%66eed")):
        assert door.ask(path) == first, path
    for headers in ({"Accept_Language": "xx, en-GB;q=0.3"}, {"Accept_Encoding": "br;q=0.7"}, {"X_Forwarded_Host": "a"}):
        assert door.ask(FEED, **headers) == first, headers
    assert door.ask(FEED, "HEAD") == (200, b"")
    assert door.made == 1


def test_a_known_look_and_language_is_a_page_of_its_own(door: Door) -> None:
    path = "/embed/fire-hall/standings"
    pages = [
        door.ask(path),
        door.ask(f"{path}?look=dark"),
        door.ask(f"{path}?language=fr"),
        door.ask(path, Accept_Language="es-MX, en"),
    ]
    assert [status for status, _ in pages] == [200] * 4
    assert len({body for _, body in pages}) == 4
    nights = "/api/1/clubs/fire-hall/seasons/1/nights"
    assert door.ask(f"{nights}?page=2")[1] != door.ask(nights)[1] == door.ask(f"{nights}?page=001")[1]


def test_behind_a_proxy_its_names_count() -> None:
    """Behind a trusted proxy, the host and scheme that the proxy added to the headers count.

    Hosts and schemes that the client put into these headers are ignored.
    """
    scope = {
        "method": "HEAD",
        "scheme": "http",
        "path": "/clubs/a",
        "query_string": b"look=dark&x=1",
        "headers": [
            (b"host", b"a"),
            (b"x-forwarded-host", b"evil:7, b"),
            (b"x-forwarded-proto", b"gopher, https"),
            (b"accept-encoding", b"gzip;q=0.1"),
        ],
    }
    accepted = [(b"accept-language", b"en"), (b"accept-encoding", b"gzip")]
    told = reduced(scope, proxies=1)
    assert (told["method"], told["scheme"], told["query_string"]) == ("GET", "https", b"look=dark")
    assert told["headers"] == [(b"host", b"b"), *accepted]
    assert reduced(scope, proxies=0)["headers"] == [(b"host", b"a"), *accepted]
    assert reduced(scope, proxies=2)["scheme"] == "http"


def test_made_up_ports_are_few_pages(door: Door) -> None:
    """Requests with many made-up hosts and ports fill the cache with only a few pages.

    The server's own address, and an address with a port that was used before, keep their cached pages.
    """
    own = door.ask(FEED)[1]
    forwarded = door.ask(FEED, Host="127.0.0.1:8080")[1]
    assert b"//127.0.0.1:8080/" in forwarded
    for port in range(1000, 1100):
        assert door.ask(FEED, Host=f"127.0.0.1:{port}")[0] == 200
        assert door.ask(FEED, Host=f"house-{port}")[0] == 200
    assert door.made <= MOST + 1
    assert door.ask(FEED)[1] == own
    assert door.ask(FEED, Host="127.0.0.1:8080")[1] == forwarded
    assert door.ask(FEED, Host="evil.example:1")[0] == 400


def hosts_of(hosts: OpenHosts, asked: Iterable[str], now: float) -> set[str]:
    """Pass a request for each host in `asked` through `hosts`, and return the hosts that the app would see.

    If too many different hosts are requested, further requests get one of the server's own hosts. `now` is the time of
    the requests in seconds.
    """
    scopes = ({"server": ("10.0.0.2", 8000), "headers": [(b"host", host.encode())]} for host in asked)
    return {hosts.admitted(scope, now)["headers"][0][1].decode() for scope in scopes}


def test_a_host_makes_room_once_nobody_uses_it() -> None:
    hosts = OpenHosts({"club.example"})
    ports = [f"club.example:{port}" for port in range(50)]
    assert hosts_of(hosts, ports, 0) == {*ports[:MOST], "club.example"}
    assert hosts_of(hosts, ["laptop:1", "CLUB.example", "10.0.0.2:8000"], 0) == {"10.0.0.2:8000", "club.example"}
    assert hosts_of(hosts, [*ports[2:], "laptop:1"], IDLE / 2) == {*ports[2:MOST], "10.0.0.2:8000", "club.example"}
    assert hosts_of(hosts, ["laptop:1", "laptop:2", "laptop:3"], IDLE + 1) == {"laptop:1", "laptop:2", "10.0.0.2:8000"}
    assert hosts_of(OpenHosts(()), ["evil.example:1"], 0) == {"evil.example:1"}


def test_a_crowd_of_new_pages_leaves_room_for_other_pages(club: Club) -> None:
    goes_on, busy, most, lock = threading.Event(), 0, 0, threading.Lock()
    held = threading.Event()

    def begin(_app: Flask, **_more: object) -> None:
        nonlocal busy, most
        if request.path.startswith("/clubs/"):
            with lock:
                busy += 1
                most = max(most, busy)
                if busy == OPEN_AT_ONCE:
                    held.set()
            goes_on.wait(20)
            with lock:
                busy -= 1

    with (
        request_started.connected_to(begin, club.app),
        served(club.app, threads=16) as port,
        ThreadPoolExecutor(30) as crowd,
    ):
        door = Door(port)
        asked = [crowd.submit(door.ask, f"{FEED}{number}") for number in range(30)]
        assert held.wait(10)
        assert door.ask(club.season)[0] == 200
        assert not any(each.done() for each in asked)
        goes_on.set()
        assert {each.result()[0] for each in asked} == {404}
    assert most == OPEN_AT_ONCE


def test_a_network_that_asks_for_page_after_page_waits(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that requests too many different pages gets a 429.

    Only pages that the server had to make for the first time count. Cached pages and new versions of a page don't
    count.
    """
    monkeypatch.setattr(shared, "PAGES", Limit("pages", 3, 60, "Too many pages requested from here.", vital=False))
    club.app.config["LIMITS"] = True
    rate_limit.connect(club.app)
    with served(club.app) as port:
        door = Door(port)
        for path in ("/clubs/fire-hall", FEED, "/api/1/clubs/fire-hall"):
            assert [door.ask(path)[0] for _ in range(3)] == [200] * 3
        assert door.ask("/embed/fire-hall/standings")[0] == 429
        club.night(FIRST)
        assert door.ask(FEED)[0] == 200
        assert door.ask(club.season)[0] == 200
    club.app.extensions["limiter"].storage.engine.dispose()


def meta_of(page: Page) -> dict[str, str]:
    """Return a page's Open Graph metadata as a dict from each name to its content.

    Chat apps make a preview of the page from this metadata.
    """
    return {each.get("property", ""): each.get("content", "") for each in page.all("meta") if each.get("property")}


def test_a_link_to_a_club_has_a_picture_and_a_description(club: Club) -> None:
    phone = club.stranger
    for path in (club.path, f"{club.path}/seasons/1", f"{club.path}/seasons/1/nights/1"):
        told = meta_of(phone.see(path))
        assert told["og:url"] == f"http://localhost{path}"
        assert "Ann Baker" in told["og:description"]
        picture = phone.get(told["og:image"].removeprefix("http://localhost"))
        assert (picture.status_code, picture.mimetype) == (200, "image/png")
        assert picture.data.startswith(b"\x89PNG")
        assert "Set-Cookie" not in picture.headers
        assert picture.headers["Cache-Control"] == "public, no-cache"
    assert phone.get(f"{club.path}/seasons/2/picture.png").status_code == 404
    assert phone.get(f"{club.path}/seasons/1/nights/2/picture.png").status_code == 404
    club.open("initials")
    assert "A. B." in meta_of(phone.see(club.path))["og:description"]


def test_a_picture_is_drawn_once_for_everyone(door: Door) -> None:
    path = "/clubs/fire-hall/seasons/1/picture.png"
    first = door.ask(path)
    again = [door.ask(f"{path}?v={number}", Cookie=f"scorekeeper_device={number}") for number in range(30)]
    assert {first, *again} == {first}
    assert (first[0], door.made) == (200, 1)
