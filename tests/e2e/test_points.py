"""House rules add a joker or a bid for all the tricks (a Smudge); hands are scored with and without a signal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import expect_totals, owner_of, press, press_save, take_bid, unfold_games

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

A, B = "Ann and Cid", "Bob and Dee"
NAMES = ("Ann", "Bob", "Cid", "Dee")


def _house_rules(page: Page, game: str, *groups: str) -> Locator:
    """Choose a game, expand these groups of its house rules, and return the form."""
    page.goto("/games/new")
    unfold_games(page)
    press(page.get_by_text("More games"))
    press(page.get_by_role("button").filter(has=page.get_by_text(game, exact=True)))
    press(page.get_by_text("House rules", exact=True))
    for group in groups:
        press(page.locator("details.group > summary").get_by_text(group, exact=True))
    return page.locator("[data-house-rules]")


def _point(form: Locator, name: str) -> Locator:
    return form.get_by_role("group", name="Points in a hand").get_by_role("checkbox", name=name, exact=True)


def _start(page: Page) -> None:
    for seat, name in enumerate(NAMES, 1):
        page.get_by_role("combobox", name=re.compile(f"^Seat {seat}\\b")).fill(name)
    press(page.get_by_role("button", name="Start the game"))
    expect(page.get_by_role("heading", name="Winning bid")).to_be_attached()


def test_a_joker_in_place_of_the_off_jack(page: Page) -> None:
    """By house rules, a table can play for a joker instead of the off jack, with and without a signal.

    The form, the score sheet and the rule card name the joker. A published rule says: "Joker (Player who wins the
    Trick)".
    """
    form = _house_rules(page, "Five-point Smear", "Points")
    press(_point(form, "Off jack"))
    press(_point(form, "Joker"))
    told = form.locator(".differs").get_by_role("listitem")
    expect(told).to_have_text("Points in a hand: High, Low, Jack, Joker, Game.")
    _start(page)
    take_bid(page, "Ann", 3)
    for point, side in {"High": A, "Low": B, "Jack": "", "Joker": A, "Game": A}.items():
        press(owner_of(page, point, side))
    expect(page.get_by_text("Off jack")).to_have_count(0)
    press_save(page)
    expect_totals(page, 3, 1)

    # The same without a signal.
    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    page.context.set_offline(True)
    take_bid(page, "Bob", 5)
    for point, side in {"High": A, "Low": B, "Jack": B, "Joker": B, "Game": B}.items():
        press(owner_of(page, point, side))
    press_save(page)
    expect_totals(page, 4, -4)
    expect(page.get_by_role("region", name="Hands").get_by_text("Joker: B, Game: B")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator(".waiting")).to_contain_text("Saved.")
    expect_totals(page, 4, -4)

    press(page.locator("a[href$='/rules']").first)
    expect(page.get_by_text("A standard 52-card deck and a joker.")).to_be_visible()
    expect(page.get_by_text("Points in a hand: High, Low, Jack, Joker and Game, 1 each.")).to_be_visible()


def test_all_the_tricks_are_asked_only_after_a_pitch(page: Page) -> None:
    """The points step asks who took all the tricks only after a bid of "pitch", with and without a signal.

    A pitch that fails costs five points. The published rules call this bid a "smudge": "An unsuccessful "smudge" bid
    results in a loss of five".
    """
    form = _house_rules(page, "Smudge", "Bidding")
    form.get_by_label("A pitch needs all the points and every trick, and counts 1 more").select_option(label="yes")
    _start(page)
    slam = page.get_by_role("group", name="All the tricks")
    take_bid(page, "Ann", 2)
    expect(slam).to_have_count(0)
    for point in ("High", "Low", "Jack", "Game"):
        press(owner_of(page, point, "Bob"))
    press_save(page)
    expect_totals(page, -2, 4, 0, 0)

    take_bid(page, "Cid", "pitch")
    expect(slam.get_by_role("radio")).to_have_count(2)
    press(slam.get_by_role("radio", name="no", exact=True))
    press_save(page)
    expect_totals(page, -2, 4, -5, 0)

    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    page.context.set_offline(True)
    take_bid(page, "Dee", 3)
    expect(slam).to_have_count(0)
    for point in ("High", "Low", "Jack", "Game"):
        press(owner_of(page, point, "Dee"))
    press_save(page)
    expect_totals(page, -2, 4, -5, 4)
    take_bid(page, "Ann", "pitch")
    expect(slam.get_by_role("radio", name="Ann", exact=True)).to_be_checked()
    press_save(page)
    expect_totals(page, 3, 4, -5, 4)
    expect(page.get_by_role("region", name="Hands").get_by_text("All the tricks: A")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator(".waiting")).to_contain_text("Saved.")
    page.reload()
    expect_totals(page, 3, 4, -5, 4)
    expect(page.get_by_role("region", name="Hands").get_by_text("All the tricks: A")).to_be_visible()
