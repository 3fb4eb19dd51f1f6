"""What a unit scored on each night, and which nights count.

A bye scores what the season says: nothing, and then it is no game; fixed points, as a game that is won or not as the
season says; or as a game, not won, with the average of the unit's own games of the season, handicap and dropped nights
included (where it has none, nothing). A bye has no point difference and no sets, and is given no handicap.

Where the lowest n nights are dropped, everybody keeps as many nights as the season has had so far less n, one at the
least: the best of his own. The nights he missed are dropped first. Nights are compared by what the order looks at, on
that night alone: the points per game, the points, or the wins; of level ones the night with fewer points goes, then the
earlier one. A dropped night counts for nothing more but the minimum of games, averages, and who met whom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm

from scorekeeper.leagues.standings.handicap import handicaps
from scorekeeper.leagues.standings.played import Unit
from scorekeeper.leagues.standings.rows import NightScore
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.tally import Tallies, Tally

Nights = dict[Unit, list[NightScore]]


def score_nights(tallies: Tallies, settings: StandingSettings) -> Nights:
    """Return the nights of each unit, the first one first, with those that are dropped marked."""
    given = handicaps(tallies, settings)
    so_far = len({night for nights in tallies.values() for night in nights})
    return {unit: drop(_scores(unit, nights, given, settings), so_far, settings) for unit, nights in tallies.items()}


def drop(scores: list[NightScore], so_far: int, settings: StandingSettings) -> list[NightScore]:
    """Return a unit's nights with the lowest marked as dropped, `so_far` nights into the season."""
    kept = max(so_far - settings.drop_nights, 1)
    lowest = [score for score in scores if score.games]
    if len(lowest) <= kept:
        return scores
    dropped = {night for *_, night in sorted(_merits(lowest, settings.order))[: len(lowest) - kept]}
    return [score._replace(counts=False) if score.night in dropped else score for score in scores]


def _merits(scores: Sequence[NightScore], order: str) -> Iterator[tuple[int, int, int]]:
    """What the order looks at on a night, its points, and the night.

    Points are whole numbers here, all as many times too big: fractions compare slowly.
    """
    scale = lcm(*(score.points.denominator * score.games for score in scores))
    for score in scores:
        points = score.points.numerator * (scale // score.points.denominator)
        value = {"wins": score.wins, "points": points, "per_game": points // score.games}[order]
        yield value, points, score.night


def _scores(
    unit: Unit, nights: Mapping[int, Tally], given: Mapping[tuple[Unit, int], int], settings: StandingSettings
) -> list[NightScore]:
    added = {night: given.get((unit, night), 0) * each.played for night, each in nights.items()}
    bye = _bye(sum(each.points for each in nights.values()) + sum(added.values()), nights, settings)
    scores = []
    for night, each in sorted(nights.items()):
        points = Fraction(each.points + added[night])
        games, wins = each.played, each.wins
        if each.byes and bye is not None:
            points += bye * each.byes
            games += each.byes
            wins += each.byes if settings.bye == "points" and settings.bye_wins else 0
        scores.append(
            NightScore(
                night,
                games,
                each.played,
                wins,
                each.losses,
                points,
                added[night],
                each.difference,
                each.sets,
                each.byes,
            )
        )
    return scores


def _bye(points: int, nights: Mapping[int, Tally], settings: StandingSettings) -> Fraction | None:
    """What a bye scores, None where it is no game."""
    if settings.bye == "points":
        return Fraction(settings.bye_points)
    played = sum(each.played for each in nights.values())
    return Fraction(points, played) if settings.bye == "average" and played else None
