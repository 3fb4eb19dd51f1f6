"""Find the honors of a night: the best partners, the most points in a game, and the biggest set (failed bid)."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.games.logic.statistics.hands import Played, Unit
from scorekeeper.leagues.standings.rows import tally_teams


class Best(NamedTuple):
    """Those who earned an honor of the night (`units`: people or pairs), and the `number` that earned it.

    If `units` has several items, they are tied. If nobody earned the honor, `units` is empty. For an honor that is
    earned in a single game, `at` has a pair (round, table) for each item of `units`. For other honors, `at` is empty.
    """

    number: Fraction
    units: tuple[Unit, ...]
    at: tuple[tuple[int, int], ...] = ()


class SetHand(NamedTuple):
    """A hand in which the bidder was set (failed to make the bid).

    `hand` is the number of the hand. `bidder` is the row id of the bidder, and `cost` is the number of points lost.
    """

    round: int
    table: int
    hand: int
    bidder: int
    cost: int


NOBODY = Best(Fraction(0), ())


def best_partners(played: Iterable[Played], least: int) -> Best:
    """Return the partners with the most points per game. If partners are tied, the better point differential wins.

    Partners are considered if they played at least `least` games together, or at least half as many as the partners who
    played the most games together. Byes and handicaps don't count.
    """
    # Substitutes are partners like others, for anyone they play for.
    lines = tally_teams(game._replace(sub_for=None) for game in played)
    pairs = [line for line in lines if len(line.seats) > 1 and line.played]
    if not pairs:
        return NOBODY
    needed = min(least, max(line.played for line in pairs) / 2)
    values = {
        tuple(person for person, _regular in line.seats): (Fraction(line.points, line.played), line.difference)
        for line in pairs
        if line.played >= needed
    }
    best = max(values.values())
    return Best(best[0], tuple(sorted(unit for unit, value in values.items() if value == best)))


def most_points(played: Iterable[Played]) -> Best:
    """Return the sides with the most points in one game, in the order of play.

    No side is returned if nobody scored above zero.
    """
    games = [game for game in played if not game.bye and game.total is None]
    most = max((game.points for game in games), default=0)
    if most <= 0:
        return NOBODY
    sides = sorted(
        {
            (game.round, game.table, tuple(sorted((game.person, *game.partners))))
            for game in games
            if game.points == most
        }
    )
    return Best(
        Fraction(most), tuple(unit for *_where, unit in sides), tuple((at, table) for at, table, _unit in sides)
    )


def biggest_set(hands: Iterable[SetHand]) -> Best:
    """Return the bidders of the sets (failed bids) that cost the most points, in the order of play.

    No bidder is returned if no set cost any points. The `number` of the result is negative, since the set lowered the
    bidder's score by that many points.
    """
    sets: Sequence[SetHand] = sorted(hands)
    most = max((hand.cost for hand in sets), default=0)
    if most <= 0:
        return NOBODY
    biggest = [hand for hand in sets if hand.cost == most]
    return Best(
        Fraction(-most), tuple((hand.bidder,) for hand in biggest), tuple((hand.round, hand.table) for hand in biggest)
    )
