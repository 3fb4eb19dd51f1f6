"""Calculate the statistics of evenings, of opposing sides and of people for "Our table", the pages of a home table.

Each number has the ids of the games that it counts.
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
"""A game that starts more than this long after the start of the previous game belongs to another evening."""


@dataclass(frozen=True, slots=True)
class Wins:
    """The games that a side won, as public ids, and the number of series that the side won."""

    side: Side
    games: tuple[str, ...]
    series: int = 0


@dataclass(frozen=True, slots=True)
class Meeting:
    """All games between the same sides. Each side is a set of people.

    `wins` has an entry for each side, with the most wins first. `games` and `tied` are the public ids of all games and
    of tied games. `series` is the number of series with more than one of these games. A side wins a series by winning
    more of its games than any other side.
    """

    wins: tuple[Wins, ...]
    games: tuple[str, ...]
    tied: tuple[str, ...] = ()
    series: int = 0

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides, with the side that won most often first."""
        return tuple(each.side for each in self.wins)


@dataclass(frozen=True, slots=True)
class PersonWins:
    """A person's rate of wins on an evening. `games` are the public ids of the games that they won."""

    person: int
    won: Rate
    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evening:
    """The games of one evening, in the order of play.

    `unfinished` are the public ids of the games that don't count, usually because they have no result.
    """

    games: tuple[TableGame, ...]
    meetings: tuple[Meeting, ...]
    people: tuple[PersonWins, ...]
    unfinished: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BigComeback:
    """A person's biggest comeback: a game that their side won after being far behind.

    `game` is the public id of the game. `behind` is the number of points that the side was behind at worst.
    """

    game: str
    behind: int


@dataclass(frozen=True, slots=True)
class PersonNumbers:
    """The statistics of a person at a home table: their games, their bids, and their biggest comeback.

    `bids` is the rate at which the person made their bids, and `levels` has a line for each amount that they bid.
    `bid_games` and `set_games` are the public ids of the games with their bids and with their failed bids (sets).
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
        """Return the partners with whom the person wins most often, including all who are tied.

        Only partners with at least `rate.ENOUGH` games together are compared. Return () if there are no such partners.
        """
        return self.games.partners.best


def evenings_of(games: Sequence[TableGame]) -> tuple[tuple[TableGame, ...], ...]:
    """Return the games by evening, the latest evening first."""
    evenings: list[list[TableGame]] = [[games[0]]] if games else []
    for before, game in pairwise(games):
        if game.began - before.began > PAUSE:
            evenings.append([])
        evenings[-1].append(game)
    return tuple(tuple(evening) for evening in reversed(evenings))


def evening_of(games: Sequence[TableGame]) -> Evening:
    """Return the results of the games of one evening, with the people ordered by wins, most wins first."""
    people = [
        PersonWins(person, own.won, tuple(map(str, own.won_games))) for person, own in _games_by_person(games).items()
    ]
    people.sort(key=lambda each: (-each.won.hits, each.won.cases, each.person))
    return Evening(tuple(games), meetings_of(games), tuple(people), tuple(game.id for game in games if not game.counts))


def meetings_of(games: Iterable[TableGame]) -> tuple[Meeting, ...]:
    """Return the head-to-head records of all sides that have played each other.

    The sides with the most games against each other come first.
    """
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
    """Return the side that won the most games, or None for a tie."""
    best = won.most_common(2)
    return best[0][0] if best and (len(best) == 1 or best[0][1] > best[1][1]) else None


def people_of(games: Sequence[TableGame]) -> tuple[PersonNumbers, ...]:
    """Return the statistics of everyone who played, ordered by number of games, most games first."""
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
    """Return a dict that maps each person's id to their biggest comeback.

    If a person made several equally big comebacks, the first one counts.
    """
    biggest: dict[int, BigComeback] = {}
    for game in games:
        if game.counts and game.winner is not None and game.behind:
            for person in game.parties[game.winner]:
                if person not in biggest or game.behind > biggest[person].behind:
                    biggest[person] = BigComeback(game.id, game.behind)
    return biggest
