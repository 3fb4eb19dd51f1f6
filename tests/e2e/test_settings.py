"""Settings of a phone: theme, screen, announcements, and vibration when a hand is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import press, start_game, take_bid
from tests.e2e.test_offline import ready

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOUR = ("Ann", "Bob", "Cid", "Dee")
LISTEN = """() => {
  window.asked = [];
  window.felt = [];
  const real = navigator.wakeLock.request.bind(navigator.wakeLock);
  navigator.wakeLock.request = async (kind) => {
    const lock = await real(kind);
    window.asked.push([kind, lock.released]);
    window.lock = lock;
    return lock;
  };
  const vibrate = navigator.vibrate.bind(navigator);
  navigator.vibrate = (pattern) => { window.felt.push([pattern, vibrate(pattern)]); };
}"""
"""JavaScript that records requests for a wake lock and for vibration, and passes them on."""


def listen(page: Page) -> None:
    """Make each page that is opened from now on record its requests for a wake lock and for vibration."""
    page.add_init_script(f"({LISTEN})()")


def save_hand(page: Page) -> None:
    """Save a hand in which Ann bids 2. For each point, choose the first of the possible winners."""
    take_bid(page, "Ann", 2)
    for row in page.locator("[data-mode=points] fieldset:not(.trumps)").all():
        press(row.get_by_role("radio").first)
    press(page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_role("heading", name="Winning bid")).to_be_attached()


def voice(page: Page) -> Locator:
    """Return the element with the text that screen readers announce."""
    return page.locator(".says")


def test_a_chosen_theme_overrides_the_system(open_phone: OpenPhone) -> None:
    """A theme chosen on the settings page overrides the system's theme, even without JavaScript."""
    for dark in (False, True):
        phone = open_phone(javascript=False, dark=dark)
        phone.goto("/settings")
        before = background(phone)
        press(phone.get_by_role("radio", name="Light" if dark else "Dark"))
        press(phone.get_by_role("button", name="Save"))
        expect(phone.get_by_role("link", name="New game")).to_be_visible()
        assert background(phone) != before
        assert phone.evaluate("getComputedStyle(document.documentElement).colorScheme") == ("light" if dark else "dark")


def test_a_setting_is_saved_as_soon_as_it_changes(page: Page) -> None:
    page.goto("/settings")
    press(page.get_by_role("group", name="Vibrate").get_by_role("radio", name="Off"))
    expect(page.get_by_role("status")).to_have_text("Saved.")
    page.reload()
    expect(page.get_by_role("group", name="Vibrate").get_by_role("radio", name="Off")).to_be_checked()
    before = background(page)
    press(page.get_by_role("radio", name="Dark"))
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert background(page) != before
    press(page.get_by_role("button", name="Done"))
    expect(page.get_by_role("link", name="New game")).to_be_visible()


def background(page: Page) -> str:
    """Return the background color of the page."""
    color: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return color


def test_the_screen_stays_on_during_a_game(page: Page) -> None:
    """A game's page asks for a wake lock, and asks again when the page is shown after it was hidden."""
    listen(page)
    start_game(page, "Setback", FOUR)
    expect_asked(page, 1)
    page.evaluate("() => { lock.release(); document.dispatchEvent(new Event('visibilitychange')); }")
    expect_asked(page, 2)
    press(page.get_by_role("link", name="History"))
    expect(page.get_by_role("heading", name="Game history")).to_be_visible()
    assert page.evaluate("() => asked") == []


def test_the_screen_may_turn_off_after_the_end(page: Page, server: Server) -> None:
    """After the end of a game, the page doesn't ask for a wake lock until the last hand is undone."""
    listen(page)
    page.goto(bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 6)))
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    ready(page)
    assert page.evaluate("() => asked") == []
    press(page.get_by_role("button", name="Undo hand 6"))
    expect(page.get_by_role("heading", name="Winning bid")).to_be_attached()
    expect_asked(page, 1)


def expect_asked(page: Page, times: int) -> None:
    """Check that the page asked for a wake lock `times` times, and got one each time."""
    page.wait_for_function("times => asked.length >= times", arg=times)
    assert page.evaluate("() => asked") == [["screen", False]] * times


def test_the_page_works_without_a_wake_lock(page: Page) -> None:
    """A game can be started in a browser that has no wake locks. Browsers have none with plain HTTP."""
    page.add_init_script("delete Navigator.prototype.wakeLock")
    start_game(page, "Setback", FOUR)
    expect(page.get_by_role("heading", name="Winning bid")).to_be_attached()


def test_a_saved_hand_vibrates_and_is_announced_once(page: Page, server: Server) -> None:
    """When a hand is saved, the phone vibrates once and announces the hand once, not again after a reload.

    An undo is announced, but the phone doesn't vibrate.
    """
    listen(page)
    page.goto(bring_in(page, server, record([hand(0, 2, 0, 1, None, 0)])))
    expect(voice(page)).to_be_empty()
    save_hand(page)
    expect(voice(page)).to_have_text(page.locator(".in-full").inner_text())
    assert page.evaluate("() => felt") == [[40, True]]
    page.reload()
    ready(page)
    expect(voice(page)).to_be_empty()
    assert page.evaluate("() => felt") == []
    press(page.get_by_role("button", name="Undo hand 2"))
    expect(voice(page)).to_contain_text("Hand 2 undone.")
    assert page.evaluate("() => felt") == []


def test_a_refused_hand_does_not_vibrate(page: Page, server: Server) -> None:
    """The phone doesn't vibrate if the server refuses a hand because another phone changed the game first."""
    listen(page)
    page.goto(bring_in(page, server, record()))
    take_bid(page, "Ann", 2)
    page.locator("form.took-what").evaluate("form => { form.elements.version.value = 1; form.requestSubmit(); }")
    expect(page.get_by_text("Someone else changed the game first")).to_be_visible()
    expect(page.locator("main[data-drawing]")).to_have_count(0)
    ready(page)
    assert page.evaluate("() => felt") == []


def test_a_watch_page_announces_changes_and_does_not_move_focus(open_phone: OpenPhone, server: Server) -> None:
    """A watch page announces each change once, and the focus stays on the same link."""
    table, watcher = open_phone(), open_phone()
    table.goto(bring_in(table, server, record()))
    watcher.goto(table.url.replace("/games/", "/watch/"))
    watcher.evaluate("""() => {
      window.said = [];
      new MutationObserver((all) => all.forEach(() => said.push(document.querySelector(".says").textContent)))
        .observe(document.querySelector(".says"), { childList: true });
    }""")
    link = watcher.get_by_role("link", name="Rule card")
    link.focus()
    take_bid(table, "Bob", 3)
    watcher.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(voice(watcher)).to_have_text("Bob bid 3")
    expect(link).to_be_focused()
    assert watcher.evaluate("() => said") == ["Bob bid 3"]
