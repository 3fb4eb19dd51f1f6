"""The log of a long game comes in pages: together they tell what the files do, and each is made of its own lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.views import corrections
from tests.support.game import play, undo
from tests.support.game_steps import score_link
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone


def test_pages_of_a_log_hold_all_of_it(client: Phone, board: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line once, in order, whatever stands between: hands that say their bid, and what no hand did."""
    for hand in range(4):
        board = play(client, board, hand, 2, "AAAB")
        score_link(client, board)
    board = undo(client, board)
    whole = lines(client.see(f"{board.path}/log"))
    assert len(whole) > 9
    monkeypatch.setattr(corrections, "LOG_LINES", 3)
    page = client.see(f"{board.path}/log")
    told = [lines(page)]
    while older := [link for link in page.all("a") if words(link) == "Older entries"]:
        assert "Download the full history:" in page.text
        page = client.see(str(older[0].get("href")))
        told.append(lines(page))
    assert [line for each in told for line in each] == whole
    assert {len(each) for each in told[:-1]} == {3}
    assert len(client.get(f"{board.path}/log.json").json or ()) == len(whole)


@pytest.mark.parametrize("before", ["0", "-1", "x", "9" * 5000, "²", "1.5", "999999999"])
def test_a_page_of_a_log_that_is_not_there(client: Phone, board: Page, before: str) -> None:
    """A number that leads beyond an end shows what there is on this side of it."""
    assert len(lines(client.see(f"{board.path}/log?before={before}"))) == (before != "0")


def lines(page: Page) -> list[str]:
    """Return the lines of a log."""
    return [words(item) for item in page.one("ol", class_="log").findall("li")]
