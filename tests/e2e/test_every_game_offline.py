"""Games that no other test plays offline are played to the end without a signal. The server gets the same scores."""

from __future__ import annotations

import os
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from scorekeeper.leagues.transfer.demo_data import deals
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.table import Table, set_table
from tests.bench.taps import MOST, chosen
from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import press
from tests.e2e.test_offline import badge, hands_of, ready, worker_ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

PLAYERS = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
OLD = {"setback-21", "bowers-12", "setback-7", "setback-7-pitch", "pitch-11", "auction-pitch-7", "somerset-66"}
"""Games that are left out here, because other browser tests play them without a signal."""
GAMES = [key for key in MOST if key[0] not in OLD]
if not os.environ.get("SCOREKEEPER_EVERY_GAME"):
    GAMES = GAMES[::3]


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("preset", "players"), GAMES)
def test_a_game_to_its_end_without_a_signal(page: Page, server: Server, preset: str, players: int) -> None:
    """A game can be played to its end without a signal, with at most the allowed number of taps for each hand.

    Once the signal is back, the server has each hand once, and its totals are those that the phone showed.
    """
    table = set_table(PRESETS[preset], players)
    path = bring_in(page, server, record(preset=preset, players=PLAYERS[:players], sides=table.sides))
    page.goto(path)
    ready(page)
    worker_ready(page)
    page.context.set_offline(True)
    taps, dealt = [], deals(table, Random(preset))
    for number in count(1):
        taps.append(play(page, table, next(dealt), number))
        expect(badge(page)).to_contain_text(f"{number} hand")
        if page.locator(".outcome").is_visible():
            break
    assert max(taps) <= MOST[preset, players]
    shown = page.locator("p.score").all_text_contents()
    won = page.locator(".outcome h1, .outcome h2").first.text_content()
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    page.reload()
    assert page.locator("p.score").all_text_contents() == shown
    assert page.locator(".outcome h1, .outcome h2").first.text_content() == won
    assert len(hands_of(page, path)) == len(taps)


def play(page: Page, table: Table, hand: dict[str, Any], number: int) -> int:
    """Enter hand `number` by taps and return the number of taps.

    The tap that confirms an unusual hand isn't counted.
    """
    taps = 0

    def tap(what: str) -> None:
        nonlocal taps
        press(page.locator(what).first)
        taps += 1

    if table.rules.has_bids:
        pad = f".bid-pad label:has(input[name=bidder][value='{hand['bidder']}'])"
        page.locator(".entry").first.wait_for()
        if page.locator(pad).count():
            tap(pad)
            tap(f".bid-pad button[name=bid][value='{hand['bid']}']")
        else:
            tap(f"button[name=call][value='{hand['bidder']}:{hand['bid']}']")
    page.locator("form.took-what").wait_for()
    for choice in chosen(table, hand):
        radio = page.locator(f".took-what input{choice}").first
        if radio.count() and not radio.is_checked():
            tap(f".took-what label:has(input{choice})")
    save = ".took-what .bar:not(.asks) button.main"
    page.locator(save, has_text="Save").first.wait_for()
    tap(f"{save} >> visible=true")
    sure = page.get_by_role("button", name="Yes, save it")
    saved = badge(page).get_by_text(f"{number} hand")
    sure.or_(saved).first.wait_for()
    if sure.is_visible():
        press(sure)
        saved.wait_for()
    return taps
