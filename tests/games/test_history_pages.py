"""The log of a long game is split into pages. Together, the pages equal the exported files."""

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


def test_the_pages_have_all_entries(client: Phone, board: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of a long log together have all entries, each once and in order.

    This includes entries that aren't hands.
    """
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
def test_a_page_beyond_the_log(client: Phone, board: Page, before: str) -> None:
    """A page of the log whose address has a number beyond the log, or an invalid number, shows the latest entries.

    The page for entries before number 0 is empty.
    """
    assert len(lines(client.see(f"{board.path}/log?before={before}"))) == (before != "0")


def lines(page: Page) -> list[str]:
    """Return the entries on a page of the log."""
    return [words(item) for item in page.one("ol", class_="log").findall("li")]
