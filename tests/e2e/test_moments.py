"""The board shows a set or a win once, and the phone vibrates once, with or without a signal; quiet mode stops this."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import press
from tests.e2e.test_offline import SWEEP, THEM, US, ready, score

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SET, WIN, SAVED = [80, 60, 160], [50, 60, 50, 60, 220], 40
FELT = """
window.felt = []; window.heard = 0;
navigator.vibrate = (pulses) => felt.push(pulses);
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { heard += 1; start.call(this, at); };
"""
NEARLY = record([hand(0, 4, 0, 0, 0, 0)] * 4 + [hand(0, 2, 0, 1, None, 0)])


def open_board(page: Page, server: Server, **settings: str) -> None:
    """Open a game that Ann and Cid are about to win, on a phone with these settings.

    `settings` maps the name of each setting to the value to choose on the settings page.
    """
    page.add_init_script(FELT)
    page.goto("/settings")
    for name, value in settings.items():
        press(page.locator(f"label:has([name={name}][value={value}])"))
        expect(page.get_by_role("status")).to_have_text("Saved.")
    page.goto(bring_in(page, server, NEARLY))
    ready(page)
    page.wait_for_function("() => [...document.styleSheets].some(({ href }) => href?.endsWith('moments.css'))")


@pytest.mark.parametrize("online", [True, False])
def test_a_set_and_a_win_are_felt_once(page: Page, server: Server, online: bool) -> None:
    open_board(page, server, sound="on")
    page.context.set_offline(not online)
    score(page, "Bob", 4, (US, THEM, THEM, THEM))
    expect(page.locator(".total.fell")).to_have_count(1)
    assert page.evaluate("() => felt.at(-1)") == SET
    tones = page.evaluate("() => heard")
    assert tones == 2
    score(page, "Ann", 4, SWEEP)
    expect(page.locator(".outcome")).to_be_visible()
    page.wait_for_function("() => heard > 2")
    page.context.set_offline(False)
    expect(page.get_by_text("More", exact=True)).to_be_visible()
    assert page.evaluate("() => felt.filter(Array.isArray)") == [SET, WIN]
    assert page.evaluate("() => heard") == 6


def test_nothing_is_felt_in_quiet_mode(page: Page, server: Server) -> None:
    open_board(page, server, sound="on", quiet="on")
    score(page, "Bob", 4, (US, THEM, THEM, THEM))
    expect(page.locator(".total.fell")).to_have_count(1)
    assert page.evaluate("() => [felt, heard]") == [[], 0]
    page.emulate_media(reduced_motion="no-preference")
    assert page.locator(".total.fell").evaluate("(card) => getComputedStyle(card).animationName") == "none"


def test_motion_is_only_for_phones_that_want_it(page: Page, server: Server) -> None:
    open_board(page, server)
    score(page, "Bob", 4, (US, THEM, THEM, THEM))
    card = page.locator(".total.fell")
    expect(card).to_have_css("animation-name", "none")
    page.emulate_media(reduced_motion="no-preference")
    expect(card).to_have_css("animation-name", "flinch")
    assert page.evaluate("() => heard") == 0
