"""Calculate what "Our table" shows: evenings, head to head, people. Each number comes with the ids of its games.

`table_games` says which games count, and for whom. Every function takes the games of a table in the order of play.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from scorekeeper.games.logic.statistics.games import Companion, Games, games_of
from scorekeeper.games.logic.statistics.hands import LevelLine, OwnBid, bid_levels
from scorekeeper.games.logic.statistics.person_game import Played
from scorekeeper.games.logic.statistics.rate import Rate
from scorekeeper.games.logic.statistics.table_games import Side, TableGame, played_of

PAUSE = timedelta(hours=6)
"""A game that starts later than this after the one before belongs to another evening."""


@dataclass(frozen=True, slots=True)
class Wins:
    """The games that a side won, and how many series it won."""

    side: Side
    games: tuple[str, ...]
    series: int = 0


@dataclass(frozen=True, slots=True)
class Meeting:
    """All games between the same sides, each a set of people; the side with most wins is first.

    `series` are the series with more than one of these games; a side wins a series by winning more of its games than
    any other side.
    """

    wins: tuple[Wins, ...]
    games: tuple[str, ...]
    tied: tuple[str, ...] = ()
    series: int = 0

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides, the one with most wins first."""
        return tuple(each.side for each in self.wins)


@dataclass(frozen=True, slots=True)
class PersonWins:
    """How many games of an evening a person won; `games` are those won."""

    person: int
    won: Rate
    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evening:
    """The games of one evening, in the order of play; `unfinished` are those without a result."""

    games: tuple[TableGame, ...]
    meetings: tuple[Meeting, ...]
    people: tuple[PersonWins, ...]
    unfinished: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BigComeback:
    """The game that a person's side won from furthest behind, and by how many points it was behind."""

    game: str
    behind: int


@dataclass(frozen=True, slots=True)
class PersonNumbers:
    """The numbers of one person: their games, their bids by amount, best partner and biggest comeback.

    `bids` is the rate of bids made. Best partners are those with whom they win most often; partners with fewer than
    `rate.ENOUGH` games together aren't compared.
    """

    person: int
    games: Games
    bids: Rate
    bid_games: tuple[str, ...]
    set_games: tuple[str, ...]
    levels: tuple[LevelLine, ...]
    comeback: BigComeback | None

    @property
    def best_partners(self) -> tuple[Companion, ...]:
        """Return the best partners, with all who are tied; empty if nobody has enough games together."""
        return self.games.partners.best


def evenings_of(games: Sequence[TableGame]) -> tuple[tuple[TableGame, ...], ...]:
    """Return the games by evening, the last evening first."""
    evenings: list[list[TableGame]] = [[games[0]]] if games else []
    for before, game in pairwise(games):
        if game.began - before.began > PAUSE:
            evenings.append([])
        evenings[-1].append(game)
    return tuple(tuple(evening) for evening in reversed(evenings))


def evening_of(games: Sequence[TableGame]) -> Evening:
    """Return the results of the games of one evening, the person with most wins first."""
    people = [
        PersonWins(person, own.won, tuple(map(str, own.won_games))) for person, own in _games_by_person(games).items()
    ]
    people.sort(key=lambda each: (-each.won.hits, each.won.cases, each.person))
    return Evening(tuple(games), meetings_of(games), tuple(people), tuple(game.id for game in games if not game.counts))


def meetings_of(games: Iterable[TableGame]) -> tuple[Meeting, ...]:
    """Return the head to head of all sides that met, those with most games first."""
    met: defaultdict[tuple[Side, ...], list[TableGame]] = defaultdict(list)
    for game in games:
        if game.counts:
            met[tuple(sorted(game.parties))].append(game)
    # Of those with as many games, the one met last comes first.
    last_first = reversed(list(met.items()))
    return tuple(sorted((_meeting(*each) for each in last_first), key=lambda each: -len(each.games)))


def _meeting(sides: Sequence[Side], games: Sequence[TableGame]) -> Meeting:
    won: dict[Side, list[str]] = {side: [] for side in sides}
    by_series: defaultdict[str, Counter[Side]] = defaultdict(Counter)
    in_series: Counter[str] = Counter()
    tied = []
    for game in games:
        in_series[game.series] += 1
        if game.winner is None:
            tied.append(game.id)
            continue
        side = game.parties[game.winner]
        won[side].append(game.id)
        by_series[game.series][side] += 1
    long = [series for series, played in in_series.items() if played > 1]
    series_won = Counter(winner for series in long if (winner := _ahead(by_series[series])) is not None)
    wins = [Wins(side, tuple(ids), series_won[side]) for side, ids in won.items()]
    wins.sort(key=lambda each: (-len(each.games), each.side))
    return Meeting(tuple(wins), tuple(game.id for game in games), tuple(tied), len(long))


def _ahead(won: Counter[Side]) -> Side | None:
    """Return the side that won most games, None for a tie."""
    best = won.most_common(2)
    return best[0][0] if best and (len(best) == 1 or best[0][1] > best[1][1]) else None


def people_of(games: Sequence[TableGame]) -> tuple[PersonNumbers, ...]:
    """Return the numbers of everyone who played, those with most games first."""
    played = _games_by_person(games)
    bids: defaultdict[int, list[OwnBid]] = defaultdict(list)
    for game in games:
        if game.bids_count:
            for each in game.bids:
                bids[each.person].append(OwnBid(game.id, each.bid, each.made, each.points))
    comebacks = _comebacks(games)
    people = [
        _numbers(person, played.get(person) or games_of(person, ()), bids[person], comebacks.get(person))
        for person in {*played, *bids}
    ]
    return tuple(sorted(people, key=lambda each: (-each.games.games, -each.games.won.hits, each.person)))


def _games_by_person(games: Sequence[TableGame]) -> dict[int, Games]:
    records: defaultdict[int, list[Played]] = defaultdict(list)
    for record in played_of(games):
        records[record.person].append(record)
    return {person: games_of(person, own) for person, own in records.items()}


def _numbers(person: int, games: Games, bids: Sequence[OwnBid], comeback: BigComeback | None) -> PersonNumbers:
    return PersonNumbers(
        person=person,
        games=games,
        bids=Rate(len(bids), sum(bid.made for bid in bids)),
        bid_games=tuple(dict.fromkeys(str(bid.game) for bid in bids)),
        set_games=tuple(dict.fromkeys(str(bid.game) for bid in bids if not bid.made)),
        levels=bid_levels(bids),
        comeback=comeback,
    )


def _comebacks(games: Iterable[TableGame]) -> dict[int, BigComeback]:
    """Return the biggest comeback of each person, the first one if there are several."""
    biggest: dict[int, BigComeback] = {}
    for game in games:
        if game.counts and game.winner is not None and game.behind:
            for person in game.parties[game.winner]:
                if person not in biggest or game.behind > biggest[person].behind:
                    biggest[person] = BigComeback(game.id, game.behind)
    return biggest
