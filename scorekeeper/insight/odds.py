"""Follow the win probability through a game, and keep what was solved.

Estimate win probabilities by simulating games, where there are too many states to calculate all of them.

Calculate each side's win probability before and after each hand of a game (RECORD 7).

Solve the win probabilities of a table once, and keep them for every game that is played by the same rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from math import inf, sqrt
from random import Random
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from cachetools import LRUCache

from scorekeeper.insight.model import (
    SIMULATED,
    Model,
    Outcome,
    check_table,
    dealt_by,
    has_prior,
    prior_hands,
    prior_model,
    shifted,
)
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.record import Record
from scorekeeper.rules.scoring import Tally, add_hand, bidding_sides, lead_to_win, new_tally
from scorekeeper.rules.table import Table, dealer_after

if TYPE_CHECKING:
    from scorekeeper.insight.win_odds import WinOdds

MOST_OF_THREE = 11
"""Highest target for which the win probabilities of three sides are calculated exactly, because that takes seconds."""
MOST_CELLS = 1_000_000
"""Most array cells for the exact win probabilities of three sides."""
GAMES = 4_000
"""Number of games that are simulated to estimate the probabilities at one state: a score and the next dealer."""
PLUS_MINUS = 1.96 * sqrt(0.25 / GAMES)
"""In at least 95 of 100 cases, an estimated probability differs from the exact one by at most this much."""
MOST_HANDS = 2_000
"""A simulated game with this many hands is considered endless, and raises an error."""


class SimulatedOdds:
    """The win probabilities at a table, estimated by simulating `GAMES` games from each state that is asked for.

    The same state always gets the same estimate.
    """

    def __init__(self, table: Table, model: Model) -> None:
        check_table(table)
        self.table = table
        self.hands = [[dealt_by(table, each.hand, seat) for each in model.chances] for seat in range(table.players)]
        self.weights = list(accumulate(each.p for each in model.chances))
        self.known: dict[tuple[Tally, int], tuple[tuple[float, ...], float]] = {}

    def win(self, tally: Tally, dealer: int) -> tuple[float, ...]:
        """Return the estimated probability that each side wins, by side. `dealer` is the seat that deals next."""
        return self._estimate(tally, dealer)[0]

    def hands_left(self, tally: Tally, dealer: int) -> float:
        """Return the estimated number of hands until the end, counting those in which everyone passes."""
        return self._estimate(tally, dealer)[1]

    def _estimate(self, tally: Tally, dealer: int) -> tuple[tuple[float, ...], float]:
        """Return the estimates for a state. Raises `RuleViolation` if a simulated game practically never ends."""
        if (tally, dealer) not in self.known:
            chance = Random(f"{tally} {dealer}")  # noqa: S311  the same for the same state
            played = [self._play(tally, dealer, chance) for _ in range(GAMES)]
            won = Counter(winner for winner, _ in played)
            sides = range(len(self.table.sides))
            # A game that nobody won counts for all alike.
            win = tuple((won[side] + won[None] / len(sides)) / GAMES for side in sides)
            self.known[tally, dealer] = win, sum(hands for _, hands in played) / GAMES
        return self.known[tally, dealer]

    def _play(self, tally: Tally, dealer: int, chance: Random) -> tuple[int | None, int]:
        """Simulate a game from this state. Return the winning side (None for nobody) and the number of hands played."""
        for number in range(MOST_HANDS):
            if tally.outcome is not None:
                return tally.outcome.winner, number
            hand = chance.choices(self.hands[dealer], cum_weights=self.weights)[0]
            tally, _ = add_hand(self.table, tally, hand)
            dealer = dealer_after(self.table, dealer, thrown_in=hand.thrown_in)
        raise RuleViolation("model_endless", "By this model, a game practically never ends.")


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

    The probabilities are exact for two sides, and for three sides with a target up to `MOST_OF_THREE` if the arrays
    aren't too large for `MOST_CELLS`. Otherwise, they are estimated. Raises `RuleViolation` if no probabilities can be
    calculated for this table or by this model.
    """
    from scorekeeper.insight.solver import Effort, TooLongError
    from scorekeeper.insight.win_odds import win_odds

    if len(table.sides) == 2:
        return win_odds(table, model, least, most)
    if len(table.sides) == 3 and table.rules.target <= MOST_OF_THREE:
        with suppress(TooLongError):
            return win_odds(table, model, least, most, Effort(inf, MOST_CELLS))
    return SimulatedOdds(table, model)


