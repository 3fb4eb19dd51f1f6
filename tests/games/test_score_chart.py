"""The score chart, which is at the end of a finished game and on a separate page during a game."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.games.services.table_file import MOST_LINES
from tests.games.test_record_import import bring_in
from tests.support.game import CLEAN, FOUR, path_of, play, play_all, start, undo
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone

CHART_BYTES = 8_000
"""The largest uncompressed size, in bytes, for the chart of a game."""


def test_the_end_shows_chart_and_highlights(client: Phone, other: Phone, board: Page) -> None:
    """Everyone who opens a finished game sees the score chart and the highlights."""
    assert not board.all("section", class_="race")
    over = play_all(client, board, CLEAN)
    for page in (over, other.see(over.path), other.see(over.path.replace("games", "watch"))):
        race = page.all("section", class_="race")[0]
        drawn = drawings(page)[0]
        assert drawn.get("role") == "img"
        named = [words(part) for part in drawn if part.tag in ("title", "desc")]
        assert named == [
            "Score chart",
            "Each side's score over 6 hands, ending at: Ann and Cid 24, Bob and Dee 0. "
            "The list of hands shows every score.",
        ]
        told = [words(part) for part in race.iter("div")]
        assert told == [
            "Lead changesAnn and Cid led all the way",
            "Longest streak of made bidsAnn and Cid: 6 bids in a row, from hand 1 to hand 6",
        ]
    assert not undo(client, over).all("section", class_="race")


def drawings(page: Page) -> list[Any]:
    """Return the page's score charts, without the small symbols in their legends."""
    return [svg for svg in page.all("section", class_="race")[0].iter("svg") if svg.get("role")]


def test_the_chart_of_a_game_in_progress(client: Phone, other: Phone, board: Page) -> None:
    """After the first hand, the board links to a page with the score chart and the list of hands."""
    address = f"{board.path}/race"
    links = [a.get("href") for a in board.all("a")]
    assert address not in links
    assert "The chart starts after the first hand." in client.see(address).text
    board = play(client, board, 0, 3, "AB--")
    assert address in [a.get("href") for a in board.all("a")]
    page = other.see(address)
    assert page.h1 == "Score chart"
    assert len(drawings(page)) == 1
    assert "over 1 hand, ending at: Ann and Cid −3, Bob and Dee 1." in page.text
    assert "Biggest set Ann and Cid, −3 in hand 1" in re.sub("(Biggest set)", r"\1 ", page.text)
    assert len(page.one("table", class_="sheet").findall("tbody/tr")) == 1
    assert client.see(f"{path_of(board)}/race").one("table", class_="sheet").find("tbody/tr/th/a") is not None


def test_a_final_score_has_no_chart(client: Phone) -> None:
    record = {"format": "scorekeeper-game/1", "ruleset": {"preset": "setback-21"}, "players": list(FOUR)}
    board = bring_in(client, json.dumps(record | {"sides": [[0, 2], [1, 3]], "first_dealer": 0, "final": [21, 14]}))
    assert "Ann and Cid win" in board.text
    assert not board.all("section", class_="race")
    assert not client.see(f"{board.path}/race").all("section", class_="race")


def test_names_are_escaped(client: Phone) -> None:
    """Markup in a player's name appears as plain text in the chart, its legend and the highlights."""
    board = start(client, ("<b>Ann</b>", '"><script>', "דנה", "Dee & Co"), rules={"target": "3"})
    over = play(client, board, 0, 4, "AAAA")
    section = over.all("section", class_="race")[0]
    assert not section.findall(".//script")
    assert not [part for part in section.iter("b") if len(words(part)) > 1]
    assert "<b>Ann</b> and \u2068דנה\u2069 4" in words(section)


@pytest.mark.slow
def test_the_longest_game_has_a_small_chart(client: Phone) -> None:
    """Even for a game with the most hands allowed, the chart stays below `CHART_BYTES`."""
    hands = [{"bidder": turn % 2, "bid": 2, "taken": [turn % 3, 2]} for turn in range(MOST_LINES)]
    record: dict[str, Any] = {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "setback-21", "options": {"target": 9999}},
        "players": list(FOUR),
        "sides": [[0, 2], [1, 3]],
        "first_dealer": 0,
        "hands": hands,
    }
    board = bring_in(client, json.dumps(record))
    page = client.see(f"{board.path}/race").response.text
    drawn = page[page.index('<section class="panel race') : page.index("</section>")]
    assert "Too many sets to mark here. See the list of hands." in drawn
    assert len(drawn.encode()) < CHART_BYTES, len(drawn.encode())
