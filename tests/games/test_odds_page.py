"""The page with the win probability after each hand of a finished game."""

from __future__ import annotations

import re
import threading
from itertools import product
from time import thread_time
from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.logic.game_odds import HandOdds, _one_more, game_odds, luck, turning_point
from scorekeeper.games.presenters.odds import percent, percents, turning_text
from scorekeeper.i18n.sentences import SideName
from scorekeeper.insight import odds
from scorekeeper.insight.model import Model, dealt_by, prior_hands, prior_model
from scorekeeper.insight.odds import _known, _solving, is_solvable, is_solved, solve_ahead, solved
from scorekeeper.insight.solver import Effort, TooLongError
from scorekeeper.insight.win_odds import WinOdds, near_odds, win_odds
from scorekeeper.rules.events import Event, GameStarted, HandScored, ScoreAdjusted
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand, add_hand, new_tally
from scorekeeper.rules.table import set_table
from tests.insight.games import two_sided_tables
from tests.support.game import CLEAN, path_of, play, play_all, start
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.rules.game import Game
    from scorekeeper.rules.table import Table
    from tests.support.page import Page
    from tests.support.phone import Phone

SETBACK = set_table(PRESETS["setback-21"], 4)
SET_BACK = ((0, 4, "AAAA"),) * 4 + ((0, 4, "BBBB"),) + ((0, 4, "AAAA"),) * 3
"""Hands with which Ann and Cid win, although they are set with 16 points."""


def played(*hands: Hand, then: Sequence[Event] = ()) -> Game:
    """Return a game of `setback-21` with these hands, which are given as if seat 0 dealt each of them.

    `then` are events after the hands.
    """
    log = [HandScored(dealt_by(SETBACK, hand, number % 4)) for number, hand in enumerate(hands)]
    return replay([GameStarted(SETBACK.rules, (1, 2, 3, 4), SETBACK.sides, 0), *log, *then])


def _wait() -> None:
    """Wait until no thread calculates win probabilities."""
    for thread in threading.enumerate():
        if thread.name == "odds":
            thread.join()


@pytest.fixture(autouse=True)
def _solved() -> None:
    """Know the win probabilities of `SETBACK`, so that no page has to wait for them."""
    solved(SETBACK)


def test_the_end_leads_to_the_win_probabilities(client: Phone, other: Phone, board: Page) -> None:
    over = play_all(client, board, CLEAN)
    address = f"{board.path}/odds"
    assert address in [a.get("href") for a in over.all("a")]
    for phone in (client, other):
        page = phone.see(address)
        rows = [[words(cell) for cell in row] for row in page.all("table")[0].iter("tr")]
        assert len(rows) == len(CLEAN) + 2
        chances = [[int(each[:-1]) for each in row[-3:-1]] for row in rows[1:]]
        assert [sum(each) for each in chances] == [100] * len(chances)
        assert chances[-1] == [100, 0]
        assert all("Ann" in row[1] for row in rows[2:])
        for (before, _), (after, _), row in zip(chances, chances[1:], rows[2:], strict=False):
            gained = after - before
            assert row[-1] == (f"{'A' if gained > 0 else 'B'} +{abs(gained)}" if gained else "")
        labels = [words(dt) for dt in page.all("dt")]
        assert labels == ["Turning point", "The winner's low point", "More luck"]


def test_the_end_and_the_score_chart_show_the_chances_and_the_turning_point(
    client: Phone, other: Phone, board: Page
) -> None:
    """Both have the same chart as the page of the chances, and the turning point in one sentence."""
    over = play_all(client, board, SET_BACK)
    drawn = client.see(f"{board.path}/odds").one("path", class_="run").get("d")
    told = "Hand 5 turned it: Ann and Cid were set, and their chance of winning fell from 9"
    for phone, address in ((client, over.path), (client, f"{over.path}/race"), (other, f"{over.path}/race")):
        page = phone.see(address)
        (chances,) = (each for each in page.all("section") if each.get("aria-labelledby") == "chances")
        assert [path.get("d") for path in chances.iter("path") if path.get("class") == "run"] == [drawn]
        assert "before the first hand and after each hand: " in words(next(chances.iter("desc")))
        assert told in page.text