def reach_of(record: Record) -> tuple[int, int]:
    """Return the lowest and the highest total that any side had before the first hand or after any hand."""
    totals = [total for tally, _ in states_of(record) for total in tally.totals]
    return min(totals), max(totals)


KEPT = 16_000_000
"""Bytes of win probabilities that each process keeps: those of about 100 tables of two sides, or of 11 of three."""
LEAST_KEPT = 20_000
"""Bytes that a table counts at least, so that there aren't too many that have no result."""
SECONDS, CELLS = 2.5, 300_000
"""Most processor time and memory for two sides: array cells of 8 bytes. Three sides get twice the time.

Tables that need more have no result.
"""
MOST_TARGET = {2: 66, 3: 21}
"""Highest target by the number of sides for which pages have win probabilities: higher ones would take seconds."""
MOST_SETS = 3
"""Highest limit on sets for which win probabilities are calculated, for the same reason."""
MOST_LEAD = 2
"""Highest lead that a side may need to win, if win probabilities are calculated, for the same reason."""
ENOUGH = 500
"""Minimum number of simulated hands that the house rules allow."""


@dataclass(frozen=True, slots=True, eq=False)
class OwnHands:
    """How often each outcome occurred at a table before. Equal only to itself, so that it is found quickly as a key.

    A server keeps these of many phones, so the hands themselves would take too much memory.
    """

    outcomes: Mapping[Outcome, int]


_known: LRUCache[tuple[Table, OwnHands | None], tuple[Model, WinOdds] | None] = LRUCache(
    KEPT, lambda found: LEAST_KEPT if found is None else max(found[1].values.nbytes, LEAST_KEPT)
)
_reading, _solving = Lock(), Lock()


WAIT = 2.5
"""Seconds to wait for another thread that is solving a table. Most take a fifth of a second on an idle server."""


class SolvingError(Exception):
    """Another thread is solving a table at the moment."""


def is_solvable(table: Table) -> bool:
    """Return whether `solved` probably has a result for a table, without calculating anything."""
    rules, longest = table.rules, MOST_TARGET.get(len(table.sides), 0)
    short = rules.target <= longest and rules.hands_limit is None and (rules.max_sets or 0) <= MOST_SETS
    short = short and max(rules.win_by, lead_to_win(rules)) <= MOST_LEAD
    return short and rules.has_bids and not table.called and has_prior(table)


def is_solved(table: Table, own: OwnHands | None = None) -> bool:
    """Return whether `solved` already has its result, so that it takes no time."""
    with _reading:
        return (table, own) in _known


def solved(table: Table, own: OwnHands | None = None) -> tuple[Model, WinOdds] | None:
    """Return the built-in model of a table, shifted to its own hands, and the win probabilities by that model.

    The result is None if the table has no exact win probabilities, if they would take too long to calculate, or if too
    few simulated hands are legal at the table. The first call for a table takes up to `SECONDS`. Raises `SolvingError`
    if another thread is still calculating after `WAIT`, since waiting would occupy a thread that is needed for saving
    hands.
    """
    if not is_solvable(table):
        return None
    with _reading:
        if (table, own) in _known:
            return _known[table, own]
    if not _solving.acquire(timeout=WAIT):
        raise SolvingError
    try:
        with _reading:
            if (table, own) in _known:
                return _known[table, own]
        found = _solve(table, own)
        with _reading:
            _known[table, own] = found
        return found
    finally:
        _solving.release()


def solve_ahead(table: Table, own: OwnHands | None = None) -> Thread:
    """Solve a table in a thread of its own, which is returned, so that a page that is needed later finds the result."""

    def solve_quietly() -> None:
        with suppress(SolvingError):
            solved(table, own)

    thread = Thread(target=solve_quietly, name="odds", daemon=True)
    thread.start()
    return thread


def _solve(table: Table, own: OwnHands | None) -> tuple[Model, WinOdds] | None:
    # They load numpy, which would take a tenth of a start, and nobody needs them before a game is over.
    from scorekeeper.insight.solver import Effort, TooLongError
    from scorekeeper.insight.win_odds import near_odds

    try:
        model = prior_model(table)
        if model.prior != SIMULATED or prior_hands(table) < ENOUGH:
            return None
        if own is not None:
            model = shifted(table, model, own.outcomes)
        return model, near_odds(table, model, Effort(SECONDS * (len(table.sides) - 1), CELLS))
    except (RuleViolation, TooLongError):
        return None
