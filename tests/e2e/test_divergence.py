"""One phone is offline while another keeps scoring: the offline hands are accepted, discarded, or moved by QR code."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
import segno
from playwright.sync_api import expect
from segno import encoder

from tests.e2e.taps import choose, expect_totals, press, take_bid
from tests.e2e.test_offline import SWEEP, THEM, US, badge, hands_of, open_game, ready, score

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = pytest.mark.slow
MODULES_JS = """
canvas => {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const black = (x, y) => data[4 * (y * width + x)] < 128;
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => black(x, y)));
}
"""
"""JavaScript that returns the pixels of a QR code on a canvas as rows of booleans; true means black.

The white margin is included.
"""
CODES_JS = """
async () => {
  const board = document.querySelector("script[src*='board.js']").src;
  const { codeOf } = await import(board.replace("board.js", "outbox-code.js"));
  const words = { code: "", code_next: "", code_one: "{first} {last}", code_says: "{first} {last}" };
  const id = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
  const points = (n) => ({ high: n % 2, low: 0, jack: n % 3 ? null : 1, game: 1 });
  const bid = (n) => ({ dealer: n % 4, bidder: (n * 7) % 4, bid: 2 + (n % 3), trump: "CDHS"[n % 4] });
  const hand = (n) => ({ ...bid(n), points: points(n) });
  const hands = Array.from({ length: 40 }, (_, n) => ({ id: id(), number: n + 1, hand: hand(n) }));
  const box = await codeOf(words, { game: "23456789bc", version: 30, hands });
  const [says, next] = [box.querySelector("p"), box.querySelector("button")];
  const held = [];
  while (!held.length || says.textContent !== held[0][0]) {
    const was = says.textContent;
    held.push([was, says.dataset.url.length]);
    next.click();
    while (says.textContent === was) await new Promise((done) => setTimeout(done, 10));
  }
  return held;
}
"""
"""JavaScript that makes the QR codes for forty waiting hands.