@pytest.mark.parametrize(
    ("hand", "told"),
    [
        (Hand(0, 0, 4, (4, 0)), "Ann made their bid, and their chance of winning rose from 10% to 30%."),
        (Hand(0, 1, 4, (4, 0)), "Bob was set, and their chance of winning fell from 90% to 70%."),
        (Hand(0, 1, 2, (2, 2)), "Bob made their bid, but their chance of winning fell from 90% to 70%."),
        (Hand(0, 0, 4, (0, 4)), "the chance of winning of Ann rose from 10% to 30%."),
    ],
)
def test_the_turning_point_is_told_of_the_side_that_bid(hand: Hand, told: str) -> None:
    """Except if that side was set and is nevertheless better off, as when a set ends a game that was lost."""
    line = played(hand).counted[0]
    side = SETBACK.side_of[hand.bidder or 0]
    turning = HandOdds(line, side, line.tally.totals, (0.1, 0.9), (0.3, 0.7), None)
    assert (
        turning_text(turning, (SideName("Ann", several=False), SideName("Bob", several=False)))
        == f"Hand 1 turned it: {told}"
    )


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ((0.7, 0.2, 0.1), "Ann made their bid, and their chance of winning rose from 40% to 70%."),
        ((0.48, 0.4, 0.12), "the chance of winning of Cid fell from 30% to 12%."),
        ((0.38, 0.61, 0.01), "the chance of winning of Bob rose from 30% to 61%."),
    ],
)
def test_of_three_sides_it_is_told_of_the_one_whose_chance_changed_most(after: tuple[float, ...], told: str) -> None:
    line = played(Hand(0, 0, 4, (4, 0))).counted[0]
    turning = HandOdds(line, 0, line.tally.totals, (0.4, 0.3, 0.3), after, None)
    sides = [SideName(name, several=False) for name in ("Ann", "Bob", "Cid")]
    assert turning_text(turning, sides) == f"Hand 1 turned it: {told}"


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        ((1 / 3, 1 / 3, 1 / 3), ("34%", "33%", "33%")),
        ((0.996, 0.003, 0.001), ("98%", "1%", "1%")),
        ((0.0, 1.0, 0.0), ("0%", "100%", "0%")),
        ((0.406, 0.334, 0.26), ("41%", "33%", "26%")),
        ((0.996, 0.004), ("99%", "1%")),
    ],
)
def test_the_percentages_of_all_sides_add_up(chances: tuple[float, ...], told: tuple[str, ...]) -> None:
    assert percents(chances) == told


def test_the_chances_are_calculated_before_the_end_needs_them(client: Phone, board: Page) -> None:
    """Halfway to the target, a thread of its own calculates them; before that, nothing does."""
    _known.clear()
    board = play_all(client, board, CLEAN[:2])
    assert not is_solved(SETBACK)
    play(client, board, *CLEAN[2])
    _wait()
    assert is_solved(SETBACK)


def test_a_watched_page_is_drawn_again_once_the_chances_are_known(client: Phone, other: Phone) -> None:
    """A finished game doesn't change any more, so watchers would otherwise keep the page without the chances."""
    watched = play_all(client, start(client, rules={"target": "19"}), CLEAN[:5]).path.replace("/games/", "/watch/")
    _wait()
    _known.clear()
    first = other.get(watched)
    assert "Chances of winning</title>" not in first.text
    _wait()
    again = other.get(watched, headers={"If-None-Match": first.headers["ETag"]})
    assert "Chances of winning</title>" in again.text
    assert other.get(watched, headers={"If-None-Match": again.headers["ETag"]}).status_code == 304


def test_the_chances_wait_for_the_thread_that_calculates_others() -> None:
    _known.clear()
    with _solving:
        thread = solve_ahead(SETBACK)
    thread.join()
    assert is_solved(SETBACK)


