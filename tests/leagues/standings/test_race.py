"""The race for the top ranks, which says whether a player can still reach them, checked by trying all possibilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from scorekeeper.leagues.standings.fixture_race import fixture_race
from scorekeeper.leagues.standings.race import Left, Outlook, can_tell, race
from scorekeeper.leagues.standings.rows import NightSums, StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import people_standings
from scorekeeper.leagues.standings.ties import Lots
from tests.support.each import for_each

FEW, MANY = 60, 1_000
NEVER_CAME = 99
Nights = dict[int, tuple[int, int, int]]
"""A person's games, points and wins, in that order, by the number of the night."""


def sums(person: int, games: int, points: int, wins: int) -> NightSums:
    return NightSums(((person, None),), games, points, wins, games - wins, 0, 0, 0, 0)


def ranked(past: dict[int, Nights], settings: StandingSettings) -> tuple[StandingRow, ...]:
    lines: dict[int, list[NightSums]] = {}
    for person, nights in past.items():
        for night, told in nights.items():
            lines.setdefault(night, []).append(sums(person, *told))
    return people_standings(lines, settings, lambda _people: (), Lots("season", {}))


class Season:
    """A small random season, of which some nights have been played and others are left to play."""

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        self.order = rng.choice(("wins", "wins", "points", "per_game"))
        self.played, self.rounds = rng.randint(1, 3), rng.randint(1, 2)
        nights = rng.randint(1, 2)
        self.settings = StandingSettings(
            order=self.order, ties=(), min_games=rng.choice((0, 0, 3, 5)), drop_nights=rng.choice((0, 0, 1, 2))
        )
        self.low, self.high = -2, 3
        self.past: dict[int, Nights] = {
            person: {night: self._night(rng) for night in range(1, self.played + 1) if rng.random() < 0.8}
            for person in range(1, rng.randint(4, 6))
        }
        # Somebody was there each night, so that the season has had that many.
        self.past[1] = {night: self._night(rng) for night in range(1, self.played + 1)}
        self.left = Left(nights=nights, rounds=self.rounds, low=self.low, high=self.high, so_far=self.played)
        self.places = rng.randint(1, 2)

    def _night(self, rng: Random) -> tuple[int, int, int]:
        games = rng.randint(1, self.rounds)
        return games, sum(rng.randint(self.low, self.high) for _game in range(games)), rng.randint(0, games)

    def endings(self, person: int) -> set[Fraction | None]:
        """Return all values that a person can have in the final ranking, with None for unranked.

        The values are calculated by the app's own code for rankings.
        """
        to_come = range(self.played + 1, self.played + self.left.nights + 1)
        levels = (self.low, 0, self.high) if self.order != "wins" else (0,)
        night: list[tuple[int, int, int] | None] = [None]
        for games in range(1, self.rounds + 1):
            for scores in product(levels, repeat=games):
                night += (
                    [(games, sum(scores), wins) for wins in range(games + 1)]
                    if self.order == "wins"
                    else [(games, sum(scores), 0)]
                )
        values: set[Fraction | None] = set()
        everybody = dict.fromkeys(range(1, to_come.stop), (1, 0, 0))
        for rest in product(night, repeat=self.left.nights):
            future = {number: told for number, told in zip(to_come, rest, strict=True) if told}
            rows = ranked({person: self.past.get(person, {}) | future, 1000: everybody}, self.settings)
            row = next((row for row in rows if row.person == person), None)
            values.add(row.value if row is not None and row.place is not None else None)
        return values


def by_trying(season: Season) -> dict[int, str]:
    """Return a dict that says for each person whether they can reach a top rank.

    "through" means that the person is sure of a top rank, "open" means undecided, and "out" means without a chance.
    Each possible final value of the person is compared with all combinations of the highest and lowest possible values
    of the other people. Any number of new people may still join the season.
    """
    endings = {person: season.endings(person) for person in season.past if season.past[person]}
    fresh = [value for value in season.endings(NEVER_CAME) if value is not None]
    found = {}
    for person, own in endings.items():
        others = [values for other, values in endings.items() if other != person]
        through = fits = False
        misses = False
        for mine in own:
            for rest in product(*(extremes(values) for values in others)):
                told = [value for value in rest if value is not None]
                if mine is None:
                    misses = True
                    continue
                if any(value >= mine for value in fresh) or sum(value >= mine for value in told) >= season.places:
                    misses = True
                if sum(value > mine for value in told) < season.places:
                    fits = True
        through = not misses
        found[person] = "through" if through else "open" if fits else "out"
    return found


def extremes(values: set[Fraction | None]) -> list[Fraction | None]:
    """Return the highest and the lowest of a person's possible final values.

    These values suffice to compare other people with this person. If the person may end unranked, None replaces the
    lowest value. The order of the list doesn't matter.
    """
    told = [value for value in values if value is not None]
    return list({None if None in values else min(told, default=None), max(told, default=None)})


