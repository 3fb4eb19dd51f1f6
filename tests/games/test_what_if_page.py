"""The page that shows how a finished game would have ended with other rules."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scorekeeper.games.presenters import odds
from scorekeeper.games.presenters.odds import what_if_page
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.rules.events import GameEnded, GameStarted, HandScored
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import replay
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import set_table
from tests.support.game import CLEAN, path_of, play, play_all, start
from tests.support.page import words

if TYPE_CHECKING:
    import pytest

    from tests.support.page import Page
    from tests.support.phone import Phone

SETBACK = set_table(PRESETS["setback-21"], 4)
NOW = datetime(2026, 11, 1, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Cid", "Dee")
COMEBACK = (*[(0, 4, "AAAA")] * 4, *[(1, 4, "BBBB")] * 6)
"""Hands in which Ann and Cid are 16 to 0 ahead, and then Bob and Dee take everything and win 24 to 16."""


def ends_of(page: Page) -> dict[str, list[str]]:
    """Return the other endings on the page: winner, score and hands by the rule."""
    rows = [[words(cell) for cell in row.iter() if cell.tag in ("th", "td")] for row in page.all("tr")]
    return {rule: [winner, *rest] for (head, *rest) in rows[1:] for rule, _, winner in [head.partition(". ")]}


def test_a_lower_target_would_have_had_another_winner(client: Phone, other: Phone, board: Page) -> None:
    """The rules that change the winner come first, and everyone with the link may read the page."""
    over = play_all(client, board, COMEBACK)
    address = f"{board.path}/what-if"
    assert address in [a.get("href") for a in over.all("a")]
    for phone in (client, other):
        ends = ends_of(phone.see(address))
        assert next(iter(ends)) == "Played to 15"
        assert ends["Played to 15"] == ["A Ann and Cid different winner", "16 to 0", "4"]
        assert ends["Played to 31"] == ["not over yet", "16 to 24", "10"]
        assert "Win by 1" not in ends


def test_rules_without_effect_are_listed_as_such(client: Phone, board: Page) -> None:
    over = play_all(client, board, CLEAN)
    page = client.see(f"{over.path}/what-if")
    assert set(ends_of(page)) == {"Played to 15", "Played to 31"}
    assert "ended early" not in page.text
    assert "A set can't take you below zero." in page.text


def test_there_is_nothing_to_replay_during_a_game(client: Phone, board: Page) -> None:
    board = play(client, board, 0, 3, "AB--")
    page = client.see(f"{board.path}/what-if")
    assert "When the game is over, see here" in page.text
    assert not page.all("table")
    assert f"{board.path}/what-if" not in [a.get("href") for a in board.all("a")]


def test_a_game_that_was_given_up_may_be_won_with_another_rule(client: Phone, board: Page) -> None:
    """A conceded game is compared with where its hands stood: 16 to 0, not over."""
    board = play_all(client, board, CLEAN[:4])
    client.submit(client.see(f"{path_of(board)}/table"), f"{path_of(board)}/concession", sure="1", winner="1")
    page = client.see(f"{path_of(board)}/what-if")
    assert ends_of(page) == {"Played to 15": ["A Ann and Cid different winner", "16 to 0", "4"]}
    assert "The game ended early, so its hands don't say who won." in page.text


def test_a_game_that_was_given_up_says_why_no_rule_makes_a_difference(client: Phone, board: Page) -> None:
    board = play_all(client, board, CLEAN[:1])
    client.submit(client.see(f"{path_of(board)}/table"), f"{path_of(board)}/concession", sure="1", winner="1")
    page = client.see(f"{path_of(board)}/what-if")
    assert not page.all("table")
    assert "The game ended early, so its hands don't say who won." in page.text
    assert "None of the rules below would have changed the result." not in page.text
    assert [words(heading) for heading in page.all("h2")] == ["Not over yet"]


def test_an_abandoned_game_has_no_winner_to_differ_from(client: Phone, board: Page) -> None:
    board = play_all(client, board, CLEAN[:4])
    client.submit(client.see(f"{path_of(board)}/table"), f"{path_of(board)}/abandonment", sure="1")
    assert ends_of(client.see(f"{path_of(board)}/what-if")) == {"Played to 15": ["A Ann and Cid", "16 to 0", "4"]}


def test_the_score_of_the_winner_comes_first(client: Phone, board: Page) -> None:
    board = play_all(client, board, [(1, 4, "BBBB")] * 4)
    client.submit(client.see(f"{path_of(board)}/table"), f"{path_of(board)}/abandonment", sure="1")
    assert ends_of(client.see(f"{path_of(board)}/what-if")) == {"Played to 15": ["B Bob and Dee", "16 to 0", "4"]}


def test_when_time_ran_out_the_side_ahead_wins() -> None:
    """Ann and Cid are behind, 1 to 3, and ahead if the defenders score nothing, 1 to 0."""
    hands = [HandScored(Hand(0, 0, 1, (1, 3)))]
    game = replay([GameStarted(SETBACK.rules, (1, 2, 3, 4), SETBACK.sides, 0), *hands, GameEnded(1, "time")])
    seen = Snapshot(
        public_id="abc",
        game=game,
        names_by_id={1: "Ann", 2: "Bob", 3: "Cid", 4: "Dee"},
        mine=False,
        started=False,
        watched=True,
        updated=NOW,
        latest=hands[0],
        began=NOW,
    )
    page = what_if_page(seen)
    (end,) = [end for end in page.ends if end.rule == "Defenders score nothing."]
    assert (end.winner, end.different, end.score) == ("Ann and Cid", True, "1 to 0")
    assert "Played to 15." in page.same


def test_another_way_of_winning_is_told_with_target_and_lead(client: Phone, board: Page) -> None:
    """Without bid to go out, the rules may have no lead; so the line says what they are."""
    page = client.see(f"{play_all(client, board, CLEAN).path}/what-if")
    assert "To 21, bidder goes out first." in page.text
    assert "To 21, high score wins, win by 2." in page.text


def test_a_long_game_is_not_replayed(client: Phone, board: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    over = play_all(client, board, CLEAN)
    monkeypatch.setattr(odds, "MOST_HANDS", 5)
    page = client.see(f"{over.path}/what-if")
    assert "more than 5 hands" in page.text
    assert f"{over.path}/what-if" not in [a.get("href") for a in client.see(over.path).all("a")]


def test_three_players_each_for_themselves(client: Phone) -> None:
    over = play_all(client, start(client, NAMES[:3], seating="3"), CLEAN)
    ends = ends_of(client.see(f"{path_of(over)}/what-if"))
    assert ends["Played to 15"] == ["A Ann", "16, 0 and 0", "4"]
