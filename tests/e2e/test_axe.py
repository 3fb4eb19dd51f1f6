"""Check WCAG 2.2 AA with axe-core on every page in `tests/web/routes.txt`, in light and dark, and after a game ends."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import press, take_bid
from tests.e2e.test_divergence import another_phone, play
from tests.e2e.test_offline import SWEEP, THEM, US, badge, open_game, score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROUTES = Path(__file__).parent.parent / "web" / "routes.txt"
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLORS = ["color-contrast", "link-in-text-block"]
LOOK = """async (rules) => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  // Behind text on a gradient axe sees no color; light text is hardest to read on the brightest felt.
  document.body.style.background = "var(--felt-lit)";
  // What the bar covers can be scrolled out from under it; axe takes what is left of it for the whole target.
  for (const bar of document.querySelectorAll(".bar")) bar.style.position = "static";
  const options = { runOnly: rules, resultTypes: ["violations", "incomplete"] };
  const { violations, incomplete } = await axe.run(options);
  const told = (all) => all.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)} ${node.any.map((why) => why.message).join(" ")}`));
  return { violations: told(violations), incomplete: told(incomplete) };
}"""
HANDS = [hand(0, 2, 0, 1, None, 0), hand(1, 3, 0, 1, 1, None)]
OVER = [hand(0, 4, 0, 0, 0, 0)] * 6


def pages_of(page: Page, board: str) -> list[str]:
    """Return the paths of all pages in `routes.txt` outside leagues. Game pages are those of the game at `board`."""
    people = page.request.get("/table/people").text()
    values = {
        "player_id": re.findall(r'"/table/people/(\w+)"', people)[0],
        "photo_id": "removed",
        "game_id": board.rsplit("/", 1)[1],
        "seq": "3",
        "preset": "setback-21",
        "secret": "used-up",
        "word": "used-up",
        "photo": "removed",
        "version": "0",
        "filename": "app",
        "slug": "points",
    }
    return filled_in(values, lambda endpoint: not endpoint.startswith("leagues."))


def filled_in(values: Mapping[str, str], wanted: Callable[[str], bool]) -> list[str]:
    """Return the paths of the pages in `routes.txt` that `wanted` accepts, with values in place of the variable parts.

    `wanted` gets the name of an endpoint and returns True for a page to include. `values` maps the name of each
    variable part to its value.
    """
    routes = [line.split() for line in ROUTES.read_text().splitlines()]
    rules = [rule for rule, method, endpoint in routes if method == "GET" and wanted(endpoint)]
    return [re.sub(r"<(?:\w+:)?(\w+)>", lambda name: values[name[1]], rule) for rule in rules]


def judge(page: Page, what: str) -> list[str]:
    """Return the problems that axe finds on the open page in the light and the dark theme.

    Each problem begins with the text `what`.
    """
    wrong = []
    expect(page.locator("[data-busy]")).to_have_count(0)  # until the answer is shown, its buttons are pale
    page.evaluate(AXE)
    for scheme, rules in (("light", RULES), ("dark", COLORS)):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        found: dict[str, Any] = page.evaluate(LOOK, rules)
        wrong += [f"{what}, {scheme}: {violation}" for violation in found["violations"]]
        print(*(f"{what}, {scheme}, to be looked at: {doubt}" for doubt in found["incomplete"]), sep="\n")
    return wrong


def judge_on_paper(page: Page, path: str) -> list[str]:
    """Return the color problems that axe finds on the page at `path` as printed from a phone with the dark theme."""
    page.goto(path)
    page.evaluate(AXE)
    page.emulate_media(media="print", color_scheme="dark")
    found: dict[str, Any] = page.evaluate(LOOK, COLORS)
    page.emulate_media(media="screen", color_scheme="light")
    return [f"{path}, on paper: {violation}" for violation in found["violations"]]


def judge_all(page: Page, paths: list[str]) -> list[str]:
    """Return the problems that axe finds on all pages at `paths`. Pictures and data files are skipped."""
    wrong, seen = [], 0
    for path in paths:
        answer = page.request.get(path)
        if answer.status != 204 and "text/html" in answer.headers["content-type"]:
            page.goto(path)
            wrong += judge(page, path)
            seen += 1
    assert seen > 12, f"only {seen} pages"
    return wrong


def test_every_page_during_a_game(page: Page, server: Server) -> None:
    board = bring_in(page, server, record(HANDS))
    assert (
        judge_all(
            page, [*pages_of(page, board), f"{board}?entry=auction", f"/watch/tv?games={board.rsplit('/', 1)[1]}"]
        )
        == []
    )


def test_every_page_after_the_end(page: Page, server: Server) -> None:
    assert judge_all(page, pages_of(page, bring_in(page, server, record(OVER)))) == []


def test_the_pages_that_add_a_scorer(open_phone: OpenPhone, server: Server) -> None:
    """Axe finds no problems on the page that shows the score link and on the page that the link opens."""
    phone, other = open_phone(), open_phone()
    phone.goto(bring_in(phone, server, record(HANDS)) + "/table")
    phone.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")
    press(phone.locator("form[action$=score-links] button"))
    expect(phone.locator("[data-share]")).to_be_attached()
    assert judge(phone, "score link") == []
    other.goto(phone.locator("[data-share]").get_attribute("data-share") or "")
    assert judge(other, "join") == []


def test_the_pages_that_import_hands_from_another_phone(page: Page, open_phone: OpenPhone, server: Server) -> None:
    """Axe finds no problems on the two pages that add offline hands to a game.

    The first page imports another phone's offline hands from a QR code. The second page compares this phone's offline
    hands with the hands that another phone saved in the same game.
    """
    path = open_game(page, server)
    other = another_phone(page, open_phone, path)
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    score(page, "Bob", 2, (THEM, THEM, "", US))
    press(badge(page).locator("summary").first)
    press(badge(page).get_by_role("button", name="Show QR code"))
    code = badge(page).locator("[data-url]")
    expect(code).to_be_attached()
    other.goto(code.get_attribute("data-url") or "")
    expect(other.get_by_role("main")).to_contain_text("Bob dealt, Ann bid 4.")
    assert judge(other, "carry") == []
    other.goto(path)
    play(other, "Ann", 4, (US, US, US, THEM), 1, 4)
    play(other, "Bob", 2, (US, THEM, US, US), 4, 2)
    page.context.set_offline(False)
    press(badge(page).get_by_role("button", name="Compare and decide"))
    expect(page.get_by_role("heading", name="Hands saved offline")).to_be_visible()
    assert judge(page, "tail") == []


@pytest.mark.parametrize("preset", ["setback-7-pitch", "somerset-66", "bowers-12"])
def test_every_page_of_other_games(page: Page, server: Server, preset: str) -> None:
    """Axe finds no problems on the boards of games with many sides, with a number pad, and with other points."""
    players = ("Ann", "Bob", "Cid", "Dee", "Eve")[: 4 if preset == "bowers-12" else 5]
    board = bring_in(page, server, record(preset=preset, players=players))
    page.goto(board)
    assert judge(page, preset) == []


def test_the_board_with_a_bid_in_play(page: Page, server: Server) -> None:
    """Axe finds no problems on the board during a hand, when the board asks who took the points."""
    page.goto(bring_in(page, server, record(HANDS)))
    take_bid(page, "Ann", 2)
    assert judge(page, "points step") == []
