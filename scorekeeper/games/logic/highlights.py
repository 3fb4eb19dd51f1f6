"""Find the highlights of a game and return them as data. Other modules put them into words.

Only hands that count are used, not those deleted or played after the end. An adjustment belongs to the hand before it.
"""

from itertools import pairwise

from msgspec import Struct

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.game import Game
from scorekeeper.rules.scoring import bidding_sides, lead_of, leaders_of


class ChartPoint(Struct, frozen=True):
    """The score by side after one hand, and the sides that were set in that hand.

    `hand` is the number of the hand, or 0 for the start of the game.
    """

    hand: int
    totals: tuple[int, ...]
    was_set: tuple[int, ...] = ()

    @property
    def leader(self) -> int | None:
        """Return the side that leads, or None for a tie."""
        ahead = leaders_of(self.totals)
        return ahead[0] if len(ahead) == 1 else None


class LeadChange(Struct, frozen=True):
    """A lead change: `side` took the lead in hand `hand`, after another side had led.

    The sides may have been tied in between.
    """

    hand: int
    side: int


class BigSet(Struct, frozen=True):
    """The failed bid (set) that cost the most points in a game.

    If several sets cost the same number of points, this is the first. `others` is the number of later sets with the
    same cost.
    """

    hand: int
    side: int
    cost: int
    """Points lost, as a positive number."""
    bid: Bid
    others: int


class Run(Struct, frozen=True):
    """The longest streak of bids that a side made, from hand `first` to hand `last`.

    Bids of other sides and hands that were thrown in don't end the streak.
    """

    side: int
    bids: int
    first: int
    last: int


class Comeback(Struct, frozen=True):
    """The moment when the side that later won was furthest behind.

    After hand `hand`, the winner `side` was `behind` points behind the leading side.
    """

    hand: int
    side: int
    behind: int


class Moments(Struct, frozen=True):
    """The highlights of a game.

    If nothing of a kind happened in the game, that highlight is None, and `lead_changes` is empty.
    """

    lead_changes: tuple[LeadChange, ...]
    only_leader: int | None
    """The side that was ahead, or tied for the lead, after every hand, and led at least once; None if no side was."""
    all_the_way: bool
    """Whether the only leader led after every hand, without a tie."""
    biggest_set: BigSet | None
    longest_run: Run | None
    comeback: Comeback | None


def standings(game: Game) -> tuple[ChartPoint, ...]:
    """Return the score before the first hand and after each hand that counts.

    The result is empty for a game that was entered as a final score.
    """
    if game.final is not None:
        return ()
    found = [ChartPoint(0, (0,) * len(game.table.sides))]
    for line in game.counted:
        if line.is_hand:
            hand = line.entry.hand
            back = bidding_sides(game.table, hand) if line.made is False else ()
            found.append(ChartPoint(line.number, line.tally.totals, back))
        else:
            last = found[-1]
            found[-1] = ChartPoint(last.hand, line.tally.totals, last.was_set)
    return tuple(found)


def moments(game: Game) -> Moments:
    """Return the highlights of a game, which may still be in progress."""
    way = standings(game)
    led = [(standing.hand, standing.leader) for standing in way if standing.leader is not None]
    changes = tuple(LeadChange(hand, side) for (_, before), (hand, side) in pairwise(led) if side != before)
    ahead = led[0][1] if led and all(each.totals[led[0][1]] == max(each.totals) for each in way) else None
    return Moments(
        lead_changes=changes,
        only_leader=ahead,
        all_the_way=ahead is not None and all(each.leader == ahead for each in way[1:]),
        biggest_set=_biggest_set(game),
        longest_run=_longest_run(game),
        comeback=_comeback(game, way),
    )


def worst_moment(game: Game) -> Comeback | None:
    """Return the moment when the winner was furthest behind.

    Return None if a single hand could have made up the difference. Also return None if nobody has won yet, or if the
    winner isn't ahead at the end.
    """
    return _comeback(game, standings(game))


def _biggest_set(game: Game) -> BigSet | None:
    sets = []
    for line in game.counted:
        if line.made is False:
            hand = line.entry.hand
            side = bidding_sides(game.table, hand)[0]
            assert hand.bid is not None
            sets.append(BigSet(line.number, side, -line.delta[side], hand.bid, 0))
    most = max((each.cost for each in sets), default=0)
    if most <= 0:  # a set that stops at zero may cost nothing
        return None
    biggest = [each for each in sets if each.cost == most]
    first = biggest[0]
    return BigSet(first.hand, first.side, first.cost, first.bid, len(biggest) - 1)


def _longest_run(game: Game) -> Run | None:
    running: dict[int, Run] = {}
    best: Run | None = None
    for line in game.counted:
        if line.made is None:
            continue
        for side in bidding_sides(game.table, line.entry.hand)[:1]:
            before = running.pop(side, None)
            if line.made:
                running[side] = (
                    Run(side, before.bids + 1, before.first, line.number)
                    if before
                    else Run(side, 1, line.number, line.number)
                )
                if best is None or running[side].bids > best.bids:
                    best = running[side]
    return best if best is not None and best.bids > 1 else None


def _comeback(game: Game, way: tuple[ChartPoint, ...]) -> Comeback | None:
    """Return the comeback of the winner, or None if there was none.

    In a comeback, the winner is ahead at the end but was once further behind than a single hand could make up. `way` is
    the score after each hand.
    """
    winner = None if game.outcome is None else game.outcome.winner
    if winner is None or not way or lead_of(way[-1].totals, winner) <= 0:
        return None
    behind, worst = max(((-lead_of(standing.totals, winner), standing) for standing in way), key=lambda item: item[0])
    return Comeback(worst.hand, winner, behind) if behind > game.table.most else None
