"""Printed score sheets, filled in or blank, whose columns depend on the rules and the number of players."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from tests.games.test_record_import import RECORD, bring_in
from tests.games.test_rule_card import neighbours
from tests.support.each import for_each
from tests.support.game import CLEAN, play, play_all, start
from tests.support.page import words

if TYPE_CHECKING:
    from scorekeeper.rules.ruleset import Ruleset
    from tests.support.page import Page
    from tests.support.phone import Phone

pytestmark = pytest.mark.looks

SEATINGS = [(preset, index) for preset, rules in PRESETS.items() for index in range(len(rules.seatings))]


def rows(page: Page) -> list[list[str]]:
    """Return the rows of the sheet below the column headings. Each row is a list of what its cells contain."""
    return [[words(cell) for cell in row] for row in page.one("table").findall("tbody/tr")]


def heads(page: Page) -> list[str]:
    """Return the column headings. The heading of a side's columns is the side's letter."""
    return [words(cell) for cell in page.one("table").findall("thead/tr")[0]]


def who(page: Page) -> list[str]:
    """Return the list of teams or players above the sheet's table, with one item for each side of the game."""
    return [words(item) for item in page.one("ul", class_="who-plays")]


def links(page: Page) -> list[str]:
    """Return the targets of a page's links."""
    return [str(a.get("href")) for a in page.all("a")]


@for_each(("preset", "index"), SEATINGS, parts=4)
def test_every_game_has_a_blank_sheet_for_every_table(client: Phone, preset: str, index: int) -> None:
    """A blank sheet has twenty empty rows.

    Each row has a cell for each point, two cells for each side and, in a game with bids, cells for the bid.
    """
    rules = PRESETS[preset]
    seating = rules.seatings[index]
    teams = {2: "p", 3: "p3", 4: "p4"}[seating.teams]
    value = f"{seating.players}{ {'partners': teams, 'alone': '', 'called': 'c'}[seating.kind] }"
    page = client.see(f"/rules/{preset}/sheet?players={value}")
    sides = seating.teams if seating.kind == "partners" else seating.players
    called = ["Partner"] if seating.kind == "called" else []
    points = [category.label for category in rules.categories]
    bids = [["Bidder", "Bid", *called, "Trump"], ["Set"]] if rules.has_bids else [["Turned up"], []]
    assert heads(page) == ["Hand", "Dealer", *bids[0], *points, *bids[1], *"ABCDEFGH"[:sides]]
    assert [row[0] for row in rows(page)] == [str(number) for number in range(1, 21)]
    assert {len(row) for row in rows(page)} == {2 + sum(map(len, bids)) + len(points) + 2 * sides}
    assert not any("".join(row[1:]) for row in rows(page))
    assert str(rules.target) in page.text
    assert (f"Bid from {rules.bid_min} " in page.text) == rules.has_bids
    assert [a for a in page.all("a") if a.get("aria-current")] or len(rules.seatings) == 1


def test_an_impossible_number_of_players_is_ignored(client: Phone) -> None:
    usual = heads(client.see("/rules/setback-21/sheet"))
    assert usual[-3:] == ["Set", "A", "B"]
    for wanted in ("", "0", "9", "x", "4p", "²", "3p"):
        assert heads(client.see(f"/rules/setback-21/sheet?{urlencode({'players': wanted})}")) == usual
    assert heads(client.see("/rules/setback-21/sheet?players=3"))[-3:] == ["A", "B", "C"]
    assert heads(client.see("/rules/pitch-11/sheet?players=4"))[-2:] == ["A", "B"]


TWO_SIDED = {key: rules for key, rules in PRESETS.items() if any(each.sides == 2 for each in rules.seatings)}
"""Games that can be played with two sides, by key. Some house rules need exactly two sides."""


@for_each("preset", TWO_SIDED.values(), parts=2)
def test_house_rules_are_on_the_sheet(client: Phone, preset: Ruleset) -> None:
    """A score sheet lists the house rules. Its links to sheets for other numbers of players keep the house rules."""
    # Other points change the bids by themselves, so their sheets need no fields for those.
    changes = (change for change in neighbours(preset) if change[0] != "points")
    for option, value, _without, with_it in islice(changes, 0, None, 15):
        options = {
            f"rule-{key}": {True: "yes", False: "no", None: ""}.get(told, told)
            for key, told in ((key, getattr(with_it, key)) for key in OPTIONS)
            if getattr(preset, key) != told
        }
        page = client.see(f"/rules/{preset.preset}/sheet?{urlencode(options)}")
        assert ("House rules:" in page.text) is bool(options), (option, value)
        for link in links(page):
            if "players=" in link:
                assert all(f"{key}=" in link for key in options), link


def test_impossible_rules_have_no_sheet(client: Phone) -> None:
    """A sheet for rules that can't be played is refused with status 422. A sheet for an unknown game leads to a 404."""
    assert "to go" not in client.see("/rules/setback-21/sheet?rule-target=0", 422).h1
    assert client.see("/rules/setback-21/sheet?rule-bid_max=9", 422).status == 422
    assert client.see("/rules/bowers-12/sheet?rule-game_tie=defenders").status == 200
    assert client.see("/rules/setback-21/sheet?rule-game_tie=defenders&players=3", 422).status == 422
    assert "players=3" not in " ".join(links(client.see("/rules/setback-21/sheet?rule-game_tie=defenders")))
    assert client.see("/rules/whist/sheet", 404).status == 404


