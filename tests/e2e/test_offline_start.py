"""After one visit, games can be started and played without a signal, also by "Play again"; each is saved once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.pocket import SENT, bids, record, start, sweep
from tests.e2e.taps import choose, expect_totals, press, press_save, take_bid
from tests.e2e.test_offline import badge, ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.pocket import Pocket
    from tests.e2e.wifi import Wifi
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


MINE = "a.game[href^='/games/']"
"""Selector of the links to the phone's games on the home page; clubs, which other tests may have made, don't match."""


def paths(page: Page) -> list[str]:
    """Return the paths of the games on the home page."""
    return [link.get_attribute("href") or "" for link in page.locator(MINE).all()]


def test_an_evening_from_a_cold_start(pocket: Pocket, air: Wifi, server: Server) -> None:
    """Three games can be started and played without a signal, with a reload and a restart of the browser.

    Later the server's records of these games have exactly the hands that were tapped.
    """
    air.lead_to("")
    page = pocket.open()
    expect(page.get_by_role("link", name="Leagues")).to_contain_text("needs a signal")
    first = start(page, "Pitch", ("Zoë", "O'Bob <b>", "Cid"))
    expect(badge(page)).to_contain_text("New game, not sent yet")
    for _hand in range(3):
        sweep(page, "Zoë")
    expect(page.locator(".outcome")).to_contain_text("Zoë wins")
    expect(page.locator(".outcome h2 + p")).to_have_text("Zoë made the bid and reached 12.")
    press(page.get_by_role("button", name="Play again"))
    expect(page).not_to_have_url(re.compile(first))
    ready(page)
    second = re.sub(r"^https?://[^/]+", "", page.url)
    expect(page.get_by_text("Zoë deals")).to_be_visible()
    sweep(page, "Cid")
    sweep(page, "O'Bob <b>")
    press(badge(page).locator("summary").first)
    press(badge(page).get_by_role("button", name="Undo hand 2"))
    expect_totals(page, 0, 0, 4)
    page.reload()
    expect_totals(page, 0, 0, 4)
    page.goto("/")
    third = start(page, "Setback", ("Ann", "Bob", "Cid", "Dee"))
    pocket.close()
    page = pocket.open()
    expect(page.locator(MINE)).to_have_count(3)
    assert paths(page) == [third, second, first]
    expect(page.locator(MINE).nth(1)).to_contain_text("1 hand waiting")
    air.lead_to(server.url)
    page.evaluate(SENT)
    page.goto("/")
    for path in (first, second, third):  # waits, because the page loads once more when everything was sent
        expect(page.locator(f"{MINE}[href='{path}']")).to_have_count(1)
    expect(page.locator(MINE)).to_have_count(3)
    told = record(server, first)
    assert (told["players"], told["ruleset"]["preset"]) == (["Zoë", "O'Bob <b>", "Cid"], "pitch-11")
    assert bids(told) == [(0, 4)] * 3
    assert bids(record(server, second)) == [(2, 4)]
    assert record(server, third)["hands"] == []
    page.goto(first)
    expect(page.locator(".outcome")).to_contain_text("Zoë wins")


def test_a_lost_answer_starts_one_game(pocket: Pocket, air: Wifi, server: Server) -> None:
    """If the server starts a game but its reply is lost, the game can go on offline and is still saved only once.

    In this test, two tabs of the phone later send the game at the same time.
    """
    page = pocket.open()
    press(page.get_by_role("link", name="New game"))
    for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee")):
        page.get_by_role("combobox", name=re.compile(f"^Seat {seat + 1}\\b")).fill(name)
    air.loses_answers = True
    press(page.get_by_role("button", name="Start the game"))
    ready(page)
    path = re.sub(r"^https?://[^/]+", "", page.url)
    assert record(server, path)["players"] == ["Ann", "Bob", "Cid", "Dee"]
    side = "Ann and Cid"
    take_bid(page, "Ann", 4)
    choose(page, side, side, side, side)
    press_save(page)
    tab = page.context.new_page()
    tab.goto(path)
    ready(tab)
    air.loses_answers = False
    air.lead_to(server.url)
    page.evaluate(SENT)
    assert bids(record(server, path)) == [(0, 4)]
    for each in (page, tab):
        expect(badge(each)).not_to_contain_text("waiting")
        expect_totals(each, 4, 0)
    page.goto("/")
    assert paths(page) == [path]


def test_a_full_phone_starts_nothing_and_says_so(pocket: Pocket, air: Wifi) -> None:
    air.lead_to("")
    page = pocket.open()
    client = page.context.new_cdp_session(page)
    client.send("Storage.overrideQuotaForOrigin", {"origin": air.url, "quotaSize": 1})
    press(page.get_by_role("link", name="New game"))
    for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee")):
        page.get_by_role("combobox", name=re.compile(f"^Seat {seat + 1}\\b")).fill(name)
    press(page.get_by_role("button", name="Start the game"))
    expect(page.locator(".error")).to_contain_text("storage is full")
    expect(page.get_by_role("combobox", name=re.compile("^Seat 1"))).to_have_value("Ann")
    client.send("Storage.overrideQuotaForOrigin", {"origin": air.url})
    press(page.get_by_role("button", name="Start the game"))
    ready(page)
    expect_totals(page, 0, 0)
