"""Two hundred random seasons, for which two calculations give the same statistics of every player."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scorekeeper.games.logic.statistics.hands import HandPlayed, Hands, Played, Points, hands_of
from scorekeeper.games.logic.statistics.table_games import Companions, Games, games_of
from scorekeeper.rules.presets import preset_named
from scorekeeper.rules.record import read_record
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import Table, set_table, table_at
from tests.leagues.statistics import second_calculation
from tests.leagues.statistics.played_games import records_of_game, records_of_hand
from tests.rules.random_play import play

SEASONS = 200
BATCHES = 20
TABLES: tuple[Table, ...] = (
    *(
        set_table(with_options(preset_named(preset), {"target": target}), players, sides)
        for preset, target, players, sides in (
            ("setback-21", 9, 4, None),
            ("setback-21", 9, 4, [[0], [1], [2], [3]]),
            ("setback-7-pitch", 7, 3, None),
            ("somerset-66", 30, 5, None),
            ("somerset-66", 30, 6, None),
            ("ten-point-52", 20, 4, None),
            ("ten-point-52", 20, 6, [[0, 3], [1, 4], [2, 5]]),
            ("ten-point-52", 20, 8, None),
        )
    ),
    *(
        table_at(with_options(preset_named(preset), {"target": 20}), seating)
        for preset in ("ten-point-52", "call-partner-pitch")
        for seating in preset_named(preset).seatings
        if seating.kind == "called"
    ),
)


def _plain_games(games: Games) -> dict[str, Any]:
    return {
        "games": games.games,
        "won": games.won.hits,
        "lost": games.lost,
        "drawn": games.drawn,
        "longest": games.streaks.longest,
        "current": games.streaks.current,
        "nights": [(line.night, line.games, line.won, line.points) for line in games.nights],
        "partners": _plain_companions(games.partners),
        "opponents": _plain_companions(games.opponents),
    }


def _plain_companions(company: Companions) -> dict[str, Any]:
    return {
        "all": {mate.person: tuple(mate.won) for mate in company.everyone},
        "best": {mate.person for mate in company.best},
        "worst": {mate.person for mate in company.worst},
    }


def _plain_hands(hands: Hands) -> dict[str, Any]:
    def pair(points: Points) -> list[int]:
        return [points.hands, points.points]

    return {
        "hands": hands.hands,
        "passed": hands.passed,
        "sets": hands.sets,
        "partner_sets": hands.partner_sets,
        "levels": {line.bid: [line.made.cases, line.made.hits, line.points] for line in hands.levels},
        "seats": {line.seat: [line.took.cases, line.took.hits, line.made.hits] for line in hands.seats},
        "bidder": pair(hands.as_bidder),
        "partner": pair(hands.as_partner),
        "defender": pair(hands.as_defender),
    }


@pytest.mark.parametrize(
    "batch", [pytest.param(batch, marks=[pytest.mark.slow] if batch else []) for batch in range(BATCHES)]
)
def test_a_second_calculation_from_the_records_gives_the_same(batch: int) -> None:
    """A second calculation from the game records gives the same statistics for every player as the app.

    The app's code gets the games in random order, so their order doesn't matter.
    """
    ranked = calls = 0
    for season in range(batch, SEASONS, BATCHES):
        chance = Random(season)
        played: list[Played] = []
        hands: dict[int, list[HandPlayed]] = {}
        games_played: list[dict[str, Any]] = []
        # Every fourth season of a batch has many short games, so that some people meet ten times.
        long = season // BATCHES % 4 == 0
        count, most = (24, 4) if long else (4, 25)
        members = range(1, 7 if long else 9)
        for number in range(count):
            table = chance.choice([each for each in TABLES if each.players <= len(members)])
            people = chance.sample(members, table.players)
            night = number // 4
            raw = play(table, chance.randrange(1 << 30), most)
            record = read_record(raw)
            winner = None if record.tally.outcome is None else record.tally.outcome.winner
            played += records_of_game(table, people, record.tally, winner, (night, number % 4, 1, number))
            for index, (hand, scored) in enumerate(zip(record.hands, record.scored, strict=True), start=1):
                seen = records_of_hand(table, people, hand, scored, (number, night, index))
                for person, own in zip(people, seen, strict=True):
                    hands.setdefault(person, []).append(own)
            games_played.append(second_calculation.read_game(raw, record, night, people))
        chance.shuffle(played)
        for person, own_hands in hands.items():
            chance.shuffle(own_hands)
            games = games_of(person, played)
            assert _plain_games(games) == second_calculation.of_games(person, games_played), (
                f"season {season}, person {person}"
            )
            counted = hands_of(own_hands)
            assert _plain_hands(counted) == second_calculation.of_hands(person, games_played), (
                f"season {season}, person {person}"
            )
            ranked += len(games.opponents.best) + len(games.partners.best)
            calls += sum(isinstance(line.bid, str) for line in counted.levels)
    # All of these cases must occur.
    assert ranked > 10
    assert calls > 10