@for_each("seed", range(FEW), parts=2)
def test_the_race_without_a_schedule_is_what_trying_everything_finds(seed: int) -> None:
    _check_race_without_a_schedule(seed)


@pytest.mark.slow
@for_each("seed", range(FEW, MANY), parts=4)
def test_the_race_without_a_schedule_is_for_long_what_trying_everything_finds(seed: int) -> None:
    _check_race_without_a_schedule(seed)


def _check_race_without_a_schedule(seed: int) -> None:
    season = Season(seed)
    told = race(ranked(season.past, season.settings), season.settings, season.places, season.left)
    assert {one.unit[0]: one.state for one in told} == by_trying(season)


def tables(
    teams: Sequence[int], matches: Sequence[tuple[int, int]], points: dict[int, int]
) -> Iterator[dict[int, int]]:
    for results in product((0, 1, 2), repeat=len(matches)):
        final = dict(points)
        for (home, away), got in zip(matches, results, strict=True):
            final[home] += got
            final[away] += 2 - got
        yield final


@for_each("seed", range(FEW))
def test_the_race_with_a_schedule_is_what_trying_everything_finds(seed: int) -> None:
    _check_race_with_a_schedule(seed)


@pytest.mark.slow
@for_each("seed", range(FEW, MANY), parts=4)
def test_the_race_with_a_schedule_is_for_long_what_trying_everything_finds(seed: int) -> None:
    _check_race_with_a_schedule(seed)


def _check_race_with_a_schedule(seed: int) -> None:
    rng = Random(seed)
    teams = list(range(1, rng.randint(3, 6)))
    points = {team: rng.randint(0, 7) for team in teams}
    matches = [(one, other) for one, other in (rng.sample(teams, 2) for _match in range(rng.randint(1, 6)))]
    places = rng.randint(1, len(teams) - 1)
    told = fixture_race(points, matches, places)
    finals = list(tables(teams, matches, points))
    for team in teams:
        misses = dict.fromkeys(range(100), False)
        fits = dict(misses)
        for final in finals:
            got = final[team] - points[team]
            others = [value for other, value in final.items() if other != team]
            misses[got] |= sum(value >= final[team] for value in others) >= places
            fits[got] |= sum(value > final[team] for value in others) < places
        most = 2 * sum(team in match for match in matches)
        state = "through" if not any(misses.values()) else "open" if any(fits.values()) else "out"
        assert told[team].state == state
        if state == "open":
            certain = [got for got in range(most + 1) if not any(misses[more] for more in range(got, most + 1))]
            assert told[team].sure == (min(certain) if certain else None)
            assert (told[team].least or 0) == min(got for got in fits if fits[got])


def test_wins_that_are_needed() -> None:
    settings = StandingSettings(order="wins", ties=())
    past: dict[int, Nights] = {1: {1: (8, 0, 8)}, 2: {1: (8, 0, 7)}, 3: {1: (8, 0, 6)}, 4: {1: (8, 0, 1)}}
    told = race(ranked(past, settings), settings, 2, Left(nights=1, rounds=3, so_far=1))
    assert told == (
        Outlook((1,), "open", 3, 2, None),
        Outlook((2,), "open", 3, 3, None),
        Outlook((3,), "open", 3, None, 1),
        Outlook((4,), "out"),
    )


def test_the_rest_of_the_open_night_counts() -> None:
    settings = StandingSettings(order="wins", ties=())
    past: dict[int, Nights] = {1: {1: (4, 0, 4), 2: (2, 0, 2)}, 2: {1: (4, 0, 3), 2: (2, 0, 0)}}
    left = Left(nights=0, rounds=4, now=2, now_rounds=4, so_far=2)
    assert [one.state for one in race(ranked(past, settings), settings, 1, left)] == ["through", "out"]


def test_the_ranking_decides_when_nothing_is_left() -> None:
    settings = StandingSettings(order="wins", ties=("draw",))
    past: dict[int, Nights] = {1: {1: (4, 0, 2)}, 2: {1: (4, 0, 2)}}
    told = race(ranked(past, settings), settings, 1, Left(nights=0, rounds=4, so_far=1))
    assert [one.state for one in told] == ["through", "out"]


@pytest.mark.parametrize(
    "settings",
    [StandingSettings(handicap="share", handicap_percent=50, handicap_cap=3), StandingSettings(bye="average")],
)
def test_nothing_is_said_where_it_is_not_exact(settings: StandingSettings) -> None:
    assert not can_tell(settings)
    assert race(ranked({1: {1: (4, 9, 2)}}, settings), settings, 1, Left(nights=1, rounds=1, so_far=1)) == ()


def test_a_race_too_large_says_nothing() -> None:
    teams = range(1, 13)
    matches = [(one, other) for one in teams for other in teams if one < other]
    assert fixture_race(dict.fromkeys(teams, 0), matches * 2, 4) == {}