def test_common_bids_are_compared_with_average_hands(client: Phone, board: Page) -> None:
    """With bids that the simulated hands have often, the page says which side had more luck."""
    over = play_all(client, board, ((0, 2, "AAAA"),) * 6)
    page = client.see(f"{over.path}/odds")
    assert [words(dt) for dt in page.all("dt")][-1] == "More luck"
    assert re.fullmatch(r"Ann and Cid, \+\d+ in all hands", words(page.all("dd")[-1]))


def test_there_are_none_during_a_game(client: Phone, board: Page) -> None:
    """During a game nobody can look up the chances, so that they can't change how people bid."""
    board = play(client, board, 0, 3, "AB--")
    page = client.see(f"{board.path}/odds")
    assert "The chances of winning appear here after the end of the game." in page.text
    assert not page.all("table")
    assert f"{board.path}/odds" not in [a.get("href") for a in board.all("a")]


def test_a_short_game_of_three_has_a_line_and_a_column_for_each(client: Phone) -> None:
    """Turning point, low point and luck are those of one of three, and the chances of a row add up to 100."""
    solved(set_table(PRESETS["setback-7"], 3))
    board = start(client, ("Ann", "Bob", "Cid"), seating="3", preset="setback-7")
    over = play_all(client, board, ((0, 2, "AABC"), (1, 3, "BBAC"), (2, 2, "CCAB"), (0, 2, "AAAB")))
    page = client.see(f"{over.path}/odds")
    rows = [[words(cell) for cell in row] for row in page.all("table")[0].iter("tr")]
    chances = [[int(each[:-1]) for each in row[-4:-1]] for row in rows[1:]]
    assert len(chances) == 5
    assert [sum(each) for each in chances] == [100] * 5
    assert chances[0] != chances[1]
    assert chances[-1] == [100, 0, 0]
    for before, after, row in zip(chances, chances[1:], rows[2:], strict=False):
        changes = [new - old for old, new in zip(before, after, strict=True)]
        assert row[-1] in {
            f"{letter} {change:+}".replace("-", "−") for letter, change in zip("ABC", changes, strict=True)
        }
        assert abs(int(row[-1][2:].replace("−", "-"))) == max(map(abs, changes))
    assert [group.get("class") for group in page.all("g")][-3:] == ["line s0", "line s1", "line s2"]
    assert [words(text) for text in page.all("text")[:3]] == ["100%", "50%", "0%"]
    assert words(page.one("desc")).count("before the first hand and after each hand: ") == 3
    assert "Hand " in words(page.all("dd")[0])


@pytest.mark.parametrize(
    ("names", "preset", "told"),
    [
        (("Ann", "Bob", "Cid"), "horsley-66", "games to 21 or less"),
        (("Ann", "Bob", "Cid", "Dee"), "setback-7", "two or three sides"),
    ],
)
def test_a_long_game_of_three_or_one_of_four_has_none(
    client: Phone, names: tuple[str, ...], preset: str, told: str
) -> None:
    board = start(client, names, seating=f"{len(names)}", preset=preset)
    client.submit(client.see(f"{path_of(board)}/table"), f"{path_of(board)}/concession", sure="1", winner="1")
    assert told in client.see(f"{board.path}/odds").text


@pytest.fixture(scope="module")
def known() -> tuple[Model, WinOdds, int]:
    """Return the model of `setback-21`, its win probabilities, and the number of simulated hands."""
    found = solved(SETBACK)
    assert found is not None
    return *found, prior_hands(SETBACK)


def test_luck_is_even_on_average(known: tuple[Model, WinOdds, int]) -> None:
    """For each bidding side and bid, the possible hands are as often lucky as unlucky, by size and probability."""
    sums: dict[tuple[int, object], float] = {}
    for chance in known[0].chances:
        if chance.hand.bidder is not None:
            better, compared = luck(game_odds(played(chance.hand), *known))
            key = SETBACK.side_of[chance.hand.bidder], chance.hand.bid
            if compared:
                assert sum(better) == pytest.approx(0, abs=1e-12)
                sums[key] = sums.get(key, 0.0) + chance.p * better[0]
    assert set(sums) == {(side, bid) for side in (0, 1) for bid in SETBACK.bids}
    assert list(sums.values()) == pytest.approx([0.0] * len(sums), abs=1e-9)


