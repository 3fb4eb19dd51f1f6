"""Calculate each side's win probability before and after each hand of a game (RECORD 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from scorekeeper.insight.model import Model
from scorekeeper.insight.simulated import PLUS_MINUS, SimulatedOdds
from scorekeeper.insight.win_odds import WinOdds, win_odds
from scorekeeper.rules.record import Record
from scorekeeper.rules.scoring import Tally, add_hand, bidding_sides, new_tally
from scorekeeper.rules.table import Table, dealer_after


class Odds(NamedTuple):
    """The win probabilities during a game, hand by hand.

    Each row of `win` has the win probability of each side. The first row is for the time before the first hand, and
    each further row for the time after one more hand. `swing` holds one number for each hand: the change of the win
    probability of the bidder's side, or 0 if everyone passed. `hands_left` is the expected number of hands that are
    still to be played, which is 0 if the game is over.
    """

    win: tuple[tuple[float, ...], ...]
    swing: tuple[float, ...]
    hands_left: float


def odds_of(record: Record, odds: WinOdds | SimulatedOdds) -> Odds:
    """Return the win probabilities of a game. `odds` must be for the game's table, and cover all totals of the game.

    The row after a hand also includes the adjustments after that hand. If a side has won, even by concession, the last
    row is 1 for that side and 0 for the others. If the game ended early without a winner, the last row still has the
    probabilities with which the game would have gone on. A game with only a final score has two rows, for its start and
    its end.
    """
    states = list(states_of(record))
    rows: list[tuple[float, ...]] = [odds.win(*state) for state in states]
    left = odds.hands_left(*states[-1])
    if record.final is not None:
        rows.append(rows[-1])
    outcome = record.outcome
    if outcome is not None:
        left = 0.0
        if outcome.winner is not None:
            rows[-1] = tuple(float(side == outcome.winner) for side in range(len(record.table.sides)))
    swings = []
    for hand, before, after in zip(record.hands, rows, rows[1:], strict=False):
        ours = bidding_sides(record.table, hand)
        swings.append(after[ours[0]] - before[ours[0]] if ours else 0.0)
    return Odds(tuple(rows), tuple(swings), left)


def states_of(record: Record) -> Iterator[tuple[Tally, int]]:
    """Yield pairs (score, seat of the next dealer): one before the first hand, then one after each hand."""
    table, dealer = record.table, record.first_dealer
    added: dict[int, tuple[int, ...]] = {}
    for each in record.agreed:
        sums = list(added.get(each.after, (0,) * len(table.sides)))
        sums[each.side] += each.points
        added[each.after] = tuple(sums)
    tally = new_tally(table)
    tally = tally._replace(totals=added.get(0, tally.totals))
    yield tally, dealer
    for number, hand in enumerate(record.hands, 1):
        tally, _ = add_hand(table, tally, hand, added.get(number))
        dealer = dealer_after(table, hand.dealer, thrown_in=hand.thrown_in)
        yield tally, dealer


def odds_line(record: Record, model: Model, odds: WinOdds | SimulatedOdds) -> dict[str, Any]:
    """Return the JSON output for a game record, in the format of RECORD 7."""
    told = odds_of(record, odds)
    line = {"win": told.win, "swing": told.swing, "expected_hands": told.hands_left, "exact": True}
    if isinstance(odds, SimulatedOdds):
        line |= {"exact": False, "plus_minus": round(PLUS_MINUS, 4)}
    return line | {"model": {"hands": model.hands, "prior": model.prior}}


def odds_for(table: Table, model: Model, least: int, most: int) -> WinOdds | SimulatedOdds:
    """Return the win probabilities at a table, for all games in which the totals stay from `least` to `most`.

    The probabilities are exact for two sides. For more sides, they are estimated. Raises `RuleViolation` if no
    probabilities can be calculated for this table or by this model.
    """
    return win_odds(table, model, least, most) if len(table.sides) == 2 else SimulatedOdds(table, model)


def reach_of(record: Record) -> tuple[int, int]:
    """Return the lowest and the highest total that any side had before the first hand or after any hand."""
    totals = [total for tally, _ in states_of(record) for total in tally.totals]
    return min(totals), max(totals)
