"""Two games go on at once on one phone without a signal, with every kind of change; later the server says the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.pocket import SENT, start
from tests.e2e.taps import expect_totals, owner_of, press
from tests.e2e.test_flight_mode import FLIGHT, LISTED
from tests.e2e.test_offline import badge, ready, score, worker_ready

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.e2e.pocket import Pocket
    from tests.e2e.wifi import Wifi
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NOTE = "Cid misdealt before this one"
READ = """(html) => {
  const page = html ? new DOMParser().parseFromString(html, "text/html") : document;
  const text = (each) => each.textContent.replace(/\\s+/g, " ").trim();
  const all = (what) => [...page.querySelectorAll(what)].map(text);
  const rows = [...page.querySelectorAll("main .sheet tbody tr")].map((row) => {
    const told = row.cloneNode(true);
    for (const tag of told.querySelectorAll(".tag")) if (text(tag) === "on this phone") tag.remove();
    return text(told).replaceAll(" ", "");
  });
  const cards = [...page.querySelectorAll("a.game[href^='/games/']")].map((card) => {
    const meta = text(card.querySelector(".meta")).split(". ").slice(0, 2).join(". ");
    return [card.getAttribute("href"), text(card.querySelector(".scores")).replaceAll(" ", ""), meta];
  });
  return {
    totals: all("main .total .score"),
    flags: all("main .total .flags"),
    rows,
    ended: all(".outcome h2, .outcome h2 + p"),
    status: page.querySelector(".outcome") ? [] : all(".head .status").slice(0, 1),
    log: all("ol.log li > p > b, ol.log dt, ol.log dd"),
    cards: Object.fromEntries(cards.map(([path, ...told]) => [path, told])),
  };
}"""
"""JavaScript that returns what a page says about its games: the page on the screen, or the one in `html`."""


@dataclass
class Table:
    """A game that is played in flight mode, and the phone that plays it."""

    page: Page
    path: str
    us: str
    them: str
    totals: list[int] = field(default_factory=lambda: [0, 0])
    """The totals that people at the table would have on paper."""
    status: str = ""
    """The start of what the home page says about the game."""

    @property
    def board(self) -> Page:
        """Open the board and return its page."""
        if not self.page.url.endswith(self.path):
            self.page.goto(self.path)
        expect(self.page.locator("html[data-offline=ready]")).to_be_attached()
        expect(self.page.locator(".totals")).to_be_visible()
        return self.page

    def hand(self, bidder: str, bid: int, took: str, *totals: int) -> None:
        """Save a hand. `took` has "A" or "B" for High, Low, Jack and Game."""
        high, low, jack, game = (self.us if side == "A" else self.them for side in took)
        score(self.board, bidder, bid, (high, low, jack, game))
        self.stands(*totals)

    def menu(self, heading: str, button: str) -> None:
        """Open the menu and a section of it, and tap a button there."""
        press(self.board.get_by_role("link", name="Menu", exact=True))
        press(self.page.locator("summary").get_by_text(heading, exact=True))
        press(self.page.locator("details[open]").get_by_role("button", name=button))

    def misdeal(self) -> None:
        """Throw the cards in."""
        self.menu("Misdeal", "Misdeal")
        expect(self.page.locator(".last")).to_contain_text("Misdeal.")
        self.stands(*self.totals)

    def correct(self, number: int, point: str, side: str, *totals: int) -> None:
        """Give a point of a hand to another side."""
        press(self.board.get_by_role("link", name=f"Correct hand {number}", exact=True))
        press(owner_of(self.page, point, side))
        press(self.page.get_by_role("button", name="Review").and_(self.page.locator(".main")))
        press(self.page.locator(".effect").get_by_role("button", name="Save"))
        self.stands(*totals)

    def delete(self, number: int, *totals: int) -> None:
        """Delete a hand."""
        press(self.board.get_by_role("link", name=f"Correct hand {number}", exact=True))
        press(self.page.get_by_text("Delete this hand"))
        press(self.page.locator("details[open]").get_by_role("button", name="Review"))
        press(self.page.locator(".effect").get_by_role("button", name=f"Delete hand {number}"))
        self.stands(*totals)

    def adjust(self, side: str, points: int, *totals: int) -> None:
        """Add points to the score of a side, or subtract points from it."""
        press(self.board.get_by_role("link", name="Menu", exact=True))
        press(self.page.get_by_role("link", name="Adjust the score"))
        press(self.page.get_by_role("radio", name=side))
        press(self.page.get_by_role("radio", name="Add points" if points > 0 else "Subtract points"))
        self.page.get_by_label("How many points").fill(str(abs(points)))
        self.page.get_by_label("Reason").fill("agreed")
        press(self.page.get_by_role("button", name="Review"))
        press(self.page.locator(".effect").get_by_role("button", name="Save"))
        self.stands(*totals)

    def tap(self, button: str, *totals: int) -> None:
        """Tap a button of the board."""
        press(self.board.locator("main").get_by_role("button", name=button, exact=True))
        self.stands(*totals)

    def concede(self) -> None:
        """End the game as a win of the first side."""
        self.menu("Concede", f"{self.them} concede")
        press(self.page.get_by_role("button", name="End game"))
        expect(self.page.locator(".outcome h2")).to_have_text(f"{self.us} win")
        self.stands(*self.totals, status=f"{self.us} won by concession")

    def abandon(self) -> None:
        """End the game without a winner."""
        self.menu("End without a winner", "End without a winner")
        press(self.page.get_by_role("button", name="End game"))
        expect(self.page.locator(".outcome h2")).to_have_text("No winner")
        self.stands(*self.totals, status="No winner")

    def needs_a_signal(self, heading: str, button: str) -> None:
        """Tap a button of the menu that does nothing without a signal, and says so."""
        self.menu(heading, button)
        expect(self.page.locator("[data-why]")).to_contain_text("needs a signal")
        self.stands(*self.totals)

    def note_needs_a_signal(self, number: int) -> None:
        """Tap the link to the note of a hand, which does nothing without a signal, and says so."""
        press(self.board.get_by_role("link", name=f"Correct hand {number}", exact=True))
        press(self.page.get_by_role("link", name="Note or photo"))
        expect(self.page.locator("[data-why]")).to_contain_text("needs a signal")
        self.stands(*self.totals)

    def stands(self, *totals: int, status: str = "") -> None:
        """Check the board, the board after a reload, and the home page."""
        expect_totals(self.board, *totals)
        self.page.reload()
        expect_totals(self.board, *totals)
        self.totals = list(totals)
        if status or not self.page.locator(".outcome").count():
            dealt = self.page.locator(".head .status").first.locator("b, span").all_inner_texts()
            self.status = status or ", ".join(dealt[:2])


class Flight:
    """A phone in flight mode, and its two games."""

    def __init__(self, pocket: Pocket, tables: list[Table]) -> None:
        self.pocket, self.tables = pocket, tables

    def home(self) -> None:
        """Check that the home page shows both games as their boards do."""
        page = self.tables[0].page
        page.goto("/")
        for table in self.tables:
            card = page.locator(f"a.game[href='{table.path}']")
            expect(card).to_contain_text("waiting")
            shown = [f"−{-total}" if total < 0 else str(total) for total in table.totals]
            expect(card.locator(".scores")).to_have_text(f"A {table.us} {shown[0]} B {table.them} {shown[1]}")
            expect(card.locator(".meta")).to_contain_text(table.status)

    def restart(self) -> None:
        """Close the browser and open it again."""
        self.pocket.close()
        page = self.pocket.open()
        page.context.add_init_script(FLIGHT)
        for table in self.tables:
            table.page = page
        self.home()


def told_by(page: Page, path: str) -> dict[str, Any]:
    """Return what the page at `path` says on the screen about its games."""
    page.goto(path)
    if path.endswith("/log"):
        expect(page.get_by_role("heading", name="Game history")).to_be_visible()
    elif path == "/":
        expect(page.locator("a.game .tag", has_text="waiting")).to_have_count(2)  # a script lists what waits
    else:
        ready(page)
    return dict(page.evaluate(READ))


def test_two_games_with_every_change(pocket: Pocket, air: Wifi, server: Server) -> None:
    """Each change is right on the board and on the home page, also after a reload and after a restart of the browser.

    Changes that need a signal say so. Back online, the board with its score sheet, the history and the home page are as
    the phone showed them.
    """
    page = pocket.open()
    first = Table(page, start(page, "Setback", ("Ann", "Bob", "Cid", "Dee")), "Ann and Cid", "Bob and Dee")
    first.hand("Ann", 3, "AAAB", 3, 1)
    first.hand("Bob", 2, "ABBA", 5, 3)
    write_note(first)
    page.goto("/")
    page.evaluate(LISTED, first.path)
    air.lead_to("")
    page.context.add_init_script(FLIGHT)
    page.goto("/")
    second = Table(page, start(page, "Setback", ("Eve", "Fay", "Gus", "Hal")), "Eve and Gus", "Fay and Hal")
    first.hand("Ann", 4, "AAAA", 9, 3)
    second.hand("Eve", 3, "AAAB", 3, 1)
    flight = Flight(pocket, [first, second])
    steps: list[Callable[[], None]] = [
        first.misdeal,
        lambda: second.adjust(second.them, -2, 3, -1),
        lambda: first.correct(2, "Jack", first.us, 10, -1),
        lambda: second.hand("Fay", 4, "BBBB", 3, 3),
        lambda: second.tap("Undo hand 2", 3, -1),
        lambda: first.adjust(first.us, -1, 9, -1),
        lambda: first.tap("Undo adjustment", 10, -1),
        lambda: second.correct(1, "Game", second.us, 4, -2),
        lambda: first.delete(1, 7, -2),
        lambda: first.tap("Undo hand 2", 3, -2),
        lambda: first.tap("Redo hand 2", 7, -2),
        lambda: first.tap("Redo hand 1", 10, -1),
        lambda: second.needs_a_signal("Coke hand", "Save coke hand"),
        lambda: first.note_needs_a_signal(3),
        second.concede,
        lambda: second.tap("Resume the game", 4, -2),
        flight.restart,
        lambda: first.hand("Cid", 2, "BBAA", 12, 1),
        first.concede,
        lambda: first.correct(3, "Low", first.them, 4, 2),
        lambda: first.tap("Resume the game", 4, 2),
        lambda: first.adjust(first.them, 2, 4, 4),
        lambda: second.hand("Gus", 2, "AABB", 6, 0),
        lambda: second.hand("Hal", 4, "ABBB", 7, -4),
        lambda: second.delete(2, 5, -6),
        lambda: second.needs_a_signal("Delete game", "Delete game"),
        second.concede,
        first.abandon,
    ]
    for step in steps:
        step()
        flight.home()
    boards, logs = [table.path for table in flight.tables], [f"{table.path}/log" for table in flight.tables]
    before = {path: told_by(first.page, path) for path in (*boards, *logs, "/")}
    pocket.close()
    air.lead_to(server.url)
    page = pocket.open()
    page.evaluate(SENT)
    now = {path: dict(page.evaluate(READ, page.request.get(path).text())) for path in before}
    for path in boards:
        assert now[path] == before[path], path
        page.goto(path)
        expect(badge(page)).to_be_hidden()
        assert told_by(page, path) == before[path], path
    for path in logs:
        assert len(before[path]["log"]) > len(steps) // 2
        assert now[path]["log"][: len(before[path]["log"])] == before[path]["log"], path
    assert now["/"]["cards"] == before["/"]["cards"]


def write_note(table: Table) -> None:
    """Write a note to the first hand, and open the board, which then works without a signal."""
    page = table.page
    page.goto(table.path)
    press(page.get_by_role("link", name="Correct hand 1", exact=True))
    press(page.get_by_role("link", name="Note or photo"))
    page.get_by_label("Note").fill(NOTE)
    with page.expect_navigation():
        press(page.get_by_role("button", name="Save note"))
    page.goto(table.path)
    expect(page.locator(".sheet")).to_contain_text(NOTE)
    ready(page)
    worker_ready(page)
