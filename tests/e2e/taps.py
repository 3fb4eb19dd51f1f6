"""Enter hands on a phone as people at a table do, by the text on the buttons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Locator, Page

NOBODY = {"Jack": "not out", "Game": "tied"}


def start_game(page: Page, game: str, names: Sequence[str], *, seating: str = "", dealer: int = 0) -> None:
    """Set up a new game from the home page, and wait for its board."""
    page.goto("/")
    press(page.get_by_role("link", name="New game"))
    for label in filter(None, (game, seating)):
        if label == game:
            unfold_games(page)
        choice = page.get_by_role("button").filter(has=page.get_by_text(label, exact=True))
        choice = choice.or_(page.get_by_role("button", name=label, exact=True))
        press(choice)
        if label == game:
            expect(page.locator("details.picked:not([open]) > summary b")).to_have_text(game)
        else:
            expect(choice).to_have_attribute("aria-pressed", "true")
    for seat, name in enumerate(names):
        page.get_by_role("combobox", name=re.compile(f"^Seat {seat + 1}\\b")).fill(name)
    press(page.get_by_role("radio", name=f"Seat {dealer + 1} Dealer"))
    press(page.get_by_role("button", name="Start the game"))
    expect(page.get_by_role("heading", name="Winning bid")).to_be_attached()


def unfold_games(page: Page) -> None:
    """Unfold the list of games, which is folded once a game was played."""
    games = page.locator("details.picked")
    if games.get_attribute("open") is None:
        press(games.locator(":scope > summary"))


def press(what: Locator) -> None:
    """Tap with a finger once the scripts of the page run: an earlier tap would load a whole page instead.

    Works without JavaScript too.
    """
    what.wait_for(state="attached")
    what.page.wait_for_load_state()
    what.tap()


def bid_of(page: Page, name: str, bid: int | str) -> Locator:
    """Return the button by which `name` bids `bid`."""
    row = page.get_by_role("group", name=name, exact=True)
    return row.get_by_role("button", name=f"{name} bids {bid}")


def owner_of(page: Page, point: str, side: str) -> Locator:
    """Return the choice that gives a point to a side, or to nobody if `side` is empty."""
    group = page.get_by_role("group", name=point, exact=True)
    return group.get_by_role("radio", name=side or NOBODY[point], exact=True)


def take_bid(page: Page, name: str, bid: int | str) -> None:
    """Tap a bid, and wait for the points step."""
    press(bid_of(page, name, bid))
    expect(page.get_by_role("heading", name="Who took what")).to_be_attached()


def choose(page: Page, high: str, low: str, jack: str, game: str) -> None:
    """Tap who took High, Low, Jack and Game."""
    for point, side in {"High": high, "Low": low, "Jack": jack, "Game": game}.items():
        press(owner_of(page, point, side))


def expect_totals(page: Page, *totals: int) -> None:
    """Expect these totals, in the order of the sides."""
    expect(page.locator(".total .score")).to_have_text([f"−{-total}" if total < 0 else str(total) for total in totals])


def save(page: Page, says: str) -> None:
    """Expect this preview of the hand, and save it; answer yes to a question about it."""
    expect(page.locator(".preview").filter(visible=True)).to_have_text(says)
    press_save(page)


def press_save(page: Page) -> None:
    """Save a hand; answer yes to a question about it."""
    press(page.get_by_role("button", name="Save", exact=True))
    asked = page.locator(".asks")
    expect(asked.or_(page.locator(".bids, .bid-pad, .auction, .outcome")).first).to_be_attached()
    if asked.count():
        press(page.get_by_role("button", name="Yes, save it"))
    expect(page.get_by_role("heading", name="Who took what")).not_to_be_attached()


def play(page: Page, bidder: str, bid: int | str, took: Sequence[str], says: str) -> None:
    """Enter a whole hand in six taps."""
    take_bid(page, bidder, bid)
    choose(page, *took)
    save(page, says)
