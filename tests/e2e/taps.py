"""Enter hands on a phone by tapping buttons, which are found by their text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Locator, Page

NOBODY = {"Jack": "not out", "Game": "tied"}


def start_game(page: Page, game: str, names: Sequence[str], *, seating: str = "", dealer: int = 0) -> None:
    """Set up a new game on the page for new games, start it, and wait for its board.

    `game` and `seating` are the texts on the buttons for the game and the seating. Without `seating`, the usual seating
    is kept. `names` are the players in the order of the seats. `dealer` is the seat of the first dealer.
    """
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
    """Expand the list of games if it is collapsed, as on a phone that has played before."""
    games = page.locator("details.picked")
    if games.get_attribute("open") is None:
        press(games.locator(":scope > summary"))


def press(what: Locator) -> None:
    """Tap an element after the page has loaded. This works with and without JavaScript.

    A tap before the scripts run would load a whole new page.
    """
    what.wait_for(state="attached")
    what.page.wait_for_load_state()
    what.tap()


def bid_of(page: Page, name: str, bid: int | str) -> Locator:
    """Return the button for the bid `bid` by the player `name`."""
    row = page.get_by_role("group", name=name, exact=True)
    return row.get_by_role("button", name=f"{name} bids {bid}")


def owner_of(page: Page, point: str, side: str) -> Locator:
    """Return the radio button that gives the point `point` to the side `side`, or to nobody if `side` is ""."""
    group = page.get_by_role("group", name=point, exact=True)
    return group.get_by_role("radio", name=side or NOBODY[point], exact=True)


def take_bid(page: Page, name: str, bid: int | str) -> None:
    """Tap the bid `bid` of the player `name`, and wait for the points step."""
    press(bid_of(page, name, bid))
    expect(page.get_by_role("heading", name="Who took what")).to_be_attached()


def choose(page: Page, high: str, low: str, jack: str, game: str) -> None:
    """Tap the sides that took High, Low, Jack and Game. "" means nobody."""
    for point, side in {"High": high, "Low": low, "Jack": jack, "Game": game}.items():
        press(owner_of(page, point, side))


def expect_totals(page: Page, *totals: int) -> None:
    """Check that the board shows these totals, in the order of the sides."""
    expect(page.locator(".total .score")).to_have_text([f"−{-total}" if total < 0 else str(total) for total in totals])


def save(page: Page, says: str) -> None:
    """Check that the preview of the hand is `says`, then save the hand. If the page asks for confirmation, confirm."""
    expect(page.locator(".preview").filter(visible=True)).to_have_text(says)
    press_save(page)


def press_save(page: Page) -> None:
    """Save the hand. If the page asks for confirmation, confirm."""
    press(page.get_by_role("button", name="Save", exact=True))
    asked = page.locator(".asks")
    expect(asked.or_(page.locator(".bids, .bid-pad, .auction, .outcome")).first).to_be_attached()
    if asked.count():
        press(page.get_by_role("button", name="Yes, save it"))
    expect(page.get_by_role("heading", name="Who took what")).not_to_be_attached()


def play(page: Page, bidder: str, bid: int | str, took: Sequence[str], says: str) -> None:
    """Enter a whole hand in six taps.

    `took` holds the sides that took High, Low, Jack and Game. `says` is the expected preview.
    """
    take_bid(page, bidder, bid)
    choose(page, *took)
    save(page, says)
