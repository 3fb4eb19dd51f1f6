"""A line of the standings, the nights behind it, and the ties it came through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.leagues.standings.night_sums import NightSums
from scorekeeper.leagues.standings.person_game import Unit


class NightScore(NamedTuple):
    """One night of a row.

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
    byes: int
    counts: bool


@dataclass(frozen=True, slots=True)
class Nights:
    """The nights of a row, the first one first: a season has three thousand, so each is told when it is looked at.

    `tallies` are their sums by number, `given` the points given in each game of a night. `bye` is what a bye scores
    as a whole number, `scale` times too big, None where it is no game. `dropped` are the lowest nights.
    """

    tallies: Sequence[tuple[int, NightSums]]
    given: Mapping[int, int]
    bye: int | None
    scale: int
    bye_wins: bool
    dropped: frozenset[int] = frozenset()

    def __len__(self) -> int:
        """Return how many nights there are."""
        return len(self.tallies)

    @property
    def scored_byes(self) -> int:
        """Return how many byes count as games."""
        return 0 if self.bye is None else sum(tally.byes for night, tally in self.tallies if night not in self.dropped)

    def __iter__(self) -> Iterator[NightScore]:
        """Yield what was scored on each night."""
        for night, tally in self.tallies:
            added = self.given.get(night, 0) * tally.played
            yield NightScore(
                night,
                tally.played + (0 if self.bye is None else tally.byes),
                tally.played,
                tally.wins + (tally.byes if self.bye_wins else 0),
                tally.losses,
                tally.points + added + Fraction(tally.byes * (self.bye or 0), self.scale),
                added,
                tally.difference,
                tally.sets,
                tally.byes,
                night not in self.dropped,
            )


TieValue = int | Fraction
"""What a tie-break compares."""


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
    values: tuple[TieValue, ...]


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
    sums: NightSums
    """What was made on the nights that count; `byes` among them are those too."""
    nights: Nights
    ties: tuple[Tie, ...] = ()

    @property
    def person(self) -> int:
        """Return the id of the person whose row this is, of fixed partners the first."""
        return self.unit[0]

    @property
    def draws(self) -> int:
        """Return how many games nobody won. A bye that scores and is not won is no draw."""
        return self.games - self.wins - self.losses - (0 if self.nights.bye_wins else self.nights.scored_byes)

    @property
    def record(self) -> tuple[int, ...]:
        """Return games won and lost, and not won by anybody if there are any."""
        return (self.wins, self.losses, self.draws) if self.draws else (self.wins, self.losses)

    @property
    def per_game(self) -> Fraction | None:
        """Return the points per game, None without one."""
        return self.points / self.games if self.games else None

    @property
    def dropped(self) -> tuple[int, ...]:
        """Return the nights that do not count."""
        return tuple(sorted(self.nights.dropped))
