"""Games that wait on a phone: the home page shows each as its own board does, and every page has them sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.test_flight_mode import RESTORE
from tests.e2e.test_offline import hands_of

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AT = 1_764_000_000_000
"""When the games started, on the phone's clock."""
NO_WORKER = "delete Navigator.prototype.serviceWorker"
"""JavaScript that makes the browser one without service workers, as on a plain HTTP address."""
CONTROLLED = """async () => {
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 20));
}"""
FORGET = """async () => {
  const asked = indexedDB.open("scorekeeper");
  await new Promise((done) => (asked.onsuccess = done));
  const both = asked.result.transaction(["hands", "games"], "readwrite");
  for (const name of ["hands", "games"]) both.objectStore(name).clear();
  await new Promise((done) => (both.oncomplete = done));
  asked.result.close();
}"""
"""JavaScript that removes all games from the phone, as once they are sent."""
SWEEP = hand(0, 4, 0, 0, 0, 0) | {"dealer": 3}
"""A hand in which Ann and Cid bid 4 and take all the points."""
SET = hand(1, 3, 1, 0, 0, 0) | {"dealer": 0}
"""A hand in which Bob and Dee bid 3, take a single point and lose 3."""
HANDS = [{"hand": SWEEP, "number": 1}, {"hand": SET, "number": 2}]
EVERY_CHANGE: list[dict[str, Any]] = [
    *HANDS,
    {"kind": "misdeal", "number": 0},
    {"kind": "dealer", "number": 0, "dealer": 2},
    {"kind": "correct", "number": 2, "of": 1, "hand": {**SET, "points": {"high": 1, "low": 1, "jack": 1, "game": 0}}},
    {"kind": "adjust", "number": 0, "side": 1, "points": -2, "reason": "a revoke"},
    {"hand": {**SWEEP, "dealer": 2}, "number": 3},
    {"kind": "undo", "number": 3, "of": 6},
    {"kind": "concede", "number": 0, "winner": 0},
    {"kind": "reopen", "number": 0},
]
"""Every kind of change but "delete" and "abandon"; "of" is the place of another change in this list.

After it, Ann and Cid have 4 + 1, and Bob and Dee have 3 - 2.
"""


def waiting(game: str, kit: dict[str, Any], changes: list[dict[str, Any]], *, started: bool) -> list[list[Any]]:
    """Return the rows of the phone's database for a game with these changes that wait, as `RESTORE` takes them.

    `started` means that the phone started the game, and the server doesn't know it.
    """
    start = {"id": f"start-of-{game}", "at": AT, "record": kit["record"]}
    rows = [
        {"game": game, "id": f"{game}-{place}", "at": AT + place, **change}
        | ({"of": f"{game}-{change['of']}"} if "of" in change else {})
        for place, change in enumerate(changes)
    ]
    row = {"game": game, "kit": kit, "state": kit["state"], "bid": None, "since": AT}
    return [rows, [row | ({"start": start} if started else {})]]


def kept(page: Page, *games: list[list[Any]]) -> None:
    """Store these games on the phone."""
    both = [[row for game in games for row in game[place]] for place in (0, 1)]
    page.evaluate(RESTORE, json.dumps(both))


def kit_of(page: Page, path: str) -> dict[str, Any]:
    """Return what the phone knows of the game at `path`."""
    return dict(page.request.get(f"{path}/kit.json").json())


def until_sent(page: Page, path: str) -> None:
    """Wait up to five seconds until the server has a hand of the game at `path`."""
    for _ in range(100):
        if hands_of(page, path):
            break
        page.wait_for_timeout(50)


def card(page: Page, game: str) -> Locator:
    """Return the card of a game on the home page."""
    return page.locator(f"a.game[href='/games/{game}']")


def test_the_home_page_shows_every_change_as_the_board_does(page: Page, server: Server) -> None:
    """A change that is no hand counts as what it is, and a game that can't be shown leaves the others there."""
    path = bring_in(page, server, record())
    kit = kit_of(page, path)
    page.add_init_script(NO_WORKER)
    page.route("**/waiting", lambda route: route.abort())
    page.goto("/help")
    broken = [*HANDS, {"kind": "undo", "number": 1, "of": 99}, {"kind": "of a later version", "number": 0}]
    kept(
        page,
        waiting("broken", kit, broken, started=True),
        waiting("changed", kit, EVERY_CHANGE, started=True),
        waiting("plain", kit, HANDS, started=True),
        waiting(path.split("/")[-1], kit, HANDS, started=False),
    )
    page.goto("/")
    scores = [card(page, game).locator(".scores") for game in ("changed", "plain", path.split("/")[-1])]
    expect(scores[0]).to_have_text("A Ann and Cid 5 B Bob and Dee 1")
    expect(scores[1]).to_have_text("A Ann and Cid 7 B Bob and Dee −3")
    expect(scores[2]).to_have_text("A Ann and Cid 7 B Bob and Dee −3")
    expect(card(page, "changed")).to_contain_text("Hand 3, Cid deals. 10 changes waiting")
    expect(card(page, "plain")).to_contain_text("Hand 3, Bob deals. 2 hands waiting")
    expect(card(page, "broken")).to_contain_text("4 changes waiting")
    expect(page.get_by_role("link", name="Continue")).to_contain_text("Ann and Cid 7, Bob and Dee −3")


@pytest.mark.parametrize("place", ["/help", "/settings", "/games/new", "/leagues"])
def test_every_page_has_them_sent(page: Page, server: Server, place: str) -> None:
    """Without Background Sync too, every page has all games sent, one after the other.

    A game that the server refuses doesn't keep the next one from being sent.
    """
    path = bring_in(page, server, record())
    kit = kit_of(page, path)
    page.goto("/")
    page.evaluate(CONTROLLED)
    kept(
        page,
        waiting("aaaaaaaaaa", kit, HANDS, started=False),
        waiting(path.split("/")[-1], kit, EVERY_CHANGE, started=False),
    )
    page.goto(place)
    until_sent(page, path)
    assert [told["points"]["low"] for told in hands_of(page, path)] == [0, 1]


def test_the_home_page_sends_without_a_service_worker(page: Page, server: Server) -> None:
    path = bring_in(page, server, record())
    kit = kit_of(page, path)
    page.add_init_script(NO_WORKER)
    page.goto("/help")
    kept(page, waiting(path.split("/")[-1], kit, HANDS, started=False))
    page.goto("/")
    until_sent(page, path)
    expect(card(page, path.split("/")[-1])).not_to_contain_text("waiting")
    assert len(hands_of(page, path)) == 2


def test_a_page_that_was_drawn_before_the_games_arrived_is_drawn_again(page: Page, server: Server) -> None:
    path = bring_in(page, server, record(players=("Eve", "Fay", "Gus", "Hal")))
    kit = kit_of(page, path)
    page.add_init_script(NO_WORKER)
    page.route("**/waiting", lambda route: route.abort())
    page.goto("/help")
    kept(page, waiting("unsent", kit, HANDS, started=True))
    page.goto("/")
    expect(card(page, "unsent")).to_contain_text("2 hands waiting")
    drawn = page.request.get("/").text()
    arrived = bring_in(page, server, record()).split("/")[-1]
    assert arrived not in drawn
    page.evaluate(FORGET)
    page.route("**/", lambda route: route.fulfill(body=drawn, content_type="text/html"), times=1)
    page.goto("/")
    expect(card(page, arrived)).to_be_visible()
