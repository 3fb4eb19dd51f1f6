"""A line of the standings, the nights behind it, and the ties it came through."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.leagues.standings.played import Unit


class NightScore(NamedTuple):
    """One night of a row; a season has three thousand, so it is a named tuple.

    `games` are those that count as games, byes that score among them; `played` those that were really played.
    `points` hold the byes and the `handicap`, the part of them that was given and not made. `difference` is made
    points less those of the best other side. `counts`: it is not one of the lowest nights that are dropped.
    """

    night: int
    games: int
    played: int
    wins: int
    losses: int
    points: Fraction
    handicap: int
    difference: int
    sets: int
    byes: int = 0
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Tie:
    """Units that the order left level, and what a rule of the chain did to them.

    `level` are the words of what they are level in: the order first, then the tie-breaks that came before; `at` is
    the value of the order. `rule` is the tie-break that told at least two of them apart, with the value of each in
    `values`, `units` in the order that it made; where no rule did, `rule` is empty, and they share a place.
    """

    units: tuple[Unit, ...]
    level: tuple[str, ...]
    at: Fraction
    rule: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """Where one unit stands.

    `place` is None below the minimum of games. `value` is what the order looks at. Everything is summed over the
    nights that count, but for `played`, `byes` and `nights`, which hold them all. `ties` are those it came through,
    the widest first.
    """

    place: int | None
    unit: Unit
    value: Fraction
    points: Fraction
    games: int
    wins: int
    losses: int
    handicap: int
    difference: int
    sets: int
    played: int
    byes: int
    nights: tuple[NightScore, ...]
    ties: tuple[Tie, ...] = ()

    @property
    def person(self) -> int:
        """Return the id of the person whose row this is, of fixed partners the first."""
        return self.unit[0]

    @property
    def draws(self) -> int:
        """Return how many games nobody won, with the byes that score but are not won."""
        return self.games - self.wins - self.losses

    @property
    def per_game(self) -> Fraction | None:
        """Return the points per game, None without one."""
        return self.points / self.games if self.games else None

    @property
    def dropped(self) -> tuple[int, ...]:
        """Return the nights that do not count."""
        return tuple(night.night for night in self.nights if not night.counts)
