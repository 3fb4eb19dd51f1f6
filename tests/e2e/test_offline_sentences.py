"""A phone without signal says what a hand does in the same sentences as the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import choose, press_save, take_bid

if TYPE_CHECKING:
    from typing import Any

    from playwright.sync_api import Page

    from tests.support.server import Server

US, THEM = "Ann and Cid", "Bob and Dee"
FOUR_EACH = [hand(0, 4, 0, 0, 0, 0)] * 4
"""Ann and Cid have 16."""


@pytest.mark.parametrize(
    ("hands", "bidder", "took", "sentence"),
    [
        ([], "Ann", (US, US, US, THEM), f"{US} make 3, from 0 to 3. {THEM} score 1, from 0 to 1."),
        ([], "Bob", (US, THEM, US, US), f"Set! {THEM} lose 3, from 0 to −3. {US} score 3, from 0 to 3."),
        (
            [*FOUR_EACH, hand(0, 2, 0, 0, 1, 1)],
            "Cid",
            (US, US, US, THEM),
            f"{US} win. {US} made their bid of 3 and win 21-3. "
            f"{US} make 3, from 18 to 21. {THEM} score 1, from 2 to 3.",
        ),
        (
            [*FOUR_EACH, hand(1, 4, 0, 0, 1, 1)],
            "Cid",
            (US, US, US, THEM),
            f"{US} win. {US} made their bid of 3 and win 21 to −3. "
            f"{US} make 3, from 18 to 21. {THEM} score 1, from −4 to −3.",
        ),
    ],
)
def test_a_hand_is_told_alike_on_line_and_off_line(
    page: Page, server: Server, hands: list[dict[str, Any]], bidder: str, took: tuple[str, ...], sentence: str
) -> None:
    page.goto(bring_in(page, server, record(hands)))
    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    told = page.locator(".preview").filter(visible=True)
    take_bid(page, bidder, 3)
    choose(page, *took)
    expect(told).to_have_text(sentence)
    page.context.set_offline(True)
    choose(page, took[0], took[1], took[2], US if took[3] == THEM else THEM)
    expect(told).not_to_have_text(sentence)
    choose(page, *took)
    expect(told).to_have_text(sentence)
    press_save(page)
    expect(page.locator(".last")).to_contain_text(sentence[-40:])
    page.context.set_offline(False)
    expect(page.locator(".waiting")).to_contain_text("Saved.")
    expect(page.locator(".last")).to_contain_text(sentence[-40:])
