"""The public pages of a league are opened by its owner, found by players, and shown on another website."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import press

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ("Ann Baker", "Bob Carter", "Cid Dorsey", "Dee Evans")
RESULTS = (
    f"date,round,table,player 1,player 2,player 3,player 4,points 1,points 2\n2026-09-01,1,1,{','.join(NAMES)},21,13\n"
)


@contextmanager
def website(body: str) -> Iterator[str]:
    """Serve a website whose only page has the HTML `body`, and yield the address of the page."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Alley</title><h1>Our alley</h1>{body}".encode())

        def log_message(self, *_words: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def make_league(desk: Page, name: str) -> str:
    """Create a league with one closed night, and return the league's address."""
    desk.goto("/leagues")
    desk.get_by_role("textbox").first.fill(name)
    press(desk.get_by_role("button", name="Create league"))
    desk.wait_for_url("**/leagues/*")
    league = desk.url
    press(desk.get_by_role("link", name="Add players"))
    desk.get_by_label("Names").fill("\n".join(NAMES))
    press(desk.get_by_role("button", name="Add players"))
    press(desk.get_by_role("link", name=name))
    press(desk.get_by_role("link", name="Start a season"))
    desk.get_by_label("Season name").fill("2026/27")
    press(desk.get_by_role("button", name="Start season"))
    press(desk.get_by_role("link", name="Import past results"))
    desk.get_by_role("textbox").first.fill(RESULTS)
    press(desk.get_by_role("button", name="Preview"))
    press(desk.get_by_role("button", name="Import"))
    desk.wait_for_url("**/seasons/*")
    return league


def open_club(desk: Page, league: str, slug: str) -> None:
    """Publish the league at `league` under the address `slug`, with players shown by first name and initial."""
    desk.goto(league)
    press(desk.get_by_role("link", name="Make league public"))
    desk.get_by_label("Address").fill(slug)
    press(desk.get_by_label("First name and initial"))
    press(desk.get_by_role("button", name="Save"))
    expect(desk.get_by_text("Your club is public:")).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False])
def test_a_phone_finds_a_league_again_that_it_visited(open_phone: OpenPhone, *, javascript: bool) -> None:
    desk = open_phone()
    league = make_league(desk, f"Quiet Hall {javascript}")
    player = open_phone(javascript=javascript)
    player.goto("/")
    expect(player.get_by_role("link", name="Quiet Hall")).to_have_count(0)
    with player.expect_response(lambda response: "/visited/" in response.url):
        player.goto(league)
    player.goto("/")
    press(player.get_by_role("link", name="Quiet Hall"))
    press(player.get_by_role("link", name="2026/27"))
    press(player.get_by_role("link", name="Night 1", exact=False).first)
    expect(player.locator(".winners")).to_contain_text("Ann")
    player.goto("/")
    press(player.get_by_role("button", name="Remove Quiet Hall"))
    expect(player.get_by_role("link", name="Quiet Hall")).to_have_count(0)
    player.goto(league)
    player.goto("/")
    expect(player.get_by_role("link", name="Quiet Hall")).to_be_visible()


def test_a_stranger_puts_the_standings_on_a_website(open_phone: OpenPhone, server: Server, tmp_path: Path) -> None:
    """Anyone can show a club's standings on a website, or in a file on a desktop.

    The HTML to copy is on a help page that the club's page links to. The embedded frame sets no cookie and runs no
    script.
    """
    desk = open_phone()
    open_club(desk, make_league(desk, "Elks Lodge"), "elks-lodge")
    stranger = open_phone()
    stranger.goto("/clubs/elks-lodge")
    press(stranger.get_by_role("link", name="Put this on your website"))
    code = stranger.locator(".snippet textarea").first.input_value()
    assert "<script" not in code
    file = tmp_path / "results.html"
    file.write_text(code)
    site = open_phone()
    asked: list[str] = []
    site.on("request", lambda request: asked.append(request.resource_type))
    with website(code) as address:
        for place in (address, file.as_uri()):
            site.goto(place)
            frame = site.frame_locator("iframe")
            expect(frame.get_by_role("cell", name="21.00").first).to_be_visible()
            expect(frame.locator("body")).to_contain_text("Ann B.")
    assert "script" not in asked
    assert site.context.cookies() == []
    assert f"{server.url}/embed/elks-lodge/standings" in code


def test_names_in_a_narrow_frame_take_at_most_two_lines(open_phone: OpenPhone) -> None:
    """In a narrow frame on another website, names take at most two lines, and the page never scrolls sideways."""
    desk = open_phone()
    open_club(desk, make_league(desk, "Narrow Hall"), "narrow-hall")
    guest = open_phone()
    for width in (300, 360, 600):
        guest.set_viewport_size({"width": width, "height": 640})
        for page in ("standings", "last-night"):
            guest.goto(f"/embed/narrow-hall/{page}")
            heights = guest.locator("tbody th").evaluate_all("cells => cells.map(cell => cell.clientHeight)")
            assert len(heights) == len(NAMES)
            assert max(heights) < 55, (width, page)
            assert guest.evaluate("document.documentElement.scrollWidth") <= width


def test_no_other_page_shows_in_a_frame(open_phone: OpenPhone, server: Server) -> None:
    desk = open_phone()
    open_club(desk, make_league(desk, "Fox Den"), "fox-den")
    site = open_phone()
    for path in ("/", "/clubs/fox-den", "/embed/nowhere/standings"):
        with website(f'<iframe src="{server.url}{path}"></iframe>') as address:
            site.goto(address)
            site.wait_for_load_state("load")
            assert site.frames[1].url.startswith("chrome-error://"), path


def test_a_reader_sees_a_new_result_without_a_reload(open_phone: OpenPhone, server: Server) -> None:
    """A club's page shows a new result without a reload, within about 30 seconds.

    The page asks the server less often than a game's page does, because thousands of people may read it.
    """
    desk, home = open_phone(), open_phone()
    league = make_league(desk, "Kegel Alley")
    open_club(desk, league, "kegel-alley")
    asked: list[str] = []
    home.on("request", lambda request: asked.append(request.url) if request.resource_type == "fetch" else None)
    home.clock.install()
    with home.expect_response(lambda response: response.request.resource_type == "fetch"):
        home.goto(f"{server.url}/clubs/kegel-alley")
    # Stopped: the desk may take its time, and the page gives up an answer after eight seconds of its clock.
    home.clock.pause_at(home.evaluate("Date.now()") / 1000 + 3)
    asked.clear()
    home.clock.run_for(20_000)
    assert not asked
    desk.goto(league)
    press(desk.get_by_role("link", name="2026/27"))
    press(desk.get_by_role("link", name="Import past results"))
    later = RESULTS.replace("2026-09-01", "2026-09-08").replace("21,13", "7,21")
    desk.get_by_role("textbox").first.fill(later)
    press(desk.get_by_role("button", name="Preview"))
    press(desk.get_by_role("button", name="Import"))
    desk.wait_for_url("**/seasons/*")
    expect(home.get_by_role("main")).not_to_contain_text("September 8")
    for _ in range(17):
        home.clock.run_for(1_000)
        if asked:
            break
    expect(home.get_by_role("main")).to_contain_text("September 8")
