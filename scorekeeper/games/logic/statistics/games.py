"""Calculate a player's record, streaks, nights, partners and opponents from their games.

A game counts for the person who played it. If a substitute played, the game doesn't count for the regular player. A bye
isn't a game. A tie is neither won nor lost, and ends a streak.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scorekeeper.games.logic.statistics.person_game import GameKey, Played, playing_order
from scorekeeper.games.logic.statistics.rate import Rate


@dataclass(frozen=True, slots=True)
class Streaks:
    """The length of a player's longest winning streak and of their current streak.

    A negative `current` is the number of games lost in a row. `games` are the games of the longest streak. If several
    are equally long, the first one counts.
    """

    longest: int = 0
    current: int = 0
    games: tuple[GameKey, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class PersonNight:
    """A player's numbers for one night of a season: games, wins, and points scored."""

    night: int
    games: int
    won: int
    points: int


@dataclass(frozen=True, slots=True)
class Companion:
    """A partner or an opponent of a player.

    `won` is how often the player wins with or against that person. `games` are the games that the two played together
    or against each other.
    """

    person: int
    won: Rate
    games: tuple[GameKey, ...] = ()


@dataclass(frozen=True, slots=True)
class Companions:
    """All partners or all opponents of a player. Those with the most games come first.

    `best` lists the people with or against whom the player wins most often. `worst` lists those with or against whom
    the player wins least often. People who are tied are all included. People without enough games for a rate are in
    neither list, so both lists may be empty. `worst` is also empty if all rates are the same.
    """

    everyone: tuple[Companion, ...] = ()
    best: tuple[Companion, ...] = ()
    worst: tuple[Companion, ...] = ()

    @property
    def too_few(self) -> bool:
        """Return whether no partner or opponent has enough games for `best` and `worst`."""
        return not self.best


@dataclass(frozen=True, slots=True)
class Games:
    """The totals of a player's games.

    `won` is the rate of games won among all games, including tied games. `drawn` is the number of tied games.
    `all_games`, `won_games` and `drawn_games` are the keys of all games, games won and games tied, in the order of
    play.
    """

    games: int
    won: Rate
    lost: int
    drawn: int
    points: int
    streaks: Streaks
    nights: tuple[PersonNight, ...]
    partners: Companions
    opponents: Companions
    all_games: tuple[GameKey, ...] = ()
    won_games: tuple[GameKey, ...] = ()
    drawn_games: tuple[GameKey, ...] = ()


def games_of(person: int, played: Iterable[Played]) -> Games:
    """Return the totals of the games of `person`. `played` may also include byes and other people's games."""
    games = sorted((game for game in played if game.person == person and not game.bye), key=playing_order)
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
        partners=_companions((game.game, game.won, game.partners) for game in games),
        opponents=_companions((game.game, game.won, game.opponents) for game in games),
        all_games=tuple(game.game for game in games),
        won_games=tuple(game.game for game in games if game.won),
        drawn_games=tuple(game.game for game in games if game.drawn),
    )


def _streaks(games: Sequence[Played]) -> Streaks:
    longest = current = end = 0
    for place, game in enumerate(games, start=1):
        if game.won:
            current = max(current, 0) + 1
            longest, end = max((longest, end), (current, place), key=lambda item: item[0])
        else:
            current = 0 if game.drawn else min(current, 0) - 1
    return Streaks(longest, current, tuple(game.game for game in games[end - longest : end]))


def _nights(games: Iterable[Played]) -> tuple[PersonNight, ...]:
    nights: dict[int, list[Played]] = {}
    for game in games:
        nights.setdefault(game.night, []).append(game)
    return tuple(
        PersonNight(night, len(tonight), sum(game.won for game in tonight), sum(game.points for game in tonight))
        for night, tonight in nights.items()
    )


def _companions(games: Iterable[tuple[GameKey, bool, tuple[int, ...]]]) -> Companions:
    shared: defaultdict[int, list[GameKey]] = defaultdict(list)
    hits: Counter[int] = Counter()
    for game, won, people in games:
        for person in people:
            shared[person].append(game)
        if won:
            hits.update(people)
    everyone = tuple(Companion(person, Rate(len(keys), hits[person]), tuple(keys)) for person, keys in shared.items())
    everyone = tuple(sorted(everyone, key=lambda each: (-each.won.cases, -each.won.hits, each.person)))
    rated = [each for each in everyone if each.won.enough]
    if not rated:
        return Companions(everyone)
    shares = {each.person: each.won.share for each in rated}
    top, bottom = max(shares.values()), min(shares.values())
    best = tuple(each for each in rated if shares[each.person] == top)
    worst = tuple(each for each in rated if shares[each.person] == bottom)
    return Companions(everyone, best, worst if top != bottom else ())
