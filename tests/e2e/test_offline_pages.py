"""A game without a signal has its menu, rule card, history, corrections, undo and auction; changes are sent later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import choose, expect_totals, owner_of, press, press_save, take_bid
from tests.e2e.test_offline import SWEEP, THEM, TWO, US, badge, hands_of, open_game, ready, score, worker_ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = pytest.mark.slow


def lose_signal(page: Page, server: Server, hands: list[dict[str, Any]] = TWO) -> str:
    """Open a game with these hands, cut the signal, and return the game's path."""
    path = open_game(page, server, hands)
    worker_ready(page)
    page.context.set_offline(True)
    return path


def back_online(page: Page) -> None:
    """Restore the signal, and wait until the page says that everything is saved."""
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")


def on_board(page: Page) -> None:
    """Wait until the board is shown."""
    expect(page.locator(".totals")).to_be_visible()


def logged(page: Page) -> list[str]:
    """Return the entries of the history on the screen, newest first, without their times."""
    lines = page.locator("ol.log li").all()
    return [" ".join(line.locator("p b, dt, dd").all_inner_texts()) for line in lines]


def test_a_saved_hand_is_undone(page: Page, server: Server) -> None:
    path = lose_signal(page, server)
    press(page.get_by_role("button", name="Undo hand 2"))
    expect_totals(page, 3, 1)
    expect(page.locator(".in-full")).to_contain_text("Hand 2 undone. Ann and Cid 3, Bob and Dee 1.")
    expect(badge(page)).to_contain_text("1 change waiting")
    press(page.get_by_role("button", name="Redo hand 2"))
    expect(badge(page)).to_be_hidden()
    expect_totals(page, 5, 3)
    press(page.get_by_role("button", name="Undo hand 2"))
    score(page, "Bob", 3, (THEM, THEM, THEM, US))
    expect_totals(page, 4, 4)
    back_online(page)
    expect_totals(page, 4, 4)
    assert [each["bid"] for each in hands_of(page, path)] == [3, 3]


def test_any_hand_is_corrected(page: Page, server: Server) -> None:
    """Without a signal, both a saved hand and a waiting one can be corrected.

    The page first shows what the correction would change, as it does with a signal.
    """
    path = lose_signal(page, server)
    score(page, "Ann", 4, SWEEP)
    press(page.get_by_role("link", name="Correct hand 1", exact=True))
    expect(page.get_by_role("heading", name="Correct hand 1")).to_be_visible()
    expect(page.locator(".said")).to_have_text("Dee dealt, Ann bid 3. Ann and Cid: High, Low, Jack. Bob and Dee: Game.")
    press(owner_of(page, "Jack", THEM))
    press(page.get_by_role("button", name="Review").and_(page.locator(".main")))
    effect = page.locator(".effect")
    expect(effect.locator("tbody tr").first).to_contain_text("3 to 1")
    expect(effect.locator("tbody tr").first).to_contain_text("−3 to 2")
    expect(effect).to_contain_text("Game continues.")
    press(effect.get_by_role("button", name="Save"))
    on_board(page)
    expect(page.locator(".last")).to_contain_text("Hand 1 corrected.")
    expect(badge(page)).to_contain_text("2 changes waiting")
    press(page.get_by_role("link", name="Correct hand 3", exact=True))
    press(owner_of(page, "Low", THEM))
    press(page.get_by_role("button", name="Review").and_(page.locator(".main")))
    press(page.locator(".effect").get_by_role("button", name="Save"))
    on_board(page)
    there = page.locator(".total .score").all_inner_texts()
    back_online(page)
    expect(page.locator(".total .score")).to_have_text(there)
    saved = hands_of(page, path)
    assert [each["points"]["jack"] for each in saved] == [1, 1, 0]
    assert saved[2]["points"]["low"] == 1


