"""Watching a game: changes appear by themselves, and a lost connection is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import press, start_game

if TYPE_CHECKING:
    from tests.e2e.conftest import OpenPhone

pytestmark = pytest.mark.browser

NOTE_PAUSES = """{
  const later = setTimeout;
  window.pauses = [];
  window.setTimeout = (work, ms, ...more) => { pauses.push(ms); return later(work, ms, ...more); };
}"""
POLLS_IN_FIVE_SECONDS = "() => pauses.some((ms) => ms > 3_000 && ms < 5_000)"
"""The pause that the page chose: the time until the score is on the screen depends on the machine too."""


@pytest.mark.slow
def test_a_watcher_sees_a_bid_within_five_seconds(open_phone: OpenPhone) -> None:
    """Without touching the phone, which polls every four seconds, give or take a fifth."""
    table, watcher = open_phone(), open_phone()
    start_game(table, "Setback", ("Ann", "Bob", "Cid", "Dee"))
    watcher.add_init_script(NOTE_PAUSES)
    watcher.goto(table.url)
    expect(watcher.get_by_text("You're watching")).to_be_visible()
    press(table.locator("button[name=call]").first)
    expect(watcher.locator("main").get_by_text("Ann bid")).to_be_visible()
    watcher.wait_for_function(POLLS_IN_FIVE_SECONDS)


@pytest.mark.slow
def test_an_offline_watch_page_says_how_old_the_score_is(open_phone: OpenPhone) -> None:
    """It catches up as soon as the signal is back."""
    table, watcher = open_phone(), open_phone()
    start_game(table, "Setback", ("Ann", "Bob", "Cid", "Dee"))
    watcher.goto(table.url.replace("/games/", "/watch/"))
    with watcher.expect_response("**/watch/**"):
        pass
    watcher.context.set_offline(True)
    expect(watcher.get_by_text("Last update")).to_be_visible()
    press(table.locator("button[name=call]").first)
    watcher.context.set_offline(False)
    expect(watcher.locator("main").get_by_text("Ann bid")).to_be_visible()
    expect(watcher.get_by_text("Last update")).to_be_hidden()


@pytest.mark.slow
def test_a_watch_page_hides_the_score_while_watching_is_off(open_phone: OpenPhone) -> None:
    """It says that there is nothing to see, and shows the score once watching is on again."""
    table, watcher = open_phone(), open_phone()
    start_game(table, "Setback", ("Ann", "Bob", "Cid", "Dee"))
    board = table.url
    watcher.goto(board.replace("/games/", "/watch/"))
    table.goto(f"{board}/table?watch=1")
    press(table.get_by_role("button", name="Turn off watching"))
    expect(watcher.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(watcher.locator(".score")).to_have_count(0)
    press(table.get_by_role("button", name="Turn on watching"))
    expect(watcher.locator(".score")).to_have_count(2)
