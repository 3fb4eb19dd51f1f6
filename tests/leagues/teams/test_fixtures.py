"""The matches, standings and playoffs of a team season, for every number of teams."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from scorekeeper.leagues.schedule.formats.knockout import bracket, champion, next_rounds, pairings, placed
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.plan import RoundPlan, TableResult
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.teams.fixtures import Match, MatchScore, match_days, play_off, seeds_of, table_of, team_race
from scorekeeper.rules.phrase import RuleViolation

PAIR = (((1, 2), (3, 4)), ((5, 6), (7, 8)))


@given(st.integers(2, 16), st.booleans())
def test_every_two_teams_meet_once_or_at_home_and_away(count: int, double: bool) -> None:
    teams = list(range(10, 10 + count))
    days = match_days(teams, double=double)
    for day in days:
        playing = [team for match in day for team in match]
        assert len(playing) == len(set(playing)) == count - count % 2
    met = Counter(match for day in days for match in day)
    pairs = {frozenset(match) for match in met}
    assert pairs == {frozenset(two) for two in combinations(teams, 2)}
    assert sum(met.values()) == len(pairs) * (2 if double else 1)
    homes = Counter(home for day in days for home, _away in day)
    assert max(homes.values()) - min(homes[team] for team in teams) <= (0 if double else 1)


def knockout(count: int, seed: int, **options: int) -> tuple[Night, list[RoundPlan]]:
    """Play a knockout of `count` single players with random winners.

    Return the night after its last round, and a list of all rounds. `seed` is for the random numbers, and `options` are
    options of the knockout format.
    """
    rng = Random(seed)
    night = Night(people=tuple(range(count)), teams=tuple((team,) for team in range(count)), options=options)
    while plans := next_rounds(night):
        results = tuple(TableResult(table.number, table.seats, (1, 0), rng.randint(0, 1)) for table in plans[0].tables)
        night = Night(
            people=night.people,
            teams=night.teams,
            options=options,
            past=(*night.past, plans[0]),
            results=(*night.results, results),
        )
    return night, list(night.past)


@given(st.integers(2, 17), st.integers(0, 10**6), st.booleans(), st.booleans())
def test_a_knockout_ends_with_one_champion(count: int, seed: int, third: bool, reseed: bool) -> None:
    night, rounds = knockout(count, seed, third=int(third), reseed=int(reseed))
    groups = placed(night)
    assert champion(night) == groups[0][0]
    assert sorted(team for group in groups for team in group) == sorted(night.teams)
    games = sum(len(plan.tables) for plan in rounds)
    assert games == count - 1 + (third and count > 3)
    assert len(rounds) == (count - 1).bit_length()
    if third and count > 3:
        assert [len(group) for group in groups[:4]] == [1, 1, 1, 1]
        last = {table.number: table for table in rounds[-1].tables}
        result = next(each for each in night.results[-1] if each.number == 2)
        assert groups[2] == ((last[2].seats[result.winner or 0],),)


@given(st.integers(2, 17), st.integers(0, 10**6), st.booleans(), st.booleans())
def test_the_picture_of_a_bracket_shows_every_game_and_the_way_of_every_team(
    count: int, seed: int, third: bool, reseed: bool
) -> None:
    night, rounds = knockout(count, seed, third=int(third), reseed=int(reseed))
    whole = pairings(night)
    assert [sum(not each.third for each in shown) for shown in whole][::-1] == [
        *(2**left for left in range(len(whole) - 1)),
        len([pair for pair in zip(*[iter(bracket(count))] * 2, strict=True) if any(one is not None for one in pair)]),
    ]
    for played, shown, results in zip(rounds, whole, night.results, strict=True):
        games = {frozenset(each.seeds): each.table for each in shown if not each.bye}
        assert games == {frozenset(table.seats): table.number for table in played.tables}
        assert {each.seeds[0] for each in shown if each.bye} == set(played.byes)
        assert [each.third for each in shown] == sorted(each.third for each in shown)
        assert len(results) == len(games)
    if not reseed:  # each pair of games leads to the game beside it
        for before, after in pairwise(whole):
            main = [each for each in after if not each.third]
            for place, each in enumerate(main):
                ways = {one for way in before[2 * place : 2 * place + 2] for one in way.seeds}
                assert set(each.seeds) <= ways
    for past in range(len(rounds)):  # what is known while a round is played doesn't change later
        part = structs.replace(night, past=night.past[: past + 1], results=night.results[:past])
        assert pairings(part)[: past + 1] == whole[: past + 1]
        assert len(pairings(part)) == len(whole)
        coming = structs.replace(part, past=part.past[:past])
        assert [{*each.seeds} for each in pairings(coming)[past]] == [
            {*each.seeds} for each in whole[past] if not each.third
        ]


@given(st.integers(4, 17), st.integers(0, 10**6))
def test_seeding_again_sets_the_best_left_against_the_lowest(count: int, seed: int) -> None:
    _night, rounds = knockout(count, seed, reseed=1)
    for plan in rounds[1:]:
        left = sorted(plan.present)
        assert [sorted(table.seats) for table in plan.tables if left[0] in table.seats] == [[left[0], left[-1]]]


def test_a_tied_match_of_play_offs_goes_to_more_points_then_to_the_better_seed() -> None:
    assert MatchScore((1, 1), (30, 31), (0, 0)).goes_on("tables") == 1
    assert MatchScore((1, 1), (30, 30), (0, 0)).goes_on("tables") == 0
    assert MatchScore((0, 2), (40, 30), (0, 0)).goes_on("tables") == 1
    assert MatchScore((0, 2), (40, 30), (0, 0)).goes_on("points") == 0


def test_the_next_round_of_teams() -> None:
    seeds = [5, 6, 7, 8]
    first, groups = play_off(seeds, [], "tables", {"third": 1})
    assert first == [(5, 8), (6, 7)]
    assert groups == ((5, 6, 7, 8),)
    played = [
        Match(1, 1, 5, 8, MatchScore((0, 2), (10, 42), (0, 0))),
        Match(2, 1, 6, 7, MatchScore((2, 0), (42, 0), (0, 0))),
    ]
    second, _groups = play_off(seeds, [played], "tables", {"third": 1})
    assert sorted(second) == [(5, 7), (6, 8)]
    won = MatchScore((2, 0), (42, 0), (0, 0))
    finals = [Match(3 + place, 2, *match, won) for place, match in enumerate(second)]
    after, groups = play_off(seeds, [played, finals], "tables", {"third": 1})
    assert after == []
    assert groups == ((6,), (8,), (5,), (7,))


@given(st.integers(2, 9), st.integers(0, 10**6), st.booleans(), st.booleans())
def test_later_rounds_count_as_they_were_played(count: int, seed: int, third: bool, reseed: bool) -> None:
    """A match that is corrected after the next round was made sends nobody else on, and moves nobody up or down."""
    rng, seeds = Random(seed), list(range(10, 10 + count))
    options = {"third": int(third), "reseed": int(reseed)}
    rounds: list[list[Match]] = []
    numbers = iter(range(1, 100))
    while coming := play_off(seeds, rounds, "tables", options)[0]:
        rounds.append([Match(next(numbers), len(rounds) + 1, *pair, _score(rng.randint(0, 1))) for pair in coming])
    before = play_off(seeds, rounds, "tables", options)
    assert [team for group in before[1] for team in group if group == before[1][0]] == [before[1][0][0]]
    for day in rounds[:-1]:
        place = rng.randrange(len(day))
        score = day[place].score
        assert score is not None
        day[place] = structs.replace(day[place], score=_score(1 - score.goes_on("tables")))
    assert play_off(seeds, rounds, "tables", options) == before


def _score(winner: int) -> MatchScore:
    won = (1 - winner, winner)
    return MatchScore(won, (21 * won[0], 21 * won[1]), (0, 0))


def test_standings_of_teams() -> None:
    """In the standings of teams, a won match is worth 2 points and a tied match 1 point.

    The point differential is that of the games at the tables.
    """
    matches = [
        Match(1, 1, 1, 2, MatchScore((2, 0), (42, 10), (0, 3))),
        Match(2, 1, 3, 4, MatchScore((1, 1), (30, 20), (1, 1))),
        Match(3, 2, 1, 3),
    ]
    rows = table_of(matches, StandingSettings(), "tables", season="s", tags={})
    told = {row.person: (int(row.points), row.record, row.difference, row.sets) for row in rows}
    assert told == {1: (2, (1, 0), 32, 0), 2: (0, (0, 1), -32, 3), 3: (1, (0, 0, 1), 10, 1), 4: (1, (0, 0, 1), -10, 1)}
    assert [row.person for row in rows] == [1, 3, 4, 2]
    by_points = table_of(matches, StandingSettings(), "points", season="s", tags={})
    assert [row.person for row in by_points] == [1, 3, 4, 2]
    assert [row.points for row in by_points] == [2, 2, 0, 0]


def test_the_race_of_teams_ends_with_the_standings() -> None:
    matches = [Match(1, 1, 1, 2, MatchScore((1, 0), (21, 3), (0, 0)))]
    rows = table_of(matches, StandingSettings(), "tables", season="s", tags={})
    assert [told.state for told in team_race([1, 2], matches, rows, 1).values()] == ["through", "out"]


def test_division_winners_are_seeded_first() -> None:
    assert seeds_of([[1, 2, 3], [4, 5, 6]], 2) == [1, 4, 2, 5]


def test_each_pair_of_a_match_meets_every_other() -> None:
    night = Night(rounds=2, matches=(PAIR,))
    tables = [table for plan in TEAM_MATCH.next_rounds(night) for table in plan.tables]
    met = {frozenset(table.sides) for table in tables}
    assert met == {frozenset(((a, b), (c, d))) for a, b in PAIR[0] for c, d in PAIR[1]}
    assert [table.number for table in tables] == [1, 2, 1, 2]
    with pytest.raises(RuleViolation, match="two lineups"):
        TEAM_MATCH.next_rounds(Night(rounds=1, matches=(PAIR, PAIR)))
    with pytest.raises(RuleViolation, match="Choose tonight's matches"):
        TEAM_MATCH.next_rounds(Night(rounds=1))
