"""A row of the standings, the nights behind it, and the ties it went through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.leagues.standings.night_sums import NightSums


class NightScore(NamedTuple):
    """One night of a row.

    `games` includes byes that score; `played` counts the games actually played. `points` include byes and the
    `handicap`. `difference` is points scored less those of the best other side. `counts` is false for dropped nights.
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
    """The nights of a row, oldest first; each score is calculated on demand, because a season has three thousand.

    `tallies` are the sums by number of the night, `given` the handicap points per game by night. `bye` is the score of
    a bye times `scale`, a whole number, or None if a bye isn't a game. `dropped` are the dropped nights.
    """

    tallies: Sequence[tuple[int, NightSums]]
    given: Mapping[int, int]
    bye: int | None
    scale: int
    bye_wins: bool
    dropped: frozenset[int] = frozenset()

    def __len__(self) -> int:
        """Return the number of nights."""
        return len(self.tallies)

    @property
    def scored_byes(self) -> int:
        """Return how many byes count as games."""
        return 0 if self.bye is None else sum(tally.byes for night, tally in self.tallies if night not in self.dropped)

    def __iter__(self) -> Iterator[NightScore]:
        """Yield the score of each night."""
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
"""A value that a tie-breaker compares."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie between units, and the tie-breaker that broke it.

    `tied_on` holds the keys of the criteria on which they are tied: first the season's ranking, with its value in `at`,
    then the tie-breakers tried before. `rule` is the first tie-breaker that separates at least two of them; `values`
    has its value for each of `units`, which are in the resulting order. If none does, `rule` is empty and they share a
    rank. `skipped` are the tie-breakers before it that didn't count for these units. `drawn_at` is when a random draw
    was written to the league's log; None before the night is closed, and for any other rule.
    """

    units: tuple[Unit, ...]
    tied_on: tuple[str, ...]
    at: Fraction
    rule: str
    values: tuple[TieValue, ...]
    skipped: tuple[str, ...] = ()
    drawn_at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class StandingRow:
    """The row of one unit in the standings.

    `place` is its rank, None if unranked. `value` is that of the season's ranking. All sums are over the nights that
    count, except `played`, `byes` and `nights`, which include dropped ones. `points` include the handicap and byes that
    score. `ties` are the ties it went through, widest first.
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
    """The sums over the nights that count, including their byes."""
    nights: Nights
    ties: tuple[Tie, ...] = ()

    @property
    def person(self) -> int:
        """Return the id of the person, of fixed partners the lowest."""
        return self.unit[0]

    @property
    def draws(self) -> int:
        """Return the number of ties. Neither a bye that scores nor a game of an imported total is one."""
        unclear = self.sums.unknown + (0 if self.nights.bye_wins else self.nights.scored_byes)
        return self.games - self.wins - self.losses - unclear

    @property
    def record(self) -> tuple[int, ...]:
        """Return wins and losses, and ties if there are any."""
        return (self.wins, self.losses, self.draws) if self.draws else (self.wins, self.losses)

    @property
    def drawn_at(self) -> datetime | None:
        """Return when its rank was drawn by lot, None if it wasn't."""
        return next((tie.drawn_at for tie in self.ties if tie.drawn_at), None)

    @property
    def per_game(self) -> Fraction | None:
        """Return the points per game, None without games."""
        return self.points / self.games if self.games else None

    @property
    def dropped(self) -> tuple[int, ...]:
        """Return the numbers of the dropped nights."""
        return tuple(sorted(self.nights.dropped))
