"""Without a signal, a phone describes the effect of a hand in the same sentences as the server."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import choose, expect_totals, press_save, take_bid
from tests.e2e.test_offline import hands_of

if TYPE_CHECKING:
    from typing import Any

    from playwright.sync_api import Page

    from tests.support.server import Server

US, THEM = "Ann and Cid", "Bob and Dee"
FOUR_EACH = [hand(0, 4, 0, 0, 0, 0)] * 4
"""Four hands after which Ann and Cid have 16 points."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hands", "bidder", "took", "sentence"),
    [
        ([], "Ann", (US, US, US, THEM), f"Made it! {US} score 3, from 0 to 3. {THEM} score 1, from 0 to 1."),
        ([], "Bob", (US, THEM, US, US), f"Set! {THEM} lose 3, from 0 to −3. {US} score 3, from 0 to 3."),
        (
            [*FOUR_EACH, hand(0, 2, 0, 0, 1, 1)],
            "Cid",
            (US, US, US, THEM),
            f"{US} win. {US} made their bid of 3 and won 21 to 3. "
            f"Made it! {US} score 3, from 18 to 21. {THEM} score 1, from 2 to 3.",
        ),
        (
            [*FOUR_EACH, hand(1, 4, 0, 0, 1, 1)],
            "Cid",
            (US, US, US, THEM),
            f"{US} win. {US} made their bid of 3 and won 21 to −3. "
            f"Made it! {US} score 3, from 18 to 21. {THEM} score 1, from −4 to −3.",
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
    expect(page.locator(".in-full")).to_contain_text(sentence[-40:])
    brief = page.locator(".brief").inner_text()
    assert "→" in brief
    page.context.set_offline(False)
    expect(page.locator(".waiting")).to_contain_text("Saved.")
    expect(page.locator(".in-full")).to_contain_text(sentence[-40:])
    expect(page.locator(".last p")).to_have_text(brief, use_inner_text=True)


ROUND_TRIP = 1_200
"""Milliseconds between a request and its answer on a slow network."""


@pytest.mark.slow
def test_on_a_slow_network_save_needs_one_round_trip(page: Page, server: Server) -> None:
    """Between the bid and Save, the phone asks the server nothing, and the tap on Save saves at once."""
    page.goto(bring_in(page, server, record([*FOUR_EACH, hand(0, 2, 0, 0, 1, 1)])))
    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {urlsplit(request.url).path.split('/')[-1]}"))
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": ROUND_TRIP, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    for bidder, took, totals, taps in (
        ("Bob", (US, THEM, THEM, US), (20, -1), 1),
        ("Dee", (THEM, THEM, THEM, THEM), (20, 3), 1),
        # The hand ends the game, so there is a question first.
        ("Ann", (US, US, US, THEM), (23, 4), 2),
    ):
        take_bid(page, bidder, 3)
        asked.clear()
        choose(page, *took)
        press_save(page)
        expect_totals(page, *totals)
        assert [each for each in asked if each in {"GET preview", "POST hands"}] == ["POST hands"] * taps
    expect(page.locator(".outcome")).to_contain_text(f"{US} win")


@pytest.mark.slow
@pytest.mark.long
def test_fifty_hands_tapped_without_a_pause_on_a_slow_network_are_all_saved(page: Page, server: Server) -> None:
    """Whatever is tapped while the last hand is on its way is neither lost nor saved for another hand."""
    page.goto(bring_in(page, server, record([hand(0, 2, 0, 0, 1, 1)])))
    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": ROUND_TRIP, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    totals = [2, 2]
    for number in range(50):
        bidder, took = (("Ann", (US, THEM, THEM, US)), ("Bob", (THEM, US, US, THEM)))[number % 2]
        take_bid(page, bidder, 4)
        choose(page, *took)
        press_save(page)
        totals[number % 2] -= 4
        totals[1 - number % 2] += 2
    expect_totals(page, *totals)
    page.reload()
    expect_totals(page, *totals)
    assert len(hands_of(page, page.url)) == 51


OPTIONS = {"made_scores": "bid", "defenders_score": False, "forced_concede": True, "lose_at_minus": 2}


@pytest.mark.slow
def test_the_rules_of_a_table_are_told_off_line_too(page: Page, server: Server) -> None:
    """Sentences about a table's own house rules are the same offline as on the server.

    By these house rules, a bidder's side scores only its bid, defenders score nothing, and a side at −2 or lower loses.
    """
    ruleset = {"preset": "setback-21", "options": OPTIONS}
    page.goto(bring_in(page, server, record([hand(0, 2, 0, 0, 1, 1)] * 4, ruleset=ruleset)))
    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    page.context.set_offline(True)
    take_bid(page, "Bob", 2)
    choose(page, US, THEM, THEM, THEM)
    press_save(page)
    told = f"Made it! {THEM} score 2, from 0 to 2. They took 3, but only the bid counts. Defenders score nothing."
    expect(page.locator(".in-full")).to_contain_text(told)
    for name in ("Ann", "Bob"):
        page.get_by_role("button", name=f"{name} gives up (2)").click()
    expect(page.locator(".in-full")).to_contain_text(f"{THEM} give up the hand and lose 2, from 2 to 0.")
    page.get_by_role("button", name="Cid gives up (2)").click()
    page.get_by_role("button", name="Dee gives up (2)").click()
    lost = f"{THEM} are at −2, and −2 or lower loses."
    expect(page.locator(".outcome")).to_contain_text(lost)
    page.context.set_offline(False)
    expect(page.locator(".waiting")).to_contain_text("Saved.")
    page.reload()
    expect(page.locator(".outcome")).to_contain_text(lost)