def test_the_history_tells_the_same(page: Page, server: Server) -> None:
    path = lose_signal(page, server)
    score(page, "Ann", 4, SWEEP)
    press(page.get_by_role("link", name="Correct hand 2", exact=True))
    press(owner_of(page, "Game", THEM))
    press(page.get_by_role("button", name="Review").and_(page.locator(".main")))
    press(page.locator(".effect").get_by_role("button", name="Save"))
    on_board(page)
    press(page.get_by_role("link", name="Menu"))
    press(page.get_by_text("Change dealer").first)
    press(page.get_by_role("group", name="Dealer for this hand").get_by_role("radio", name="Dee"))
    press(page.get_by_role("button", name="Change dealer"))
    on_board(page)
    press(page.get_by_role("link", name="History"))
    expect(page.get_by_role("heading", name="Game history")).to_be_visible()
    offline = logged(page)
    press(page.get_by_role("link", name="Back to the game"))
    on_board(page)
    back_online(page)
    page.goto(f"{path}/log")
    assert logged(page)[: len(offline)] == offline


def test_the_menu_works(page: Page, server: Server) -> None:
    """Without a signal, a game's menu offers what the phone can do alone, such as adjusting the score or conceding.

    For everything else, the page says that it needs a signal.
    """
    path = lose_signal(page, server)
    press(page.get_by_role("link", name="Menu"))
    expect(page.get_by_role("heading", name="Game menu")).to_be_visible()
    press(page.get_by_role("link", name="Adjust the score"))
    press(page.get_by_role("button", name="Review"))
    expect(page.get_by_role("alert")).to_have_text("Choose whose score to change.")
    press(page.get_by_role("radio", name=THEM))
    page.get_by_label("How many points").fill("2")
    page.get_by_label("Reason").fill("a revoke")
    press(page.get_by_role("button", name="Review"))
    press(page.locator(".effect").get_by_role("button", name="Save"))
    on_board(page)
    expect_totals(page, 5, 1)
    press(page.get_by_role("link", name="Menu"))
    press(page.get_by_text("Change names"))
    press(page.get_by_role("button", name="Save names"))
    expect(page.locator("[data-why]")).to_contain_text("needs a signal")
    press(page.get_by_role("link", name="Rule card"))
    expect(page.get_by_role("heading", name="Bidding")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Game menu")).to_be_visible()
    press(page.get_by_text("Concede", exact=True))
    press(page.get_by_role("button", name="Bob and Dee concede"))
    expect(page.locator(".effect")).to_contain_text("Ann and Cid win. Bob and Dee conceded.")
    press(page.get_by_role("button", name="End game"))
    expect(page.locator(".outcome h2")).to_have_text("Ann and Cid win")
    back_online(page)
    expect(page.locator(".outcome h2")).to_have_text("Ann and Cid win")
    record = page.request.get(f"{path}/record.json").json()
    assert (record["winner"], record["ended_by"]) == (0, "conceded")


def test_the_bidding_is_entered_player_by_player(page: Page, server: Server) -> None:
    """Without a signal, the bidding can be entered call by call, even after a reload.

    Once the signal is back, the server gets every call.
    """
    path = lose_signal(page, server)
    score(page, "Ann", 4, SWEEP)
    press(page.get_by_role("link", name="Bid player by player"))
    turn = page.locator(".turn")
    expect(turn).to_contain_text("Dee's turn")
    press(page.get_by_role("button", name="Dee bids 2"))
    expect(turn).to_contain_text("High bid: 2 (Dee).")
    page.reload()
    expect(turn).to_contain_text("Ann's turn")
    expect(page.get_by_role("button", name="Ann bids 2")).not_to_be_attached()
    press(page.get_by_role("button", name="Undo last bid"))
    press(page.get_by_role("button", name="Dee bids 3"))
    for _name in ("Ann", "Bob", "Cid"):
        press(page.get_by_role("button", name="Pass"))
    choose(page, THEM, THEM, THEM, US)
    press_save(page)
    expect_totals(page, 10, 6)
    back_online(page)
    assert hands_of(page, path)[-1]["calls"] == [3, "pass", "pass", "pass"]


def test_a_page_opens_from_a_cold_start(page: Page, server: Server) -> None:
    path = lose_signal(page, server)
    score(page, "Ann", 4, SWEEP)
    context = page.context
    page.close()
    page = context.new_page()
    page.goto(f"{path}/table")
    expect(page.get_by_role("heading", name="Game menu")).to_be_visible()
    press(page.get_by_role("link", name="Back to the game"))
    expect_totals(page, 9, 3)
    ready(page)


def test_where_the_ten_is_game_only_trumps_are_counted(page: Page, server: Server) -> None:
    """Without a signal, Pedro's card count shows only trumps, including the off five (the five of the same color).

    The count can't tell which player was dealt the lowest trump, so a player chooses the winner of Low at the points
    step.
    """
    path = bring_in(page, server, record(preset="pedro-62"))
    page.goto(path)
    ready(page)
    worker_ready(page)
    page.context.set_offline(True)
    press(page.get_by_role("radio", name="hearts"))
    press(page.locator(".bid-pad input[name=bidder][value='0']"))
    press(page.locator("button[name=bid][value='6']"))
    press(page.get_by_role("link", name="Count the cards"))
    expect(page.get_by_role("heading", name="Count the cards")).to_be_visible()
    expect(page.locator(".card")).to_have_count(14)
    expect(page.get_by_role("link", name="Just count Game")).to_be_hidden()
    for card, taps in (("Ace of hearts", 1), ("Ten of hearts", 1), ("5 of diamonds", 1), ("5 of hearts", 2)):
        for _tap in range(taps):
            page.get_by_role("group", name=card).click()
    press(page.get_by_role("button", name="Use this count"))
    on_board(page)
    for point, side in {
        "High A♥": US,
        "Jack J♥": "not out",
        "Game 10♥": US,
        "Five 5♥": THEM,
        "Off five 5♦": US,
    }.items():
        group = page.get_by_role("group", name=point, exact=True)
        expect(group.get_by_role("radio", name=side, exact=True)).to_be_checked()
    press(page.get_by_role("group", name="Low", exact=True).get_by_role("radio", name=THEM, exact=True))
    press_save(page)
    expect_totals(page, 7, 6)
    back_online(page)
    expect_totals(page, 7, 6)
    assert hands_of(page, path)[-1]["points"]["off_five"] == 0


@pytest.mark.slow
def test_a_count_says_the_same_without_a_signal(page: Page, server: Server) -> None:
    """In ten-point pitch, an offline card count fills in the points step exactly as an online count does.

    Both counts choose the same winners, and show the same cards beside the points.
    """
    path = bring_in(page, server, record(preset="ten-point-52"))
    page.goto(path)
    ready(page)
    worker_ready(page)
    press(page.get_by_role("radio", name="hearts"))
    press(page.locator(".bid-pad input[name=bidder][value='0']"))
    press(page.locator("button[name=bid][value='4']"))
    told = []
    for offline in (False, True):
        page.context.set_offline(offline)
        page.goto(path)
        press(page.get_by_role("link", name="Count the cards"))
        for card, taps in (("Ace of hearts", 1), ("Jack of diamonds", 2), ("High joker", 2), ("Ten of hearts", 1)):
            for _tap in range(taps):
                page.get_by_role("group", name=card).click()
        press(page.get_by_role("button", name="Use this count"))
        on_board(page)
        chosen = page.locator(".points fieldset:has(:checked)")
        told.append([row.inner_text() + (row.locator(":checked").get_attribute("value") or "") for row in chosen.all()])
    assert told[0] == told[1]
    legends = [" ".join(legend.split()) for legend in page.locator(".points legend").all_text_contents()]
    assert {"Ace A♥", "Jack J♥", "Off jack J♦", "High joker", "Ten 10♥", "Two"} <= set(legends)


def test_the_cards_are_counted(page: Page, server: Server) -> None:
    """Without a signal, a card count fills in the points step.

    Once the signal is back, the server gets the counted cards with the hand.
    """
    path = lose_signal(page, server)
    press(page.get_by_role("radio", name="spades"))
    take_bid(page, "Ann", 2)
    press(page.get_by_role("link", name="Count the cards"))
    expect(page.get_by_role("heading", name="Count the cards")).to_be_visible()
    for card, taps in (("Ace of spades", 1), ("2 of spades", 2), ("Jack of spades", 2), ("Ten of hearts", 1)):
        for _tap in range(taps):
            page.get_by_role("group", name=card).click()
    press(page.get_by_role("button", name="Use this count"))
    on_board(page)
    press_save(page)
    expect_totals(page, 7, 5)
    back_online(page)
    saved = hands_of(page, path)[-1]
    assert saved["points"] == {"high": 0, "low": 1, "jack": 1, "game": 0}
    assert sorted(map(sorted, saved["captured"])) == [["2S", "JS"], ["AS", "TH"]]
