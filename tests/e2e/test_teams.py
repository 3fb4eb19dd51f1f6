"""Three and four teams of two fit on a phone; a failed moon (a bid of all points) gets the same sentence offline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import press
from tests.e2e.test_layout import look_at, open_all
from tests.e2e.test_offline import badge, ready
from tests.e2e.test_offline_end import reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

    from tests.support.server import Server

SIX = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
EIGHT = (*SIX, "Gus", "Hal")
LONG = ("Bartholomew", "Maximiliana", "Christopher", "Wilhelmina", "Montgomery", "Anastasia", "Ferdinand", "Guinevere")
POINTS = ("ace", "jack", "off_jack", "high_joker", "low_joker", "ten", "two", "three")


def teams(players: Sequence[str], sides: int) -> list[list[int]]:
    return [list(range(side, len(players), sides)) for side in range(sides)]


def take_bid(page: Page, seat: int, bid: str) -> None:
    """Tap the bidder's seat, then the button of the bid."""
    press(page.locator(f".bid-pad label:has(input[name=bidder][value='{seat}'])"))
    press(page.locator(f".bid-pad button[name=bid][value='{bid}']"))
    expect(page.get_by_role("heading", name="Who took what")).to_be_attached()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "sides"),
    [(SIX, 3), (LONG[:6], 3), (EIGHT, 4), (LONG, 4), (EIGHT, 8)],
    ids=["three teams", "three teams, long names", "four teams", "four teams, long names", "eight alone"],
)
def test_many_sides_fit_the_phone(page: Page, server: Server, players: Sequence[str], sides: int) -> None:
    hands = [{"bidder": 0, "bid": 6, "points": dict.fromkeys(POINTS, 0)}]
    hands.append({"bidder": 1, "bid": 10, "points": {key: at % sides for at, key in enumerate(POINTS)}})
    told = record(hands, preset="ten-point-52", players=players, sides=teams(players, sides))
    board = bring_in(page, server, told)
    for path in ("/", "/games/new", f"{board}/table", f"{board}/log"):
        page.goto(path)
        open_all(page)
        look_at(page, path)
    page.goto(board)
    look_at(page, "bid step")
    assert page.locator(".scroll").evaluate("sheet => sheet.scrollWidth - sheet.clientWidth") == 0
    take_bid(page, 0, "4")
    look_at(page, "points step")
    page.goto(f"{board}/table")
    open_all(page)
    press(page.locator("form[action$=concession] button").first)
    press(page.get_by_role("button", name="End game"))
    expect(page.locator(".outcome")).to_be_visible()
    look_at(page, "end")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("owners", "result", "says"),
    [
        (
            "CCCCCCBC",
            "Bob and Eve win",
            "Cid and Fay bid a moon and missed it. Of the others, Bob and Eve have the high score, 1.",
        ),
        ("CCCCCABC", "Tied game", "Cid and Fay bid a moon and missed it. The others are tied, so nobody wins."),
    ],
)
def test_a_moon_that_fails_without_a_signal(page: Page, server: Server, owners: str, result: str, says: str) -> None:
    """If a side bids a moon offline and fails, the game ends, and the phone shows the right result and reason."""
    page.goto(bring_in(page, server, record(preset="ten-point-52", players=SIX, sides=teams(SIX, 3))))
    ready(page)
    page.context.set_offline(True)
    take_bid(page, 5, "moon")
    names = {"A": "Ann and Dee", "B": "Bob and Eve", "C": "Cid and Fay"}
    for group, owner in zip(page.locator(".points fieldset").all(), owners, strict=True):
        press(group.get_by_role("radio", name=names[owner], exact=True))
    press(page.get_by_role("button", name="Save", exact=True))
    press(page.get_by_role("button", name="Yes, save it"))
    expect(page.locator(".outcome h2")).to_have_text(result)
    expect(reason(page)).to_have_text(says)
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    expect(page.get_by_text("More", exact=True)).to_be_visible()
    expect(page.locator(".outcome h2")).to_have_text(result)
    expect(reason(page)).to_have_text(says)
