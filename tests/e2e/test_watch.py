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
"""JavaScript that is true once the page has chosen a pause of three to five seconds until its next request.

Tests check this pause instead of the time until the score is shown, because that time depends on the machine.
"""


@pytest.mark.slow
def test_a_watcher_sees_a_bid_within_five_seconds(open_phone: OpenPhone) -> None:
    """A watching phone shows a new bid within five seconds, without a tap.

    The page asks the server about every four seconds. The pause varies at random by up to a fifth.
    """
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
    """Without a signal, a watch page says when the score was last updated.

    Once the signal is back, the page shows the current score.
    """
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
    """While watching is turned off for a game, its open watch page says "Page not found" instead of the score.

    Once watching is turned on again, the page shows the score again.
    """
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