For each code, it returns the numbers of the first and the last hand as a text, and the length of the code's link.
"""


def another_phone(page: Page, open_phone: OpenPhone, path: str) -> Page:
    """Make Bob's phone a scorer of a game with a score link, and return the page with the game's board on that phone.

    `page` is the phone that made the game, and `path` is the game's path.
    """
    page.goto(f"{path}/table")
    press(page.get_by_text("Add a scorer").first)
    press(page.get_by_role("button", name="Make link"))
    link = page.get_by_role("textbox", name="Link").input_value()
    other = open_phone()
    other.goto(link)
    press(other.get_by_role("radio", name="Bob"))
    press(other.get_by_role("button", name="Keep score"))
    ready(other)
    page.goto(path)
    ready(page)
    return other


def play(page: Page, name: str, bid: int, took: tuple[str, str, str, str], *totals: int) -> None:
    """Play a hand online, and check that the scores afterwards are `totals`.

    The player `name` makes the bid. `took` lists the winners of High, Low, Jack and Game, in that order.
    """
    take_bid(page, name, bid)
    choose(page, *took)
    press(page.get_by_role("button", name="Save", exact=True))
    expect_totals(page, *totals)


def apart(page: Page, open_phone: OpenPhone, server: Server) -> str:
    """Let two phones each save three hands of the same game, and open the page that compares the two versions.

    The phone `page` is offline, and the other phone is online. Only the first of the three hands is the same on both
    phones. Return the game's path.
    """
    path = open_game(page, server)
    other = another_phone(page, open_phone, path)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    score(page, "Bob", 2, (THEM, THEM, "", US))
    score(page, "Cid", 3, (US, US, US, THEM))
    expect_totals(page, 13, 6)
    take_bid(page, "Dee", 2)
    play(other, "Ann", 4, SWEEP, 9, 3)
    play(other, "Bob", 2, (US, THEM, US, US), 12, 1)
    play(other, "Dee", 3, (THEM, THEM, THEM, US), 13, 4)
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("The game went on without these hands")
    expect(badge(page)).to_contain_text("3 hands waiting")
    press(badge(page).get_by_role("button", name="Compare and decide"))
    expect(page.get_by_role("heading", name="Hands saved offline")).to_be_visible()
    expect(page.locator(".tail > li").first).to_contain_text("both agree")
    return path


def told(page: Page, path: str) -> list[Any]:
    """Return a pair (bidder's seat, bid) for each hand that the server has saved for the game at `path`."""
    return [(hand["bidder"], hand["bid"]) for hand in hands_of(page, path)]


def test_all_offline_hands_are_accepted_at_once(page: Page, open_phone: OpenPhone, server: Server) -> None:
    path = apart(page, open_phone, server)
    press(page.get_by_role("button", name="Use this phone's from hand 4 on"))
    expect_totals(page, 13, 6)
    expect(badge(page)).not_to_contain_text("waiting")
    expect(page.locator(".in-play")).to_contain_text("Dee bid 2")
    assert told(page, path) == [(0, 3), (1, 2), (0, 4), (1, 2), (2, 3)]


def test_all_offline_hands_are_discarded_at_once(page: Page, open_phone: OpenPhone, server: Server) -> None:
    """On the page that compares two versions of a game, all offline hands can be discarded with one tap.

    If the phone also has a bid for the next hand, that bid is discarded with the hands. The phone says so whether the
    board or the service worker was first to send the hands.
    """
    path = apart(page, open_phone, server)
    press(page.get_by_role("button", name="Use the hands already saved"))
    expect(badge(page)).to_have_text("Saved.")
    expect_totals(page, 13, 4)
    expect(page.get_by_role("heading", name="Winning bid")).to_be_attached()
    assert told(page, path) == [(0, 3), (1, 2), (0, 4), (1, 2), (3, 3)]
    page.reload()
    expect_totals(page, 13, 4)
    expect(badge(page)).not_to_be_attached()
    page.goto(f"{path}/log")
    expect(page.get_by_role("main")).to_contain_text("Another phone saved hand 5 offline")


def test_both_phones_see_a_dispute_about_one_hand(page: Page, open_phone: OpenPhone, server: Server) -> None:
    """If an offline hand differs from the hand that another phone saved, both phones show both hands.

    The server stores the offline hand beside the other phone's hand, so the offline hand no longer waits to be sent.
    """
    path = open_game(page, server)
    other = another_phone(page, open_phone, path)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    play(other, "Ann", 4, (US, US, US, THEM), 1, 4)
    page.context.set_offline(False)
    says = "Two phones disagree on hand 3. Bob's phone: 3 to 1. The main phone: 4 to 0."
    expect(badge(page)).to_contain_text(says)
    card = page.locator(".dispute section")
    expect(card).to_contain_text(["Bob's phone", "This phone"])
    expect_totals(page, 1, 4)
    other.reload()
    card = other.locator(".dispute section")
    expect(card).to_contain_text(["Game: Bob and Dee", "Game: Ann and Cid"])
    boxes = (card.nth(at).locator("button, summary").first.bounding_box() for at in (0, 1))
    left, right = ((box["y"], box["width"], box["height"]) for box in boxes if box)
    assert left == right
    press(card.nth(1).get_by_role("button", name="Use 4 to 0"))
    expect_totals(other, 9, 3)


@pytest.fixture
def plain_padding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the Segno encoder from adding an unneeded padding byte, so that its QR codes match the phone's codes."""

    def fill(buff: Any, _version: int, length: int) -> None:
        buff.extend([0] * (-length % 8))

    monkeypatch.setattr(encoder, "write_padding_bits", fill)


@pytest.mark.usefixtures("plain_padding")
def test_a_qr_code_moves_hands_to_another_phone(page: Page, open_phone: OpenPhone, server: Server) -> None:
    """A phone can scan an offline phone's QR code, and save the hands that are waiting on the offline phone.

    The code on the screen is also compared with the codes that the Segno encoder makes for the same link.
    """
    path = open_game(page, server)
    other = another_phone(page, open_phone, path)
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    score(page, "Bob", 2, (THEM, THEM, "", US))
    press(badge(page).locator("summary").first)
    press(badge(page).get_by_role("button", name="Show QR code"))
    code = badge(page).locator("canvas")
    expect(code).to_be_visible()
    expect(badge(page)).to_contain_text("Hands 3 to 4: scan with a phone that's online")
    url = badge(page).locator("[data-url]").get_attribute("data-url") or ""
    assert url.startswith(f"{server.url}/carry#z")
    drawn = code.evaluate(MODULES_JS)
    assert drawn in [
        modules(segno.make(url, error=level, mask=mask, mode="byte", boost_error=False, micro=False))
        for level in "lm"
        for mask in range(8)
    ]
    other.goto(url)
    expect(other.get_by_role("main")).to_contain_text("Bob dealt, Ann bid 4.")
    press(other.get_by_role("button", name="Save 2 hands"))
    expect_totals(other, 10, 5)
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    expect_totals(page, 10, 5)
    assert told(page, path) == [(0, 3), (1, 2), (0, 4), (1, 2)]


def modules(code: segno.QRCode) -> list[list[bool]]:
    """Return the squares of a QR code row by row. True means a black square.

    Each side has a margin of four white squares.
    """
    return [[bool(module) for module in row] for row in code.matrix_iter(border=4)]


def test_hands_that_do_not_fit_are_in_the_next_code(page: Page, server: Server) -> None:
    """Forty waiting hands are split into several QR codes, and every hand is in exactly one of them."""
    open_game(page, server)
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.context.set_offline(True)
    held = page.evaluate(CODES_JS)
    spans = [tuple(map(int, text.split())) for text, _length in held]
    assert spans[0][0] == 1
    assert spans[-1][1] == 40
    assert all(after[0] == before[1] + 1 for before, after in pairwise(spans))
    assert len(spans) > 1
    assert max(length for _text, length in held) <= 900
