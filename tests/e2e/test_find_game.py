"""The search for a game shows results while a person types, and finds the same games as a search on the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.pocket import PREPARED

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TYPED = (
    *("setback", "Schmier", "schmir", "PÍDRO", "high low jack", "pitch with jokers", "10 point pitch", "hilojack"),
    *(
        "cnich",
        "canasta",
        "don",
        "nine-card Don",
        "constructor",
        "five",
        "52",
        "st paul",
        "smear to 52",
        "some'r'set",
        "(",
        "a",
        "1",
        "xcinch",
        "pitch and",
    ),
)
SEEN = "[name=choose]:visible"


def found(page: Page) -> set[str]:
    told: list[str] = page.eval_on_selector_all(
        "[name=choose]", "all => all.filter((each) => each.checkVisibility()).map((each) => each.value)"
    )
    return set(told)


@pytest.mark.parametrize("players", ["", "6"])
def test_typing_finds_what_the_server_finds(open_phone: OpenPhone, players: str) -> None:
    typing, asking = open_phone(), open_phone(javascript=False)
    typing.goto("/games/new")
    expect(typing.locator(".find-game > button")).to_be_hidden()  # by the script
    typing.select_option("#find-players", players)
    for text in TYPED:
        asking.goto("/games/new")
        asking.fill("#find", text)
        asking.select_option("#find-players", players)
        with asking.expect_navigation(url="**find=**"):
            asking.click(".find-game > button")
        shown = {str(each.get_attribute("value")) for each in asking.locator(SEEN).all()}
        typing.fill("#find", text)
        assert found(typing) == shown, text
        told = typing.locator(".find-game .none").inner_text()
        assert told == asking.locator(".find-game .none").inner_text(), text
        nothing = told != ""
        assert nothing == (not shown), text
    typing.fill("#find", "")
    typing.select_option("#find-players", "")
    assert len(found(typing)) > 20, "all games are back"


def test_own_rules_start_from_the_nearest_game(open_phone: OpenPhone) -> None:
    """If the search finds no game, the player can start with the house rules of the most similar game and change them.

    Player names that were already typed stay in the form. Pressing Enter in the search field doesn't start a game.
    """
    page = open_phone()
    page.goto("/games/new")
    expect(page.locator(".find-game > button")).to_be_hidden()
    page.fill("#seat-0", "Ann")
    page.fill("#find", "bourré")
    page.press("#find", "Enter")
    expect(page.locator(".find-game .none")).to_have_text("No game found by that name.")
    page.select_option("#find-players", "5")
    expect(page.locator(".find-game .none")).to_have_text("No game found by that name for that many players.")
    page.tap("[name=build]")
    expect(page.locator("#house-rules")).to_have_attribute("open", "")
    expect(page.locator(".seats > .seat")).to_have_count(5)
    assert page.input_value("#seat-0") == "Ann"
    expect(page.locator("#house-rules [role=status]")).to_contain_text("is nearest to what you looked for")


def test_without_a_signal_all_games_are_in_sight(open_phone: OpenPhone) -> None:
    """Without a signal, the new-game page lists all games that the phone can start, and has no search."""
    page = open_phone()
    page.goto("/games/new")
    page.wait_for_function(PREPARED)
    page.context.set_offline(True)
    page.goto("/games/new")
    assert page.locator("#find").count() == 0
    assert found(page) >= {"setback-21", "pitch-11", "somerset-66"}
    page.context.set_offline(False)
