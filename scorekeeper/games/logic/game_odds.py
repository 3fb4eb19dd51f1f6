"""Follow the win probability through a game, and compare each hand with an average hand.

Only hands that count are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum, sqrt
from operator import sub
from typing import TYPE_CHECKING

from msgspec import Struct

from scorekeeper.insight.model import Model, dealt_by
from scorekeeper.insight.odds import is_solvable
from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.game import Game, Line
from scorekeeper.rules.scoring import Hand, Tally, add_hand, bidding_sides, new_tally
from scorekeeper.rules.table import Table, dealer_after

if TYPE_CHECKING:
    from scorekeeper.insight.win_odds import WinOdds

MOST_HANDS = 100
"""In a game with more hands, no win probabilities are calculated, because each hand takes time."""
ENOUGH = 50
"""Minimum number of simulated hands with a bid, so that a hand can be compared with them."""


class Worth(Struct, frozen=True):
    """By how much the bidder's win probability would have been higher on average, with another bid.

    In 95 of 100 cases, the difference is right within `plus_minus`, if the simulated hands are like real ones.
    """

    gain: float
    plus_minus: float


Chances = tuple[float, ...]
"""The win probability of each side."""


class HandOdds(Struct, frozen=True):
    """The win probabilities around one hand.

    `side` is the bidder's side, or None if everyone passed. `score` has the total of each side after the hand. `before`
    and `after` are the probabilities before and after the hand, without adjustments after it. `usual` is the average
    after a hand with the same bid by the same side at the same score. It is None if nobody bid, or if the model has too
    few such hands. Then `more` is None, too: what a higher bid would have been worth on average.
    """

    line: Line
    side: int | None
    score: tuple[int, ...]
    before: Chances
    after: Chances
    usual: Chances | None
    more: Worth | None = None
    """The same hands with a bid of one more; None after the highest bid."""

    @property
    def swing(self) -> Chances:
        """Return how much the win probability of each side changed in this hand."""
        return tuple(map(sub, self.after, self.before))

    @property
    def luck(self) -> Chances | None:
        """Return by how much the hand was better for each side than an average hand with this bid, or None."""
        return None if self.usual is None else tuple(map(sub, self.after, self.usual))


def has_odds(game: Game) -> bool:
    """Return whether there are probably win probabilities for a game, without calculating anything.

    The game must be over and have 1 to `MOST_HANDS` hands.
    """
    hands = sum(line.is_hand for line in game.counted)
    return game.over and 0 < hands <= MOST_HANDS and is_solvable(game.table)


def game_odds(game: Game, model: Model, odds: WinOdds, hands: int) -> tuple[HandOdds, ...]:
    """Return the win probabilities around each hand of a game, in order.

    After the hand that ended the game by the rules, the winner's probability is 1. If the players ended the game early,
    the last probability is the one with which the game would have gone on. `hands` is the number of hands from which
    the model was counted.
    """
    found = []
    for line, score, before, after in _around(game, odds):
        hand = line.entry.hand
        side = next(iter(bidding_sides(game.table, hand)), None)
        compared = _compared(odds, model, score, hand, hands)
        found.append(HandOdds(line, side, line.tally.totals, before, after, *compared))
    return tuple(found)


def swings(game: Game, odds: WinOdds) -> tuple[HandOdds, ...]:
    """Return the same as `game_odds`, but without comparing the hands with average ones, which takes far longer."""
    found = []
    for line, _score, before, after in _around(game, odds):
        side = next(iter(bidding_sides(game.table, line.entry.hand)), None)
        found.append(HandOdds(line, side, line.tally.totals, before, after, None))
    return tuple(found)


def chances(game: Game, odds: WinOdds) -> tuple[tuple[Chances, Chances], ...]:
    """Return the win probabilities before and after each hand, in order, without comparing the hands.

    They are the `before` and `after` of `game_odds`, which takes far longer.
    """
    return tuple((before, after) for _line, _score, before, after in _around(game, odds))


def _around(game: Game, odds: WinOdds) -> Iterator[tuple[Line, Tally, Chances, Chances]]:
    """Yield each hand with the score before it, and the win probabilities before and after it.

    A hand that ended the game has decided it, even if an adjustment comes after it.
    """
    score = new_tally(game.table)
    next_dealers = iter([*(line.entry.hand.dealer for line in game.counted if line.is_hand), game.dealer][1:])
    for line in game.counted:
        if line.is_hand:
            before = odds.win(score, line.entry.hand.dealer)
            after, _ = add_hand(game.table, score, line.entry.hand)
            yield line, score, before, odds.win(after, next(next_dealers))
        score = line.tally


def turning_point(hands: Sequence[HandOdds]) -> HandOdds | None:
    """Return the hand that changed a win probability most, or None without hands. Of several, it is the first."""
    return max(hands, key=lambda each: max(map(abs, each.swing)), default=None)


def luck(hands: Sequence[HandOdds]) -> tuple[Chances, int]:
    """Return by how much all hands together were better for each side than average hands with the same bids.

    The first result has a sum of win probabilities for each side, and is empty if no hand could be compared. The second
    is the number of hands that could be compared.
    """
    compared = [each.luck for each in hands if each.luck is not None]
    return tuple(map(fsum, zip(*compared, strict=True))), len(compared)


def _compared(odds: WinOdds, model: Model, score: Tally, hand: Hand, hands: int) -> tuple[Chances | None, Worth | None]:
    """Return `HandOdds.usual` and `HandOdds.more` of `hand`.

    `score` is the score before the hand. The results are None if nobody bid, or if fewer than `ENOUGH` of the model's
    `hands` have this bid by this side.
    """
    table = odds.table
    if hand.bidder is None:
        return None, None
    seat, side = (hand.bidder - hand.dealer) % table.players, table.side_of[hand.bidder]
    alike = [
        (chance.hand, chance.p)
        for chance in model.chances
        if chance.hand.bid == hand.bid
        and chance.hand.bidder is not None
        and table.side_of[chance.hand.bidder] == table.side_of[seat]
    ]
    total = sum(p for _hand, p in alike)
    if total * hands < ENOUGH:
        return None, None

    def won(dealt: Hand) -> Chances:
        after, _ = add_hand(table, score, dealt_by(table, dealt, hand.dealer))
        return odds.win(after, dealer_after(table, hand.dealer, thrown_in=dealt.thrown_in))

    usual = [(won(each), p) for each, p in alike]
    ours = [(chances[side], p) for chances, p in usual]
    higher, more = _one_more(table, hand.bid), None
    if higher is not None:
        raised = [won(each._replace(bid=higher))[side] for each, _p in alike]
        more = _worth([(new - old, p) for new, (old, p) in zip(raised, ours, strict=True)], hands)
    mean = tuple(sum(chances[each] * p for chances, p in usual) / total for each in range(len(table.sides)))
    return mean, more


def _one_more(table: Table, bid: Bid | None) -> Bid | None:
    """Return the next higher number that may be bid, or None if there is none."""
    return min(
        (each for each in table.bids if isinstance(bid, int) and isinstance(each, int) and each > bid), default=None
    )


def _worth(values: Sequence[tuple[float, float]], hands: int) -> Worth:
    """Return the mean of (value, weight) pairs with its uncertainty. A weight of 1 stands for `hands` hands."""
    total = sum(p for _value, p in values)
    mean = sum(value * p for value, p in values) / total
    spread = sum((value - mean) ** 2 * p for value, p in values) / total
    return Worth(mean, 1.96 * sqrt(spread / (total * hands)))
