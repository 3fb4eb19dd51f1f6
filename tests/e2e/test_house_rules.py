"""House rules are chosen, saved, used again and changed on a phone, and a score is adjusted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import choose, expect_totals, press, press_save, unfold_games

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = pytest.mark.browser

A, B = "Ann and Cid", "Bob and Dee"
NAMES = ("Ann", "Bob", "Cid", "Dee")


@pytest.mark.slow
def test_saved_house_rules_are_used_again(page: Page) -> None:
    choose_game(page, "Setback")
    press(page.get_by_text("House rules", exact=True))
    press(switch(page, "Dealer may match the high bid", "Yes"))
    unfold(page, "Winning")
    page.get_by_label("Play to", exact=True).fill("5")
    page.get_by_label("Name these rules").fill("Tuesday")
    press(page.get_by_role("button", name="Save", exact=True))
    tuesday = page.get_by_role("group", name="Saved house rules").get_by_role("button")
    expect(tuesday).to_be_visible()

    # Another day, another game chosen before: one tap brings them back.
    choose_game(page, "Setback with bowers")
    expect(tuesday).to_have_text(re.compile(r"^Tuesday\s*Setback\. The dealer may match the high bid\. Played to 5\."))
    press(tuesday)
    expect(tuesday).to_have_attribute("aria-pressed", "true")
    for seat, name in enumerate(NAMES, 1):
        page.get_by_role("combobox", name=re.compile(f"^Seat {seat}\\b")).fill(name)
    press(page.get_by_role("radio", name="Seat 4 Dealer"))
    press(page.get_by_role("button", name="Start the game"))

    # They are played: Dee takes Ann's 3 with a 3, and 5 is enough.
    press(page.get_by_role("link", name="Bid player by player"))
    for call in ("Ann bids 3", "Bob: Pass", "Cid: Pass", "Dee bids 3"):
        press(page.get_by_role("button", name=call))
    expect(page.locator(".in-play")).to_contain_text("Dee bid 3")
    choose(page, B, B, B, A)
    press(page.get_by_role("button", name="Save", exact=True))
    expect_totals(page, 1, 3)
    for call in ("Bob bids 2", "Cid: Pass", "Dee: Pass", "Ann: Pass"):
        press(page.get_by_role("button", name=call))
    choose(page, B, B, "", A)
    press_save(page)
    expect_totals(page, 2, 5)
    expect(page.get_by_role("heading", name=f"{B} win")).to_be_visible()

    # And they stand on the rule card.
    press(page.locator("a[href$='/rules']").first)
    rows = page.get_by_role("region", name="House rules").get_by_role("row")
    expect(rows).to_have_text(
        [
            re.compile(r"^Usually\s*At this table$"),
            re.compile(r"^The dealer may not match the high bid\.\s*The dealer may match the high bid\.$"),
            re.compile(r"^Played to 21\.\s*Played to 5\.$"),
        ]
    )


def test_the_form_says_what_differs_while_it_is_filled_in(page: Page) -> None:
    choose_game(page, "Setback")
    press(page.get_by_text("House rules", exact=True))
    form = page.locator("[data-house-rules]")
    differences = form.locator(".differs").get_by_role("listitem")
    expect(form.get_by_text("You play by the usual rules.")).to_be_visible()

    press(switch(page, "Draw", "Yes"))
    unfold(page, "Winning")
    page.get_by_label("Play to", exact=True).fill("31")
    page.get_by_label("Ties at the end").select_option(label="the bidder wins")
    expect(differences).to_have_text(
        [re.compile("^Draw: after the deal, "), "Played to 31.", "Tied at the end: the bidder wins."]
    )
    press(switch(page, "Draw", "No"))
    page.get_by_label("Ties at the end").select_option(label="play on")
    # The pages beside the form show these rules, too.
    sheet, card = (page.get_by_role("link", name=name) for name in ("Print a blank score sheet", "Rule card"))
    expect(sheet).to_have_attribute("href", re.compile(r"\?players=4p&rule-target=31$"))
    press(card)
    expect(page.get_by_role("region", name="House rules")).to_contain_text("Played to 31.")
    page.go_back()
    press(page.get_by_text("House rules", exact=True))
    unfold(page, "Winning")
    expect(page.get_by_label("Play to", exact=True)).to_have_value("31")
    page.get_by_label("Play to", exact=True).fill("21")
    expect(differences).to_have_count(0)
    expect(card).to_have_attribute("href", re.compile(r"/rules/setback-21\??$"))
    expect(form.get_by_text("You play by the usual rules.")).to_be_visible()


def test_a_rule_is_found_by_its_name(page: Page) -> None:
    choose_game(page, "Setback")
    press(page.get_by_text("House rules", exact=True))
    search = page.get_by_label("Find a rule")
    search.fill("STUCK")
    expect(page.get_by_label("Dealer stuck with")).to_be_visible()
    expect(page.get_by_label("Lowest bid allowed")).to_be_hidden()
    expect(page.locator("details.group:visible")).to_have_count(1)
    search.press("Enter")
    expect(page).to_have_url(re.compile("/games/new"))
    search.fill("chess")
    expect(page.get_by_text("No rule found.")).to_be_visible()
    search.fill("")
    expect(page.locator("details.group:visible")).to_have_count(3)
    expect(page.locator("details.group[open]")).to_have_count(0)


def test_house_rules_are_chosen_without_javascript(open_phone: OpenPhone) -> None:
    page = open_phone(javascript=False)
    choose_game(page, "Setback")
    press(page.get_by_text("House rules", exact=True))
    expect(page.get_by_label("Find a rule")).to_be_hidden()
    press(page.get_by_text("Well-known house rules"))
    press(page.get_by_role("button", name="Connecticut, all variations"))
    expect(page.locator(".differs").get_by_role("listitem")).to_have_count(4)
    expect(switch(page, "Trump any time", "Yes")).to_be_checked()
    press(page.get_by_role("button", name="Use the usual rules"))
    expect(page.get_by_text("You play by the usual rules.")).to_be_visible()
    expect(switch(page, "Trump any time", "No")).to_be_checked()


@pytest.mark.slow
def test_a_house_rule_is_changed_in_the_middle_of_a_game(page: Page, server: Server) -> None:
    # Ann's 3 set: −3 to 2. Bob's 2 made: −2 to 5. Ann's 4 set: −6 to 6.
    hands = [hand(0, 3, 0, 0, 1, 1), hand(1, 2, 0, 1, 1, 1), hand(0, 4, 0, 0, 0, 1)]
    page.goto(bring_in(page, server, record(hands)))
    expect_totals(page, -6, 6)
    press(page.get_by_role("link", name="Menu", exact=True))
    press(page.get_by_role("link", name="House rules"))
    unfold(page, "Points")
    page.get_by_label("Scores below zero", exact=True).select_option(label="no")
    press(page.get_by_role("button", name="Review"))

    # Set, the score stops at 0; 1 for Ann's side in the second hand, lost again in the third.
    effect = page.get_by_role("region", name="With these rules")
    expect(effect.get_by_role("row").filter(has=page.get_by_role("cell"))).to_have_text(
        [
            re.compile(r"^1\s*−3 to 2\s*0 to 2$"),
            re.compile(r"^2\s*−2 to 5\s*1 to 5$"),
            re.compile(r"^3\s*−6 to 6\s*0 to 6$"),
        ]
    )
    expect(effect).to_contain_text("New score: 0 to 6. Game continues.")
    press(effect.get_by_role("button", name="Save rules"))
    expect_totals(page, 0, 6)
    press(page.get_by_role("link", name="History"))
    expect(page.get_by_role("listitem").first).to_contain_text("House rules changed.")


def test_a_rule_that_ends_the_game_earlier_says_so_first(page: Page, server: Server) -> None:
    page.goto(bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 3)))
    expect_totals(page, 12, 0)
    press(page.get_by_role("link", name="Menu", exact=True))
    press(page.get_by_role("link", name="House rules"))
    unfold(page, "Winning")
    page.get_by_label("Play to", exact=True).fill("8")
    press(page.get_by_role("button", name="Review"))
    effect = page.get_by_role("region", name="With these rules")
    expect(effect).to_contain_text("doesn't count")
    expect(effect).to_contain_text(f"{A} win. {A} made their bid of 4 and won 8 to 0.")
    press(effect.get_by_role("button", name="Save rules"))
    expect_totals(page, 8, 0)
    expect(page.get_by_role("heading", name=f"{A} win")).to_be_visible()


@pytest.mark.slow
def test_a_hand_is_adjusted(page: Page, server: Server) -> None:
    # 3 to 1, then 5 to 3. Bob revoked in the second hand: Bob's side gives back the 2 it took.
    page.goto(bring_in(page, server, record([hand(0, 3, 0, 0, 0, 1), hand(1, 2, 1, 1, 0, 0)])))
    expect_totals(page, 5, 3)
    press(page.get_by_role("link", name="Menu", exact=True))
    press(page.get_by_role("link", name="Adjust the score"))
    press(page.get_by_role("group", name="Whose score").get_by_role("radio", name=B))
    press(page.get_by_role("radio", name="Subtract points"))
    page.get_by_label("How many points").fill("2")
    page.get_by_label("Reason (shown on the score sheet)").fill("Bob revoked in hand 2")
    press(page.get_by_role("button", name="Review"))
    effect = page.get_by_role("region", name="With this adjustment")
    expect(effect.get_by_role("row").last).to_have_text(re.compile(r"^2\s*5 to 3\s*5 to 1$"))
    press(effect.get_by_role("button", name="Save"))
    expect_totals(page, 5, 1)
    sheet = page.get_by_role("region", name="Hands")
    expect(sheet.get_by_role("row").nth(1)).to_contain_text("Bob revoked in hand 2")

    # One tap takes it back, the hand stays.
    press(page.get_by_role("button", name="Undo adjustment"))
    expect_totals(page, 5, 3)
    press(page.get_by_role("button", name="Redo adjustment"))
    expect_totals(page, 5, 1)


def switch(page: Page, rule: str, answer: str) -> Locator:
    """Return the button that chooses `answer` for a house rule.

    `rule` is the label of the house rule, which must be one of the most common rules.
    """
    return page.get_by_role("radiogroup", name=rule).get_by_role("radio", name=answer, exact=True)


def unfold(page: Page, group: str) -> None:
    """Expand a collapsed group of house rules."""
    press(page.locator("details.group > summary").get_by_text(group, exact=True))


def choose_game(page: Page, name: str) -> None:
    """Choose a game on the new-game page."""
    page.goto("/games/new")
    unfold_games(page)
    press(page.get_by_role("button").filter(has=page.get_by_text(name, exact=True)))
    expect(page.locator("details.picked:not([open]) > summary b")).to_have_text(name)
