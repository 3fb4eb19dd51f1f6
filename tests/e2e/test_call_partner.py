"""Call-partner Pitch is played on a phone: a partner is called for each hand, with and without a signal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import expect_totals, press, press_save, unfold_games

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

POINTS = ("Ace", "Jack", "Off jack", "High joker", "Low joker", "Ten", "Two", "Three")


def _start(page: Page) -> None:
    page.goto("/games/new")
    unfold_games(page)
    press(page.get_by_text("More games"))
    press(page.get_by_role("button").filter(has=page.get_by_text("Call-partner Pitch", exact=True)))
    for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee", "Eve")):
        page.get_by_role("combobox", name=re.compile(f"^Seat {seat + 1}\\b")).fill(name)
    press(page.get_by_role("button", name="Start the game"))
    expect(page.get_by_role("heading", name="Winning bid")).to_be_attached()


def _bid(page: Page, bidder: str, bid: int) -> None:
    press(page.get_by_role("group", name="Who won the bid").get_by_role("radio", name=bidder, exact=True))
    press(page.get_by_role("button", name=f"Bid {bid}", exact=True))
    expect(page.get_by_role("heading", name="Who took what")).to_be_attached()


def _partner(page: Page, name: str) -> None:
    press(page.get_by_role("group", name="Called partner").get_by_role("radio", name=name, exact=True))


def _owner(page: Page, point: str, party: str) -> Locator:
    # A point may name its card: "Ace A♥".
    group = page.get_by_role("group", name=re.compile(rf"^{point}( \S+)?$"))
    return group.get_by_role("radio", name=party, exact=True)


def _take(page: Page, party: str, ours: tuple[str, ...]) -> int:
    """For each point, tap the winner unless the page has already chosen the winner. Return the number of taps.

    `party` is the page's label for the bidder and the partner together. `ours` names the points that these two won. The
    opponents won all other points.
    """
    taps = 0
    for point in POINTS:
        choice = _owner(page, point, party if point in ours else "the others")
        if not choice.is_checked():
            press(choice)
            taps += 1
    return taps


def _tap_card(page: Page, card: str, times: int) -> None:
    """Tap a card `times` times, which gives the card to one party after another.

    The first tap gives the card to the bidder's party, and each further tap to the next party.
    """
    for _time in range(times):
        press(page.locator(f"[name='card-{card}']:checked"))


def test_a_partner_is_called_in_each_hand(page: Page) -> None:
    """In call-partner Pitch, the page names the bidder and the partner as one party.

    If the bidder calls nobody, the page names the bidder alone.
    """
    _start(page)
    _bid(page, "Ann", 6)
    expect(_owner(page, "Ace", "Ann and partner")).to_be_attached()
    _partner(page, "Cid")
    taps = _take(page, "Ann and Cid", ("Ace", "Jack", "High joker", "Low joker", "Ten", "Three"))
    assert taps <= 6
    expect(page.locator(".preview").filter(visible=True)).to_have_text(
        "Made it! Ann and Cid score 8 each. The others score 2 each."
    )
    press_save(page)
    expect_totals(page, 8, 2, 8, 2, 2)
    expect(page.get_by_role("region", name="Hands").get_by_text("Off jack: BDE, High joker: AC")).to_be_visible()

    _bid(page, "Bob", 5)
    _partner(page, "alone")
    _take(page, "Bob", ("Ace", "Three"))
    expect(page.locator(".preview").filter(visible=True)).to_have_text(
        "Set! Bob loses 5, from 2 to −3. The others score 6 each."
    )
    press_save(page)
    expect_totals(page, 14, -3, 14, 8, 8)


def test_the_points_only_need_a_partner_too(page: Page) -> None:
    _start(page)
    _bid(page, "Eve", 4)
    press(page.get_by_text("Enter points only"))
    press(page.get_by_role("group", name="Eve and partner").get_by_role("radio", name="7", exact=True))
    expect(page.locator("details.mode .preview")).to_have_text("Tap each side's points.")
    _partner(page, "Ann")
    expect(page.locator("details.mode .preview")).to_have_text(
        "Made it! Eve and Ann score 7 each. The others score 3 each."
    )
    press_save(page)
    expect_totals(page, 7, 3, 3, 3, 7)


@pytest.mark.slow
def test_a_hand_without_a_signal_is_told_and_scored_alike(page: Page) -> None:
    """In call-partner Pitch, the phone describes and scores hands offline in the same way as the server.

    In the first hand, the winner of each point is tapped. In the second hand, the cards that each party took are
    counted.
    """
    _start(page)
    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    page.context.set_offline(True)
    _bid(page, "Ann", 6)
    _partner(page, "Cid")
    _take(page, "Ann and Cid", ("Ace", "Jack", "High joker", "Low joker", "Ten", "Three"))
    said = "Made it! Ann and Cid score 8 each. The others score 2 each."
    expect(page.locator(".preview").filter(visible=True)).to_have_text(said)
    press_save(page)
    expect_totals(page, 8, 2, 8, 2, 2)
    expect(page.locator(".in-full")).to_contain_text(said)
    expect(page.get_by_role("region", name="Hands").get_by_text("Off jack: BDE, High joker: AC")).to_be_visible()

    _bid(page, "Dee", 4)
    press(page.get_by_role("link", name="Count the cards"))
    expect(page.get_by_role("heading", name="Count the cards")).to_be_visible()
    press(page.get_by_role("group", name="Trump").get_by_role("radio", name="hearts"))
    for card in ("AH", "JH", "TH"):
        _tap_card(page, card, 1)
    for card in ("3H", "JD", "RJ", "BJ"):
        _tap_card(page, card, 2)
    press(page.get_by_role("button", name="Use this count"))
    expect(_owner(page, "Three", "the others")).to_be_checked()
    expect(_owner(page, "Ace", "Dee and partner")).to_be_checked()
    _partner(page, "alone")
    press(_owner(page, "Two", "Dee"))
    expect(page.locator(".preview").filter(visible=True)).to_have_text(
        "Made it! Dee scores 4, from 2 to 6. The others score 6 each."
    )
    press_save(page)
    expect_totals(page, 14, 8, 14, 6, 8)
    page.context.set_offline(False)
    expect(page.locator(".waiting")).to_contain_text("Saved.")
    expect_totals(page, 14, 8, 14, 6, 8)
    page.reload()
    expect_totals(page, 14, 8, 14, 6, 8)
    expect(page.get_by_role("region", name="Hands").get_by_text("Off jack: ABCE, High joker: ABCE")).to_be_visible()
