"""Small random seasons with many ties, byes and substitutes, and with all kinds of tables."""

from __future__ import annotations

from random import Random

from scorekeeper.games.logic.statistics.hands import Played, Total
from scorekeeper.leagues.standings.settings import BYES, HANDICAPS, PLACES, SUBS, StandingSettings
from scorekeeper.leagues.standings.ties import TIE_BREAKS
from scorekeeper.leagues.standings.wording import ORDERS


def any_settings(chance: Random) -> StandingSettings:
    """Return random settings for standings, in which about half of the tie-breakers are used, in random order."""
    chain = [word for word in TIE_BREAKS if chance.random() < 0.6]
    chance.shuffle(chain)
    return StandingSettings(
        order=chance.choice(list(ORDERS)),
        met_all=chance.random() < 0.5,
        reapply=len(chain) % 2 == 1,
        min_games=chance.choice((0, 0, 2, 4)),
        drop_nights=chance.choice((0, 0, 1, 2, 5)),
        bye=chance.choice(list(BYES)),
        bye_points=chance.randint(0, 4),
        bye_wins=chance.random() < 0.5,
        subs=chance.choice(list(SUBS)),
        handicap=chance.choice(list(HANDICAPS)),
        handicap_percent=chance.choice((50, 80, 100)),
        handicap_cap=chance.choice((0, 1, 9)),
        ties=tuple(chain[: len(PLACES)]),
    )


def any_season(chance: Random) -> list[Played]:
    """Return the games and byes of a random season, in order of play, with one record for each player."""
    people = chance.sample(range(1, 60), chance.randint(4, 9))
    guests = chance.sample(range(60, 70), 2)
    fixed = chance.random() < 0.5
    most = chance.choice((1, 2, 4, 21))
    played: list[Played] = []
    game = 0
    for night in range(1, chance.randint(1, 4) + 1):
        here = [person for person in people if chance.random() < 0.85]
        for round_ in range(1, chance.randint(1, 3) + 1):
            if not fixed:
                chance.shuffle(here)
            seats = list(here)
            table = 0
            while len(seats) >= 4 or (len(seats) == 3 and not fixed):
                table += 1
                game += 1
                count = 3 if len(seats) == 3 else 4
                sat, seats = seats[:count], seats[count:]
                # Fixed partners are next to each other in the list, and sit across from each other.
                sides = [[person] for person in sat] if count == 3 else [sat[:2], sat[2:]]
                played += _game(chance, (night, round_, table, game), sides, guests, most)
            while seats:
                unit, seats = seats[: 2 if fixed else 1], seats[2 if fixed else 1 :]
                for person in unit:
                    mates = tuple(mate for mate in unit if mate != person)
                    played.append(Played(night, round_, 0, 0, person, mates, points=7, bye=True))
    if chance.random() < 0.3:
        played += [_total(chance, 5, person) for person in people if chance.random() < 0.8]
    return played


def _total(chance: Random, night: int, person: int) -> Played:
    """Return a person's record of a night that was imported as a total only, without single games."""
    games = chance.choice((None, 2, 3))
    known = chance.choice(((None, None), (1, None), (1, 1))) if games else (None, None)
    return Played(night, 0, 0, "total", person, points=chance.randint(-5, 60), total=Total(games, *known))


def _game(
    chance: Random, where: tuple[int, int, int, int], sides: list[list[int]], guests: list[int], most: int
) -> list[Played]:
    subs: dict[int, int] = {}
    free = list(guests)
    seated = []
    for side in sides:
        now = []
        for person in side:
            if free and chance.random() < 0.08:
                sub = free.pop()
                subs[sub] = person
                now.append(sub)
            else:
                now.append(person)
        seated.append(now)
    points = [chance.randint(-1, most) for _ in sides]
    best = max(points)
    winner = points.index(best) if points.count(best) == 1 and chance.random() < 0.9 else None
    sets = [chance.randint(0, 2) for _ in sides]
    records: list[Played] = []
    for index, side in enumerate(seated):
        others = tuple(person for other in seated if other is not side for person in other)
        best_other = max(score for other, score in enumerate(points) if other != index)
        records += (
            Played(
                *where,
                person,
                tuple(mate for mate in side if mate != person),
                others,
                points[index],
                best_other,
                won=index == winner,
                drawn=winner is None,
                sets=sets[index],
                hands=6,
                sub_for=subs.get(person),
            )
            for person in side
        )
    return records
