"""A player's record, streaks, season and company, from his games.

A game is his who sat there: substitutes keep what they played, and a regular gets nothing for it. A bye is no game. A
game that nobody won is neither won nor lost; it ends a streak.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scorekeeper.leagues.standings.person_game import Played, told_in_order
from scorekeeper.leagues.statistics.rate import Rate


@dataclass(frozen=True, slots=True)
class Streaks:
    """Games won one after another: the `longest` run, and the `current` one, below zero for games lost in a row."""

    longest: int = 0
    current: int = 0


@dataclass(frozen=True, slots=True)
class PersonNight:
    """One night of a season: games, how many were won, and the points made in them."""

    night: int
    games: int
    won: int
    points: int


@dataclass(frozen=True, slots=True)
class Mate:
    """Somebody he played with or against, and how often he won then."""

    person: int
    won: Rate


@dataclass(frozen=True, slots=True)
class Company:
    """All partners or all opponents, the one with most games first.

    `best` are those with whom, or against whom, he wins most often, `worst` those with whom he wins least; all that
    are level stand there. Only who has games enough for a rate is one of them. Both are empty where nobody has, and
    `worst` also where all those rates are the same.
    """

    mates: tuple[Mate, ...] = ()
    best: tuple[Mate, ...] = ()
    worst: tuple[Mate, ...] = ()

    @property
    def too_few(self) -> bool:
        """Return whether nobody has games enough to be called best or worst."""
        return not self.best


@dataclass(frozen=True, slots=True)
class Games:
    """What a player's games come to; `won` is of all games, those that nobody won (`drawn`) among them."""

    games: int
    won: Rate
    lost: int
    drawn: int
    points: int
    streaks: Streaks
    nights: tuple[PersonNight, ...]
    partners: Company
    opponents: Company


def games_of(person: int, played: Iterable[Played]) -> Games:
    """Return what the games of `person` come to; other people's games and byes may be among `played`."""
    games = sorted((game for game in played if game.person == person and not game.bye), key=told_in_order)
    won = sum(game.won for game in games)
    drawn = sum(game.drawn for game in games)
    return Games(
        games=len(games),
        won=Rate(len(games), won),
        lost=len(games) - won - drawn,
        drawn=drawn,
        points=sum(game.points for game in games),
        streaks=_streaks(games),
        nights=_nights(games),
        partners=_company((game.won, game.partners) for game in games),
        opponents=_company((game.won, game.opponents) for game in games),
    )


def _streaks(games: Sequence[Played]) -> Streaks:
    longest = current = 0
    for game in games:
        if game.won:
            current = max(current, 0) + 1
            longest = max(longest, current)
        else:
            current = 0 if game.drawn else min(current, 0) - 1
    return Streaks(longest, current)


def _nights(games: Iterable[Played]) -> tuple[PersonNight, ...]:
    nights: dict[int, list[Played]] = {}
    for game in games:
        nights.setdefault(game.night, []).append(game)
    return tuple(
        PersonNight(night, len(told), sum(game.won for game in told), sum(game.points for game in told))
        for night, told in nights.items()
    )


def _company(games: Iterable[tuple[bool, tuple[int, ...]]]) -> Company:
    cases: Counter[int] = Counter()
    hits: Counter[int] = Counter()
    for won, people in games:
        cases.update(people)
        if won:
            hits.update(people)
    mates = tuple(Mate(who, Rate(count, hits[who])) for who, count in cases.items())
    mates = tuple(sorted(mates, key=lambda mate: (-mate.won.cases, -mate.won.hits, mate.person)))
    known = [mate for mate in mates if mate.won.enough]
    if not known:
        return Company(mates)
    shares = {mate.person: mate.won.share for mate in known}
    top, bottom = max(shares.values()), min(shares.values())
    best = tuple(mate for mate in known if shares[mate.person] == top)
    worst = tuple(mate for mate in known if shares[mate.person] == bottom)
    return Company(mates, best, worst if top != bottom else ())
