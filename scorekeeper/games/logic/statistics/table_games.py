"""Calculate a player's record, streaks, nights, partners and opponents from their games.

A game counts for the person who played it. If a substitute played, the game doesn't count for the regular player. A bye
isn't a game. A tie is neither won nor lost, and ends a streak.

Define which games of a home table count, and for which people.

These rules hold for everything that "Our table" (the pages of a home table) counts:

- A game counts once it is over: played to the end, conceded, ended by the players, or entered as a final score. If it
  has no winner it is a tie. A game that was stopped has no result, so it doesn't count, not even as a tie.
- A game counts for the players who have a seat at its end. A bid counts for its bidder, even if a substitute finished
  the game.
- Bids of corrected hands count in the corrected form, and bids of deleted hands don't count. Bids of games in progress
  and of stopped games count, since these hands were played.
- Points that were adjusted change totals and winners, never bids.
- Hidden and deleted games count nowhere. Neither do games in which one person sits twice (as after merging two people
  who did play each other), or in which a player is unknown.
- People are the same under any name, and those who were merged are one person.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from msgspec import Struct

from scorekeeper.games.logic.highlights import worst_moment
from scorekeeper.games.logic.statistics.hands import GameKey, Played, Rate, counted_hands, playing_order
from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.game import Game


@dataclass(frozen=True, slots=True)
class Streaks:
    """The length of a player's longest winning streak and of their current streak.

    A negative `current` is the number of games lost in a row. `games` are the games of the longest streak. If several
    are equally long, the first one counts.
    """

    longest: int = 0
    current: int = 0
    games: tuple[GameKey, ...] = field(default=(), compare=False)


class PersonNight(Struct, frozen=True):
    """A player's numbers for one night of a season: games, wins, and points scored."""

    night: int
    games: int
    won: int
    points: int


class Companion(Struct, frozen=True):
    """A partner or an opponent of a player.

    `won` is how often the player wins with or against that person. `games` are the games that the two played together
    or against each other.
    """

    person: int
    won: Rate
    games: tuple[GameKey, ...] = ()


class Companions(Struct, frozen=True):
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


class Games(Struct, frozen=True):
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


STOPPED = "abandoned"
"""`TableGame.ended_by` of a game that was stopped without a result."""
Side = tuple[int, ...]
"""Ids of the people of one side, lowest first."""


class BidMade(NamedTuple):
    """A bid in a game of a home table.

    `hand` is the number of the hand, from 1. `person` is the id of the bidder, and `points` are the points of the
    bidder's side in the hand.
    """

    hand: int
    person: int
    bid: Bid
    made: bool
    points: int


class TableGame(Struct, frozen=True):
    """A game of a home table.

    `id` is the public id of the game, and `began` is when the game started, in UTC. `series` is the id of the first
    game of the series. `rules` is the `rules_key` of the house rules. `sides` holds the ids of each side's people, with
    None for an unknown player. `totals` holds the score of each side, and `sets` holds how often each side was set. If
    the winner made a comeback, `behind` is how many points the winner was behind at worst; otherwise `behind` is 0.
    """

    id: str
    began: datetime
    series: str
    preset: str
    rules: str
    sides: tuple[tuple[int | None, ...], ...]
    totals: tuple[int, ...]
    hands: int
    over: bool
    winner: int | None
    ended_by: str | None
    sets: tuple[int, ...] = ()
    bids: tuple[BidMade, ...] = ()
    behind: int = 0
    hidden: bool = False

    @property
    def people(self) -> tuple[int | None, ...]:
        """Return the ids of all players at the end of the game, with None for each unknown player.

        The players of the first side come first, then those of the second, and so on.
        """
        return tuple(person for side in self.sides for person in side)

    @property
    def known(self) -> bool:
        """Return whether every player is known and no person sits in two seats."""
        return None not in self.people and len(set(self.people)) == len(self.people)

    @property
    def counts(self) -> bool:
        """Return whether the game counts as won, lost or tied in statistics."""
        return self.over and self.ended_by != STOPPED and not self.hidden and self.known

    @property
    def bids_count(self) -> bool:
        """Return whether the bids of this game count in statistics."""
        return not self.hidden and self.known

    @property
    def parties(self) -> tuple[Side, ...]:
        """Return the ids of the people of each side, lowest id first, without unknown players."""
        return tuple(tuple(sorted(person for person in side if person is not None)) for side in self.sides)


def facts_of(game: Game) -> dict[str, Any]:
    """Return the data about the hands of a game that statistics need: a JSON object with the keys "bids" and "behind".

    A bid is [hand number, `PlayerRow` id of the bidder, bid as text, 1 if made else 0, points of the bidder's side]. If
    the winner made a comeback, `behind` is how many points the winner was behind at worst; otherwise `behind` is 0.
    """
    bids = [
        [
            hand.number,
            game.player_at(hand.bidder, hand.seq),
            str(hand.bid),
            int(bool(hand.made)),
            hand.delta[game.table.side_of[hand.bidder]],
        ]
        for hand in counted_hands(game)
        if hand.bidder is not None
    ]
    worst = worst_moment(game)
    return {"bids": bids, "behind": 0 if worst is None else worst.behind}


def renumbered_facts(facts: Mapping[str, Any], number: Mapping[int, int]) -> dict[str, Any]:
    """Return `facts` from `facts_of` with new player ids. `number` maps each old id to the new id."""
    return {**facts, "bids": [[hand, number[player], *rest] for hand, player, *rest in facts["bids"]]}


def played_of(games: Sequence[TableGame]) -> Iterator[Played]:
    """Yield a record for each person in each game that counts. `games` must be in the order of play."""
    for place, game in enumerate(games):
        if game.counts:
            yield from _records(place, game)


def _records(place: int, game: TableGame) -> Iterator[Played]:
    for index, party in enumerate(game.parties):
        others = tuple(person for other, side in enumerate(game.parties) if other != index for person in side)
        for person in party:
            yield Played(
                0,
                place,
                0,
                game.id,
                person,
                tuple(mate for mate in party if mate != person),
                others,
                game.totals[index],
                max((total for other, total in enumerate(game.totals) if other != index), default=0),
                won=game.winner == index,
                drawn=game.winner is None,
                sets=game.sets[index] if game.sets else 0,
                hands=game.hands,
            )
