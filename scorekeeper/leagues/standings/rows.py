"""A row of the standings, with its nights and its ties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.leagues.standings.night_sums import NightSums


class NightScore(NamedTuple):
    """The score of a player or team on one night, as part of their row in the standings.

    `games` includes byes that score. `played` counts only the games actually played. `points` include byes and the
    `handicap`. `difference` is the points scored minus the points of the best other side. `counts` is false for a
    dropped night.
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
    """The nights of one player or team in the standings, oldest first. Iterating yields a `NightScore` for each night.

    Scores are calculated on demand, because a season may have thousands. `tallies` has pairs of a night's number and
    its sums. `given` has the handicap points per game, by number of the night. `bye` is the score of a bye, multiplied
    by `scale` to make it a whole number, or None if byes don't score. `bye_wins` says whether a bye counts as a win.
    `dropped` has the numbers of the dropped nights.
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
        """Return how many byes count as games. Byes on dropped nights are left out."""
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
    """A tie between units (players or sets of partners), and the tie-breaker that broke the tie.

    `tied_on` has the key of what the season ranks by, followed by the keys of the tie-breakers that didn't separate the
    units. `at` is the value that the season ranks by, which all the units share.

    `rule` is the first tie-breaker that separates at least two units, or empty if the units share a rank. `units` are
    in the resulting order, and `values` has what `rule` compared for each of them. `skipped` has the earlier
    tie-breakers that didn't count for these units. If `rule` is also in `tied_on`, it split a smaller tie that it had
    left before. If only units that are sure to lead could be put first (`ties.TieBreak.leaders`), `leaders` is the
    number of these, otherwise 0.

    `drawn_at` is when a random draw was written to the league's log. `drawn_at` is None before the night is closed, and
    if the tie wasn't broken by a random draw.
    """

    units: tuple[Unit, ...]
    tied_on: tuple[str, ...]
    at: Fraction
    rule: str
    values: tuple[TieValue, ...]
    skipped: tuple[str, ...] = ()
    leaders: int = 0
    drawn_at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class StandingRow:
    """The row of one unit (a player or a set of partners) in the standings.

    `place` is the rank, or None if the unit is unranked. `value` is the number that the season ranks by. The sums
    include only the nights that count. `played`, `byes` and `nights` also include dropped nights. `points` include the
    handicap and byes that score. `ties` are the ties that decided the rank, starting with the one between the most
    units.
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
    """The sums over the nights that count, without handicap points and without points for byes."""
    nights: Nights
    ties: tuple[Tie, ...] = ()

    @property
    def person(self) -> int:
        """Return the id of the person or, for fixed partners, the lowest of their ids."""
        return self.unit[0]

    @property
    def draws(self) -> int:
        """Return the number of tied games.

        Byes that score and imported games without a known winner don't count as ties.
        """
        unclear = self.sums.unknown + (0 if self.nights.bye_wins else self.nights.scored_byes)
        return self.games - self.wins - self.losses - unclear

    @property
    def record(self) -> tuple[int, ...]:
        """Return (wins, losses), or (wins, losses, tied games) if any game was tied."""
        return (self.wins, self.losses, self.draws) if self.draws else (self.wins, self.losses)

    @property
    def drawn_at(self) -> datetime | None:
        """Return when a random draw decided the row's rank.

        Return None if there was no draw, or if the night isn't closed yet.
        """
        return next((tie.drawn_at for tie in self.ties if tie.drawn_at), None)

    @property
    def per_game(self) -> Fraction | None:
        """Return the points per game, or None if no games count."""
        return self.points / self.games if self.games else None

    @property
    def dropped(self) -> tuple[int, ...]:
        """Return the numbers of the dropped nights."""
        return tuple(sorted(self.nights.dropped))
