"""What else is told of a night besides its ranking: best partners, most points in a game, biggest set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.games.logic.statistics.person_game import Played, Unit
from scorekeeper.leagues.standings.night_sums import tally_teams


class Best(NamedTuple):
    """The best number of the night, and the units that have it: several if they are tied, none if nobody has one.

    If the number comes from a single game, `at` has the round and the table of that game for each of `units`.
    """

    number: Fraction
    units: tuple[Unit, ...]
    at: tuple[tuple[int, int], ...] = ()


class SetHand(NamedTuple):
    """A hand that a bidder lost: the round, table and number of the hand, who bid, and the points it cost."""

    round: int
    table: int
    hand: int
    bidder: int
    cost: int


NOBODY = Best(Fraction(0), ())


def best_partners(played: Iterable[Played], least: int) -> Best:
    """Return the partners with the most points per game; of several, those with the best point difference.

    They need `least` games together or, if that is less, half of the most games that any partners had, because some
    had a bye. Byes and handicaps don't count.
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
    """Return the sides with the most points in one game, in the order of play; none if nobody scored above zero."""
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
    """Return the bidders of the sets that cost the most, in the order of play; none if no set cost anything.

    The number is below zero, as the set changed the score.
    """
    sets: Sequence[SetHand] = sorted(hands)
    most = max((hand.cost for hand in sets), default=0)
    if most <= 0:
        return NOBODY
    biggest = [hand for hand in sets if hand.cost == most]
    return Best(
        Fraction(-most), tuple((hand.bidder,) for hand in biggest), tuple((hand.round, hand.table) for hand in biggest)
    )