def test_the_sheet_of_a_game_in_progress(client: Phone, other: Phone, board: Page) -> None:
    """A score sheet shows each hand's dealer, bid, point winners and set, and has empty rows up to a total of twenty.

    Phones that don't score the game can open the sheet, too.
    """
    board = play(client, board, 0, 3, "AB--", trump="H")
    board = play(client, board, 1, 2, "BBA-")
    page = other.see(f"{board.path}/sheet")
    assert page.h1 == "Score sheet: Setback"
    assert heads(page) == ["Hand", "Dealer", "Bidder", "Bid", "Trump", "High", "Low", "Jack", "Game", "Set", "A", "B"]
    lines = rows(page)
    assert lines[0] == ["1", "Dee", "Ann", "3", "♥\ufe0e", "A", "B", "–", "–", "✕", "−3", "−3", "+1", "1"]
    assert lines[1] == ["2", "Ann", "Bob", "2", "", "B", "B", "A", "–", "", "+1", "−2", "+2", "3"]
    assert [line[0] for line in lines] == [str(number) for number in range(1, 21)]
    assert who(page) == ["A Ann and Cid", "B Bob and Dee"]
    assert not page.all("section", class_="race")
    blank = other.see(f"{board.path}/sheet?blank=1")
    assert [line[1:] for line in rows(blank)] == [[""] * 13] * 20
    assert who(blank) == ["A Ann and Cid", "B Bob and Dee"]
    assert "Date" in blank.text


def test_the_sheet_of_a_finished_game(client: Phone, board: Page) -> None:
    """The sheet of a finished game has the result and the chart, but no empty rows."""
    over = play_all(client, board, CLEAN)
    assert f"{over.path}/sheet" in links(over)
    page = client.see(f"{over.path}/sheet")
    assert len(rows(page)) == 6
    assert "Ann and Cid win. Ann and Cid made their bid of 4 and won 24 to 0." in page.text
    assert who(page) == ["A Ann and Cid 24 won", "B Bob and Dee 0"]
    assert page.one("section", class_="race") is not None
    assert page.one("time") is not None


def test_special_lines_of_a_sheet(client: Phone) -> None:
    """A score sheet has a row for each thrown-in hand, each adjustment, and each hand with totals only.

    It has the time when an imported game was played.
    """
    hands = [
        {"passed": True},
        {"bidder": 1, "bid": 2, "taken": [1, 3]},
        {"bidder": 0, "bid": 15, "taken": [10, 14], "trump": "none"},
    ]
    record = RECORD | {
        "ruleset": {"preset": "somerset-66"},
        "hands": [hands[0], hands[2]],
        "started": "1987-04-19T20:00:00Z",
        "x_adjustments": [{"after": 2, "side": 1, "points": -2, "reason": "a <revoke>"}],
    }
    page = client.see(f"{bring_in(client, json.dumps(record)).path}/sheet")
    assert rows(page)[:4] == [
        ["1", "Dee", "", "all passed", "", "", "", "0", "", "0"],
        ["2", "Ann", "Ann", "15", "NT", "✕", "−10", "−10", "+14", "14"],
        ["±", "a <revoke>", "", "−10", "−2", "12"],
        ["3", *[""] * 9],
    ]
    assert len(rows(page)) == 20
    assert page.one("time").get("datetime") == "1987-04-19T20:00:00Z"


def test_a_called_partner_has_a_column(client: Phone) -> None:
    """In Some'R'Set for five players, a column of the sheet has the called partner's name, or "alone"."""
    record = {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "somerset-66"},
        "players": ["Ann", "Bob", "Cid", "Dee", "Eve"],
        "first_dealer": 4,
        "hands": [
            {"bidder": 0, "bid": 10, "taken": [12, 10], "partner": 2},
            {"bidder": 1, "bid": 10, "taken": [12, 10], "partner": None},
        ],
    }
    lines = rows(client.see(f"{bring_in(client, json.dumps(record)).path}/sheet"))
    assert lines[0][:6] == ["1", "Eve", "Ann", "10", "Cid", ""]
    assert lines[1][:6] == ["2", "Ann", "Bob", "10", "alone", ""]


def test_links_to_a_sheet(client: Phone) -> None:
    """The rule card, the game menu and the new-game page link to a score sheet.

    The link of the new-game page keeps the rules and the seating that were chosen.
    """
    assert "/rules/pitch-11/sheet" in links(client.see("/rules/pitch-11"))
    new = client.see("/games/new")
    assert "/rules/setback-21/sheet?players=4p" in links(new)
    fields: dict[str, Any] = {"preset": "pitch-11", "seating": "3", "rule-target": "15", "rule-dealer_may_raise": "yes"}
    changed = client.submit(new, "/games/new", 200, **fields)
    (address,) = [link for link in links(changed) if "sheet" in link]
    page = client.see(address)
    assert "To 15" in page.text
    assert heads(page)[-3:] == ["A", "B", "C"]
    board = start(client)
    assert f"{board.path}/sheet" in links(client.see(f"{board.path}/table"))
    assert f"{board.path}/sheet?blank=1" in links(client.see(f"{board.path}/rules"))
