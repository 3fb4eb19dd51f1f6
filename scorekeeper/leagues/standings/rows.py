"""Add up the results of one night for the standings, without using other nights or the season's settings.

The sums of a closed night never change, so they can be stored. They are stored for the people who
actually played, with the regulars they substituted for. The settings for substitutes, and merges of people, are applied
only when several nights are added up.

A row of the standings, with its nights and its ties.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

from scorekeeper.games.logic.statistics.hands import GameKey, Played, Total, Unit

Seat = tuple[int, int | None]
"""The ids of a player and of the regular they substituted for. The second is None if they weren't a substitute."""


class NightSums(NamedTuple):
    """The points, wins and other results of a person or of partners, added up over the games of one night.

    `seats` has the person or the partners, lowest id first. `played` counts games. `byes` counts the rounds that the
    person sat out, which aren't included in the other sums. `difference` is the points scored minus the points of the
    best other side. `unknown` counts imported games whose winner isn't known.

    To store another sum, append a field and fill it in `_add`. Nights that were closed without that field are then
    added up again from their tables (see `closed_nights`).
    """

    seats: tuple[Seat, ...]
    played: int
    points: int
    wins: int
    losses: int
    difference: int
    sets: int
    byes: int
    unknown: int


Sums = dict[tuple[Seat, ...], dict[str, int]]
"""Sums that are still being added up. A key is a `NightSums.seats`; its value maps the other field names to numbers."""
Lines = Mapping[int, Iterable[NightSums]]
"""By number of the night: the sums of all people, or of all partners."""
Tallies = Mapping[Unit, Mapping[int, NightSums]]
"""By unit (a player or a set of partners), then by number of the night: the sums that count for the unit."""


def by_night(played: Iterable[Played]) -> Mapping[int, Sequence[Played]]:
    """Group games and byes by the number of their night. The records in `played` can be in any order."""
    nights: defaultdict[int, list[Played]] = defaultdict(list)
    for game in played:
        nights[game.night].append(game)
    return nights


def tally_people(played: Iterable[Played]) -> list[NightSums]:
    """Return each person's totals for one night. The records in `played` can be in any order."""
    sums: Sums = {}
    for game in played:
        _add(sums, ((game.person, game.sub_for),), game)
    return _in_order(sums)


def tally_teams(played: Iterable[Played]) -> list[NightSums]:
    """Return the points, wins and other sums of each set of partners on one night.

    `played` has a record for each player on a side. Only the record of the player with the lowest id is counted. A
    round that someone without a partner sat out counts for no partners.
    """
    sums: Sums = {}
    records = sorted(played, key=lambda game: game.person)
    regulars = {(game.game, game.person): game.sub_for for game in records if game.sub_for is not None}
    seen: set[tuple[int, GameKey, tuple[int, ...]]] = set()
    for game in records:
        sat_out_alone = game.bye and not game.partners
        if game.total is not None or sat_out_alone:
            continue
        sat = tuple(sorted((game.person, *game.partners)))
        once = game.round, game.game, sat
        if once not in seen:
            seen.add(once)
            _add(sums, tuple((person, regulars.get((game.game, person))) for person in sat), game)
    return _in_order(sums)


def credit(lines: Lines, subs: str) -> Tallies:
    """Return the sums that count for each unit, by unit and then by number of the night.

    A unit is one player or a set of partners. `lines` has the `NightSums` of all people, or of all partners, by number
    of the night. `subs` is the season's setting for substitutes (`credit.credited`).
    """
    credited: dict[Unit, dict[int, NightSums]] = {}
    for night, tallies in lines.items():
        for tally in tallies:
            for unit in units(tally.seats, subs):
                nights = credited.setdefault(unit, {})
                nights[night] = _both(nights[night], tally) if night in nights else tally
    return credited


def units(seats: Sequence[Seat], subs: str) -> Iterable[Unit]:
    """Return the units for which the games of the players in `seats` count. A unit is one player or a set of partners.

    `subs` is the season's setting for substitutes. With "sub", a game counts for the people who played. With "regular",
    a regular counts in place of their substitute. With "both", the game counts both ways.
    """
    if len(seats) == 1 and seats[0][1] is None:
        return ((seats[0][0],),)
    sat = tuple(sorted(person for person, _regular in seats))
    regular = tuple(sorted(person if sub_for is None else sub_for for person, sub_for in seats))
    return dict.fromkeys({"sub": (sat,), "regular": (regular,), "both": (regular, sat)}[subs])


def _both(one: NightSums, other: NightSums) -> NightSums:
    """Add two `NightSums` field by field. The result has the `seats` of `one`."""
    return NightSums(one.seats, *map(sum, zip(one[1:], other[1:], strict=True)))


def _add(sums: Sums, seats: tuple[Seat, ...], game: Played) -> None:
    line = sums.get(seats)
    if line is None:
        line = sums[seats] = dict.fromkeys(NightSums._fields[1:], 0)
    if game.bye:
        line["byes"] += 1
        return
    if game.total is not None:
        _add_total(line, game.points, game.total)
        return
    line["played"] += 1
    line["points"] += game.points
    line["wins"] += game.won
    line["losses"] += not game.won and not game.drawn
    line["difference"] += game.points - game.points_against
    line["sets"] += game.sets


def _add_total(line: dict[str, int], points: int, total: Total) -> None:
    """Add the imported total of a night to the sums in `line`.

    A total counts as one game if its number of games is unknown.
    """
    games, known = total.games or 1, (total.wins or 0) + (total.losses or 0)
    line["played"] += games
    line["points"] += points
    line["wins"] += total.wins or 0
    line["losses"] += total.losses or 0
    line["unknown"] += games - known if total.wins is None or total.losses is None else 0


def _in_order(sums: Sums) -> list[NightSums]:
    order = sorted(sums, key=lambda seats: [(who, sub_for or 0) for who, sub_for in seats])
    return [NightSums(seats, **sums[seats]) for seats in order]


class NightScore(NamedTuple):
    """The score of a player or team on one night, as part of their row in the standings.

    `games` includes byes that score. `played` counts only the games actually played. `points` include byes and the
    `handicap`. `difference` is the points scored minus the points of the best other side. `unknown` counts
    imported games whose winner isn't known. `counts` is false for a dropped night.
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
    unknown: int
    counts: bool


class Nights(Struct, frozen=True):
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
                tally.unknown,
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


class StandingRow(Struct, frozen=True):
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
        """Return (wins, losses), or (wins, losses, tied games) if any game was tied.

        Return () if the row has only imported games without a known winner.
        """
        told = (self.wins, self.losses, self.draws) if self.draws else (self.wins, self.losses)
        return told if any(told) or not self.sums.unknown else ()

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
