"""Find the players who are through or out, and what the others need, while future opponents aren't known.

Everybody may come to each night that is left or miss it, and win or lose each game there; newcomers may come, too. So
each unit's final value is independent of the others' and has a range. A unit is through if it finishes among the first
`places` whatever happens, with a tie counted against it, and out if it can't, with a tie counted for it. Once nothing
is left to play, the ranking itself decides, tie-breakers included.

For points, `Left.low` and `Left.high` say what a game can score; everything here is exact within these. Where the
final value of a unit depends on more than its own games still to come (`can_tell`), nothing is said at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nlargest
from math import ceil, floor
from typing import Literal, NamedTuple

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What is left of a season.

    `nights` of `rounds` rounds are still to come. `now` is the number of the open night, and 0 if there is none; it has
    `now_rounds` rounds in all. A game scores from `low` to `high` points.
    """

    nights: int
    rounds: int
    now: int = 0
    now_rounds: int = 0
    low: int = 0
    high: int = 0
    so_far: int = 0
    """Nights so far, the open one included."""

    @property
    def over(self) -> bool:
        """Return whether nothing is left to play."""
        return not self.nights and not self.now


@dataclass(frozen=True, slots=True)
class Outlook:
    """What can still become of a unit.

    `sure` is the least result from its `games` left that makes it certain, `least` the least with which it is still
    possible: wins if the season ranks by wins, else points, in all of these games together. None if there is no such
    result, or if it can't be said.
    """

    unit: Unit
    state: Literal["through", "out", "open"]
    games: int = 0
    sure: int | None = None
    least: int | None = None


class NightPart(NamedTuple):
    """A night of one unit: games and wins that count, and points, with byes as the season counts them."""

    games: int
    points: int
    wins: int


def can_tell(settings: StandingSettings) -> bool:
    """Return whether a unit's past nights keep their value, and so its range can be calculated."""
    return settings.order == "wins" or (settings.handicap == "none" and settings.bye != "average")


def race(rows: Sequence[StandingRow], settings: StandingSettings, places: int, left: Left) -> tuple[Outlook, ...]:
    """Return the outlook of each unit for the first `places`, in the order of the standings; () if it can't be told."""
    if left.over:
        through = [row.unit for row in rows if row.place is not None][:places]
        return tuple(Outlook(row.unit, "through" if row.unit in through else "out") for row in rows)
    if not can_tell(settings):
        return ()
    values = {row.unit: _range(_Past.of(row, settings, left), settings, left) for row in rows}
    newcomer = _range(_Past((), 0, left.now_rounds), settings, left)
    best = [high for _low, high in values.values() if high is not None]
    worst = [low for low, _high in values.values() if low is not None]
    return tuple(
        _outlook(
            row,
            values[row.unit],
            # There may be any number of newcomers.
            _most(_nth(best, places, values[row.unit][1]), newcomer[1]),
            _nth(worst, places, values[row.unit][0]),
            settings,
            left,
        )
        for row in rows
    )


NOTHING = NightPart(0, 0, 0)


@dataclass(frozen=True, slots=True)
class _Past:
    """The nights of a unit that are over, the games it played, and the rounds it can still play on the open night."""

    nights: tuple[NightPart, ...]
    played: int
    more: int
    now: NightPart = NOTHING
    """What it has of the open night."""

    @classmethod
    def of(cls, row: StandingRow, settings: StandingSettings, left: Left) -> _Past:
        scores = settings.bye == "points"
        nights = {
            number: NightPart(
                tally.played + (tally.byes if scores else 0),
                tally.points + (settings.bye_points * tally.byes if scores else 0),
                tally.wins + (tally.byes if scores and settings.bye_wins else 0),
            )
            for number, tally in row.nights.tallies
        }
        sat = sum(tally.played + tally.byes for number, tally in row.nights.tallies if number == left.now)
        now = nights.pop(left.now, NOTHING)
        return cls(tuple(nights.values()), row.played, max(left.now_rounds - sat, 0), now)


def _range(past: _Past, settings: StandingSettings, left: Left) -> tuple[Fraction | None, Fraction | None]:
    """Return the lowest and highest final value.

    The lowest is None if the unit may end with too few games to be ranked, the highest if it must.
    """
    least_games = max(settings.min_games, 1)
    low, high = left.low, left.high
    if settings.bye == "points":
        low, high = min(low, settings.bye_points), max(high, settings.bye_points)
    if past.played + past.more + left.nights * left.rounds < least_games:
        return None, None
    lowest = min(_values(past, settings, left, low, won=False)) if past.played >= least_games else None
    return lowest, max(_values(past, settings, left, high, won=True))


def _values(past: _Past, settings: StandingSettings, left: Left, level: int, *, won: bool) -> Iterator[Fraction]:
    """Yield the final value for each number of nights attended, if every game there scores `level`."""
    kept = max(left.so_far + left.nights - settings.drop_nights, 1)
    for more in {0, past.more}:
        now = NightPart(past.now.games + more, past.now.points + more * level, past.now.wins + more * won)
        for attended in range(left.nights + 1):
            night = NightPart(left.rounds, left.rounds * level, left.rounds * won)
            nights = [one for one in (*past.nights, now, *[night] * attended) if one.games]
            value = _total(nights, settings.order, kept)
            if value is not None:
                yield value


def _total(nights: list[NightPart], order: str, kept: int) -> Fraction | None:
    """Return the value that the season ranks by, of the best nights (as `nights.score_nights` drops the others)."""
    worth: Callable[[NightPart], Fraction] = {
        "wins": lambda night: Fraction(night.wins),
        "points": lambda night: Fraction(night.points),
        "per_game": lambda night: Fraction(night.points, night.games),
    }[order]
    best = sorted(nights, key=lambda night: (worth(night), night.points), reverse=True)[:kept]
    if not best:
        return None
    if order == "per_game":
        return Fraction(sum(night.points for night in best), sum(night.games for night in best))
    return sum(map(worth, best), Fraction(0))


def _nth(values: Sequence[Fraction], places: int, own: Fraction | None) -> Fraction | None:
    """Return the value of rank `places` among the others', None if there are fewer; `own` is one of `values`."""
    others = nlargest(places + 1, values)
    if own in others:
        others.remove(own)
    return others[places - 1] if len(others) >= places else None


def _most(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return max((value for value in (one, other) if value is not None), default=None)


def _outlook(
    row: StandingRow,
    values: tuple[Fraction | None, Fraction | None],
    to_pass: Fraction | None,
    to_reach: Fraction | None,
    settings: StandingSettings,
    left: Left,
) -> Outlook:
    """Return the outlook of a unit that is through above `to_pass` and out below `to_reach`."""
    worst, best = values
    if best is None or (to_reach is not None and best < to_reach):
        return Outlook(row.unit, "out")
    if worst is not None and (to_pass is None or worst > to_pass):
        return Outlook(row.unit, "through")
    past = _Past.of(row, settings, left)
    games = past.more + left.nights * left.rounds
    if settings.drop_nights or not games:
        return Outlook(row.unit, "open", games)
    low, high = (0, games) if settings.order == "wins" else (left.low * games, left.high * games)
    # With every game played, the final value is the result of these games divided by `scale`, plus a constant.
    scale = row.games + games if settings.order == "per_game" else 1
    have = row.wins if settings.order == "wins" else row.points
    sure = low if to_pass is None else floor(to_pass * scale - have) + 1
    least = low if to_reach is None else ceil(to_reach * scale - have)
    return Outlook(
        row.unit,
        "open",
        games,
        max(sure, low) if sure <= high else None,
        least if low < least <= high else None,
    )