def test_a_rare_bid_is_not_compared(known: tuple[Model, WinOdds, int]) -> None:
    """A bid of which there are hardly any simulated hands, as of 4 among 400 hands, says nothing about luck."""
    model, odds, hands = known
    game = played(Hand(0, 1, 4, (0, 4)))
    assert luck(game_odds(game, model, odds, hands))[1] == 1
    assert luck(game_odds(game, model, odds, 400)) == ((), 0)


def test_an_adjustment_is_not_luck(known: tuple[Model, WinOdds, int]) -> None:
    """Points that the players agreed on after a hand change neither the swing nor the luck of that hand."""
    hand = next(each.hand for each in known[0].chances if each.hand.bid == 2)
    (alone,) = game_odds(played(hand), *known)
    (adjusted,) = game_odds(played(hand, then=[ScoreAdjusted(0, 5, "miscount")]), *known)
    assert (adjusted.after, adjusted.usual) == (alone.after, alone.usual)
    following = game_odds(
        played(hand, then=[ScoreAdjusted(0, 5, "miscount"), HandScored(dealt_by(SETBACK, hand, 1))]), *known
    )
    assert following[1].before[0] > alone.after[0]


def test_an_adjustment_after_the_last_hand_changes_nothing_before_it() -> None:
    """The hand with which a side was set too often has decided the game, although points were corrected after it."""
    table = set_table(with_options(PRESETS["setback-21"], {"max_sets": 2, "target": 15}), 4)
    found = solved(table)
    assert found is not None
    lost = Hand(0, 0, 4, (0, 4))
    log = [HandScored(dealt_by(table, lost, number)) for number in (0, 2)]
    game = replay([GameStarted(table.rules, (1, 2, 3, 4), table.sides, 0), *log, ScoreAdjusted(0, 1, "miscount")])
    hands = game_odds(game, *found, prior_hands(table))
    assert game.over
    assert hands[-1].after == (0, 1)


def test_the_turning_point_is_the_largest_swing(known: tuple[Model, WinOdds, int]) -> None:
    hands = game_odds(played(*[each.hand for each in known[0].chances if each.hand.bid == 2][:6]), *known)
    found = turning_point(hands)
    assert found is not None
    assert abs(found.swing[0]) == max(abs(each.swing[0]) for each in hands)
    assert turning_point([]) is None


def test_a_game_that_was_conceded_says_so(client: Phone, board: Page) -> None:
    """The page names the winner, and the last chances are those with which the game would have gone on."""
    play(client, board, 0, 3, "AB--")
    page = client.see(f"{path_of(board)}/table")
    client.submit(page, f"{path_of(board)}/concession", sure="1", winner="1")
    page = client.see(f"{path_of(board)}/odds")
    assert "Bob and Dee win" in page.text
    assert "100%" not in [words(cell) for cell in page.all("td")]


