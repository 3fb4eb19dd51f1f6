"""Calculate which players are sure to qualify ("through"), which can't ("out"), and what all other players need.

Future opponents aren't known. So the calculation allows everybody to attend or miss each remaining night, and to win or
lose each game there. New players may come, too. The final value of each unit (a player or a set of partners) therefore
has a range that doesn't depend on the other units.

A unit is through if it finishes among the first `places` in every possible case, even if it loses all ties. A unit is
out if it does so in no possible case, even if it wins all ties. Once nothing is left to play, the ranking itself
decides, tie-breakers included.

If the season ranks by points, a game is assumed to score from `Left.low` to `Left.high` points. If the final value of a
unit depends on more than its own remaining games (see `can_tell`), there is no result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from heapq import nlargest
from math import ceil, floor
from typing import Literal, NamedTuple

from msgspec import Struct

from scorekeeper.games.logic.statistics.hands import Unit
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings


class Left(Struct, frozen=True, kw_only=True):
    """What is left to play in a season.

    `nights` is the number of nights that haven't been opened yet. Each has `rounds` rounds. `now` is the number of the
    open night, or 0 if no night is open. The open night has `now_rounds` rounds in all. A game scores from `low` to
    `high` points.
    """

    nights: int
    rounds: int
    now: int = 0
    now_rounds: int = 0
    low: int = 0
    high: int = 0
    so_far: int = 0
    """Number of nights so far, the open one included."""

    @property
    def over(self) -> bool:
        """Return whether nothing is left to play."""
        return not self.nights and not self.now


class Outlook(Struct, frozen=True):
    """The chances of a player or a set of partners of qualifying for the playoffs, and what they still need.

    The state is "through" if they are sure to qualify, "out" if they can't qualify anymore, and otherwise "open".
    `games` is the number of games they have left. `sure` is the lowest total from these games that guarantees a place.
    `least` is the lowest total with which they can still qualify. A total is a number of wins if the season ranks by
    wins, otherwise a number of points. `sure` and `least` are None if no such total exists or if it can't be
    calculated.
    """

    unit: Unit
    state: Literal["through", "out", "open"]
    games: int = 0
    sure: int | None = None
    least: int | None = None


class NightPart(NamedTuple):
    """A player's or partners' games, points and wins on one night. Byes count as the season's settings say."""

    games: int
    points: int
    wins: int


def can_tell(settings: StandingSettings) -> bool:
    """Return whether the race for the playoffs can be calculated with these settings.

    With a handicap, or with byes that score an average, later games can change the points of past nights. The race
    can't be calculated then.
    """
    return settings.order == "wins" or (settings.handicap == "none" and settings.bye != "average")


def race(rows: Sequence[StandingRow], settings: StandingSettings, places: int, left: Left) -> tuple[Outlook, ...]:
    """Return the chances of each unit of finishing in the top `places`, in the order of `rows`.

    A unit is one player or a set of partners. Return () if the chances can't be calculated with these settings.
    """
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


class _Past(Struct, frozen=True):
    """What a player or a set of partners (a unit) has done so far.

    `nights` are its closed nights, and `played` is the number of games it has played. `more` is the number of rounds
    that it can still play on the open night.
    """

    nights: tuple[NightPart, ...]
    played: int
    more: int
    now: NightPart = NOTHING
    """Games, points and wins of the unit on the open night so far."""

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
    """Return the lowest and the highest value with which a unit can end the season.

    The value is what the season ranks by. The lowest is None if the unit may end with too few games to be ranked. Both
    are None if the unit can no longer reach the minimum number of games.
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
    """Yield the values with which a unit can end the season if it scores `level` points in every remaining game.

    The value is what the season ranks by. It depends on how many of the future nights the unit attends, and on whether
    the unit plays the rest of the open night. One value is yielded for each combination. `won` says whether the unit
    wins or loses all these games.
    """
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
    """Return the value that the season ranks by, calculated from the `kept` best nights.

    The remaining nights are dropped, as in `nights.score_nights`. Return None if `nights` is empty.
    """
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
    """Return the value at rank `places` among the values of the other units, or None if there are too few.

    `values` includes the unit's `own` value, which is left out.
    """
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
    """Return the outlook of a unit. `values` are the lowest and highest values with which the unit can end the season.

    A unit is sure to qualify if its lowest value is above `to_pass`, and out if its highest value is below `to_reach`.
    `to_pass` is None if any lowest value is enough to qualify. `to_reach` is None if no highest value is too low.
    """
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
