"""Calculate the statistics of evenings, of opposing sides and of people for "Our table", the pages of a home table.

Each number has the ids of the games that it counts.

Filter the games of a home table by game, house rules, people and date, or find the games behind a statistic.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from msgspec import Struct

from scorekeeper.games.logic.statistics.hands import LevelLine, OwnBid, Played, Rate, bid_levels
from scorekeeper.games.logic.statistics.table_games import Companion, Games, Side, TableGame, games_of, played_of

PAUSE = timedelta(hours=6)
"""A game that starts more than this long after the start of the previous game belongs to another evening."""


class Wins(Struct, frozen=True):
    """The games that a side won, as public ids, and the number of series that the side won."""

    side: Side
    games: tuple[str, ...]
    series: int = 0


class Meeting(Struct, frozen=True):
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


class PersonWins(Struct, frozen=True):
    """A person's rate of wins on an evening. `games` are the public ids of the games that they won."""

    person: int
    won: Rate
    games: tuple[str, ...]


class Evening(Struct, frozen=True):
    """The games of one evening, in the order of play.

    `unfinished` are the public ids of the games that don't count, usually because they have no result.
    """

    games: tuple[TableGame, ...]
    meetings: tuple[Meeting, ...]
    people: tuple[PersonWins, ...]
    unfinished: tuple[str, ...]


class BigComeback(Struct, frozen=True):
    """A person's biggest comeback: a game that their side won after being far behind.

    `game` is the public id of the game. `behind` is the number of points that the side was behind at worst.
    """

    game: str
    behind: int


class PersonNumbers(Struct, frozen=True):
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


USUAL = "usual"
"""The `rules_key` of the usual rules of a game."""


class TableFilter(Struct, frozen=True):
    """A filter for the games of a home table. An empty field lets all games pass.

    `rules` is a result of `rules_key`. Everyone in `people` must play in the game. At least one of `anyone` must play,
    unless `anyone` is None. The game must have begun at `since` or later, and before `until`; both are in UTC. With
    `hidden`, only hidden games pass; otherwise only games that aren't hidden pass.
    """

    preset: str = ""
    rules: str = ""
    people: frozenset[int] = frozenset()
    anyone: frozenset[int] | None = None
    since: datetime | None = None
    until: datetime | None = None
    hidden: bool = False

    def takes(self, game: TableGame) -> bool:
        """Return whether a game passes the filter."""
        return (
            game.hidden is self.hidden
            and self.preset in ("", game.preset)
            and self.rules in ("", game.rules)
            and self.people.issubset(game.people)
            and (self.anyone is None or not self.anyone.isdisjoint(game.people))
            and (self.since is None or game.began >= self.since)
            and (self.until is None or game.began < self.until)
        )


def rules_key(ruleset: Mapping[str, Any]) -> str:
    """Return a short string that identifies house rules. The same house rules always give the same text.

    `ruleset` holds the options that differ from the usual rules.
    """
    if not ruleset:
        return USUAL
    return hashlib.sha256(json.dumps(ruleset, sort_keys=True).encode()).hexdigest()[:10]


class Figure(Struct, frozen=True):
    """A number on a page of "Our table" (the pages of a home table), such as a person's wins.

    `kind` is what the number counts, and is one of `KINDS`. `sides` holds the ids of the people that the number is
    about, by side. If the number is about a bid, `bid` is that bid as text; otherwise `bid` is "".
    """

    kind: str
    sides: tuple[Side, ...] = ()
    bid: str = ""

    @property
    def person(self) -> int:
        """Return the id of the first person that the number is about."""
        return self.sides[0][0]


_OF_PERSON: Mapping[str, Callable[[PersonNumbers, Figure], Sequence[object]]] = {
    "games": lambda own, _figure: own.games.all_games,
    "won": lambda own, _figure: own.games.won_games,
    "drawn": lambda own, _figure: own.games.drawn_games,
    "streak": lambda own, _figure: own.games.streaks.games,
    "comeback": lambda own, _figure: () if own.comeback is None else (own.comeback.game,),
    "bids": lambda own, _figure: own.bid_games,
    "sets": lambda own, _figure: own.set_games,
    "bid": lambda own, figure: next((line.games for line in own.levels if str(line.bid) == figure.bid), ()),
    "set": lambda own, figure: next((line.set_games for line in own.levels if str(line.bid) == figure.bid), ()),
    "with": lambda own, figure: _together(own.games.partners.everyone, figure),
    "against": lambda own, figure: _together(own.games.opponents.everyone, figure),
}
_OF_MEETING: Mapping[str, Callable[[Meeting, Figure], Sequence[object]]] = {
    "met": lambda meeting, _figure: meeting.games,
    "tied": lambda meeting, _figure: meeting.tied,
    # The side that won stands first.
    "beat": lambda meeting, figure: next(each.games for each in meeting.wins if each.side == figure.sides[0]),
}
KINDS = frozenset((*_OF_PERSON, *_OF_MEETING))
IN_PAIRS = frozenset(("with", "against"))
"""Kinds of figures about two people."""


def games_of_figure(games: Sequence[TableGame], figure: Figure) -> frozenset[str]:
    """Return the public ids of those `games` that the number described by `figure` counts.

    The result is empty if the statistics of `games` don't have this number.
    """
    if figure.kind in _OF_PERSON:
        own = next((each for each in people_of(games) if each.person == figure.person), None)
        return frozenset() if own is None else frozenset(map(str, _OF_PERSON[figure.kind](own, figure)))
    sides = sorted(figure.sides)
    meeting = next((each for each in meetings_of(games) if sorted(each.sides) == sides), None)
    return frozenset() if meeting is None else frozenset(map(str, _OF_MEETING[figure.kind](meeting, figure)))


def _together(companions: Sequence[Any], figure: Figure) -> Sequence[object]:
    other = figure.sides[1][0]
    return next((each.games for each in companions if each.person == other), ())
