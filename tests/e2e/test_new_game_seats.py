"""The seats of a new game are changed by tap, drag and keyboard, without the server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FOUR = ["Ann", "Bob", "Cid", "Dee"]


def names(page: Page) -> list[str]:
    told: list[str] = page.eval_on_selector_all(".seats .seat-name input", "all => all.map((each) => each.value)")
    return told


def dealer(page: Page) -> str:
    """Return the name of the first dealer."""
    return names(page)[int(page.input_value("[name=first_dealer]:checked"))]


def grip_at(page: Page, seat: int) -> tuple[float, float]:
    """Return the center of a seat's drag handle as (x, y), in CSS pixels from the top left corner.

    The letter of the seat is its drag handle.
    """
    box = page.locator(".grip").nth(seat).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def set_table(page: Page) -> None:
    """Start a game with the players `FOUR`, add Eve to the table's people, and open the new-game page."""
    page.goto("/games/new")
    for seat, name in enumerate(FOUR):
        page.fill(f"#seat-{seat}", name)
    page.tap(".bar .main")
    page.wait_for_selector(".totals")
    page.goto("/table/people")
    page.fill("#new-person", "Eve")
    page.tap(".add-person .main")
    page.wait_for_selector("text=No finished games yet")
    page.goto("/games/new")
    assert names(page) == FOUR


def test_seats_are_changed_without_the_server(open_phone: OpenPhone) -> None:
    """Without a signal, people can be seated with a tap, and seats can be swapped by tap, drag and keyboard.

    Seats, partners and dealer can be drawn by lot, and the page says what was drawn.
    """
    page = open_phone()
    set_table(page)
    page.evaluate("() => navigator.serviceWorker.ready")  # so that its script isn't cut off
    page.context.set_offline(True)
    page.tap("[name=sit][value=Dee]")
    page.tap("[name=sit][value=Eve]")
    assert names(page) == ["Ann", "Bob", "Cid", "Eve"]

    first = dealer(page)
    page.tap(".grip >> nth=0")
    page.tap(".grip >> nth=2")
    assert names(page) == ["Cid", "Bob", "Ann", "Eve"]
    page.mouse.move(*grip_at(page, 0))
    page.mouse.down()
    page.mouse.move(*grip_at(page, 1), steps=5)
    page.mouse.up()
    assert names(page) == ["Bob", "Cid", "Ann", "Eve"]
    for seat in (0, 2):
        page.focus(f".grip >> nth={seat}")
        page.keyboard.press("Enter")
    assert names(page) == ["Ann", "Cid", "Bob", "Eve"]
    assert dealer(page) == first

    page.tap("[name=draw][value=seats]")
    assert page.inner_text(".drawn") == f"New seats, clockwise: {', '.join(names(page))}."
    page.tap("[name=draw][value=partners]")
    one, two, three, four = names(page)
    assert page.inner_text(".drawn") == f"New partners: {one} and {three}; {two} and {four}."
    page.tap("[name=draw][value=dealer]")
    assert re.search(r": (.*)\.$", page.inner_text(".drawn"))[1] == dealer(page)  # type: ignore[index]


def test_a_named_seat_is_no_longer_wrong(open_phone: OpenPhone) -> None:
    """The error "Every seat needs a name." disappears once every seat has a name."""
    page = open_phone()
    page.goto("/games/new")
    page.fill("#seat-1", "Bob")
    page.tap(".bar .main")
    wrong = page.locator("[aria-invalid=true]")
    expect(wrong).not_to_have_count(0)
    told = page.get_by_text("Every seat needs a name.")
    for seat, name in enumerate(FOUR):
        page.fill(f"#seat-{seat}", name)
    expect(wrong).to_have_count(0)
    expect(told).to_have_count(0)


def test_the_list_of_games_stays_in_place_while_the_page_loads(open_phone: OpenPhone) -> None:
    """On the new-game page, the search button is hidden even before the script for the search is loaded.

    If the button disappeared later, the list of games would move.
    """
    page = open_phone()
    page.route("**/find-game*", lambda route: route.abort())
    page.goto("/games/new")
    expect(page.locator("#find")).to_be_visible()
    expect(page.get_by_role("button", name="Find", exact=True)).to_be_hidden()