def test_another_page_answers_while_one_is_calculated(
    client: Phone, board: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Phones that look at once don't wait long for each other, and are asked to load the page again."""
    over = play_all(client, board, CLEAN)
    _known.clear()
    monkeypatch.setattr(odds, "WAIT", 0)
    with _solving:
        page = client.see(f"{over.path}/odds")
    assert "calculating at the moment" in page.text
    assert client.see(f"{over.path}/odds").all("table")


@pytest.mark.parametrize("effort", [Effort(0.0, 1_000_000), Effort(60.0, 1_000)])
def test_a_calculation_that_takes_too_much_is_given_up(effort: Effort) -> None:
    with pytest.raises(TooLongError):
        win_odds(SETBACK, prior_model(SETBACK), effort=effort)


def test_rules_that_take_too_long_have_no_win_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    """House rules that nearly never let a game end, or that need large arrays, give no result."""
    monkeypatch.setattr(odds, "SECONDS", 0.02)
    table = set_table(with_options(PRESETS["setback-21"], {"bid_min": 4, "forced_bid": 4}), 2)
    assert is_solvable(table)
    assert solved(table) is None
    far = set_table(with_options(PRESETS["pitch-11"], {"bidder_lead": 60}), 4)
    assert not is_solvable(far)


def test_only_a_side_that_has_won_or_lost_has_a_whole_percentage() -> None:
    assert [percent(p) for p in (0.0, 0.001, 0.005, 0.5, 0.996, 1.0)] == ["0%", "1%", "1%", "50%", "99%", "100%"]


def test_every_game_of_two_sides_has_win_probabilities() -> None:
    assert [table.rules.preset for table in two_sided_tables() if not is_solvable(table)] == []


@pytest.mark.parametrize("table", list(two_sided_tables()), ids=lambda table: table.rules.preset)
def test_those_of_a_page_are_quick_and_nearly_exact(table: Table) -> None:
    """The long games take too long to compare them as well."""
    model, started = prior_model(table), thread_time()
    near = near_odds(table, model)
    assert thread_time() - started < 2.5
    if table.rules.target > 21:
        return
    exact = win_odds(table, model)
    for ours, theirs, dealer in product(range(0, table.rules.target, 3), range(0, table.rules.target, 3), (0, 1)):
        tally = new_tally(table)._replace(totals=(ours, theirs))
        assert near.win(tally, dealer) == pytest.approx(exact.win(tally, dealer), abs=1e-3)


def test_each_common_bid_is_compared_with_one_more_and_with_a_pass(client: Phone, board: Page) -> None:
    """The page tells the difference and its uncertainty. Each hand has a line. Nothing is more than 4."""
    over = play_all(client, board, (*((0, 2, "AAAA"),) * 5, (0, 4, "AAAA")))
    page = client.see(f"{over.path}/odds")
    rows = [[words(cell) for cell in row] for row in page.all("tbody")[1]]
    assert [row[1] for row in rows] == ["A Ann 2"] * 5 + ["A Ann 4"]
    assert "A dash: this bid is too rare in the simulated hands" in page.text
    for _hand, _bid, luck_of, more in rows:
        assert re.fullmatch(r"[AB] \+\d+|0", luck_of)
        assert re.fullmatch(r"([+−]\d+|0) ± \d+|–", more)
    assert [row[3] for row in rows].count("–") == 1


def test_a_game_without_a_common_bid_says_so(client: Phone, board: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.games.logic.game_odds.ENOUGH", float("inf"))
    over = play_all(client, board, ((0, 4, "AAAA"),) * 6)
    page = client.see(f"{over.path}/odds")
    assert "No bid of this game is common enough" in page.text
    assert "A dash: " not in page.text


def test_one_more_costs_what_the_hands_say(known: tuple[Model, WinOdds, int]) -> None:
    """With one point to go, a bid of 3 wins no more than a bid of 2, and is set more often: the difference is that."""
    model, odds, count = known
    ahead = [Hand(0, 0, 4, (4, 0))] * 5
    (*_before, last) = game_odds(played(*ahead, Hand(0, 1, 2, (0, 4))), model, odds, count)
    assert last.more is not None
    alike = [each for each in model.chances if each.hand.bidder in (1, 3) and each.hand.bid == 2]
    score, deals = played(*ahead).tally, 1

    def won(bid: int) -> float:
        hands = [(dealt_by(SETBACK, each.hand._replace(bid=bid), deals), each.p) for each in alike]
        after = [(add_hand(SETBACK, score, hand)[0], p) for hand, p in hands]
        return sum(p * odds.win(tally, deals + 1)[0] for tally, p in after) / sum(p for _tally, p in after)

    assert last.more.gain == pytest.approx(won(3) - won(2))
    assert 0 < last.more.plus_minus < 0.05


def test_nothing_is_more_than_the_highest_bid() -> None:
    assert _one_more(SETBACK, 2) == 3
    assert _one_more(SETBACK, 4) is None
    assert _one_more(SETBACK, "pitch") is None
