"""The seats of a new game, by tap, drag and keyboard, with the script that needs no server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

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
    """Return the middle of a seat's letter."""
    box = page.locator(".grip").nth(seat).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def set_table(page: Page) -> None:
    """Play a game with `FOUR`, add Eve, and open the page for the next game."""
    page.goto("/games/new")
    for seat, name in enumerate(FOUR):
        page.fill(f"#seat-{seat}", name)
    page.tap(".bar .main")
    page.wait_for_selector(".totals")
    page.goto("/table/people")
    page.fill("#new-person", "Eve")
    page.tap(".add-person .main")
    page.wait_for_selector("text=No games yet")
    page.goto("/games/new")
    assert names(page) == FOUR


def test_seats_are_changed_without_the_server(open_phone: OpenPhone) -> None:
    """Seat by tapping a name; swap by tap, drag and keyboard; draw by lot, and say what was drawn."""
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
