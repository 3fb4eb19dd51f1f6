"""Count the games of a home table from their records without any code of the app, to check the app's numbers.

Only one game is supported: Setback to 21 for two pairs. Both sides score the points that they took, a failed bid costs
the bid, and the bidder's side goes out with a lead of 2.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

TARGET = 21


@dataclass
class Told:
    """A game that a test played: its record, and data about the game that a record doesn't contain.

    `id` is the last part of the game's address. A later evening has a higher number `evening`. A `hidden` game isn't
    counted. For a rematch, `follows` is the id of the game before it; otherwise it is "".
    """

    id: str
    evening: int
    record: dict[str, Any]
    counts: bool = True
    """True if the game was finished."""
    hidden: bool = False
    before: dict[int, tuple[int, str]] = field(default_factory=dict)
    """For each seat with a substitute: (number of the replaced player's last hand, that player's name)."""
    follows: str = ""

    @property
    def teams(self) -> list[frozenset[str]]:
        """A set of the players' names for each side, in order."""
        return [frozenset(self.record["players"][seat] for seat in side) for side in self.record["sides"]]


def hands_of(told: Told) -> list[tuple[int, str, int, bool]]:
    """Return (number, bidder's name, bid, whether the bid was made) for each hand with a bid; numbers start at 1."""
    hands = []
    for number, hand in enumerate(told.record.get("hands", ()), start=1):
        if hand.get("bidder") is None:
            continue
        seat = hand["bidder"]
        last, earlier = told.before.get(seat, (0, ""))
        name = earlier if number <= last else told.record["players"][seat]
        hands.append((number, name, hand["bid"], _took(hand)[seat % 2] >= hand["bid"]))
    return hands


def _took(hand: dict[str, Any]) -> list[int]:
    return [sum(side == owner for owner in hand["points"].values()) for side in (0, 1)]


def run_of(told: Told) -> list[tuple[int, int]]:
    """Return the scores of both sides, first at the start of the game and then after each hand."""
    totals = [(0, 0)]
    for hand in told.record.get("hands", ()):
        one, two = totals[-1]
        if hand.get("bidder") is None:
            totals.append((one, two))
            continue
        gets = _took(hand)
        side = hand["bidder"] % 2
        if gets[side] < hand["bid"]:
            gets[side] = -hand["bid"]
        totals.append((one + gets[0], two + gets[1]))
    return totals


def winner_of(told: Told) -> int | None:
    """Return the side that won, 0 or 1, or None for a tie."""
    if "winner" in told.record:
        winner: int | None = told.record["winner"]
        return winner
    one, two = run_of(told)[-1]
    return 0 if one > two else 1


def behind_of(told: Told) -> int:
    """Return the largest number of points by which the winner was behind at any time during the game.

    Return 0 if that number is 4 or less, because one hand can give 4 points. Return 0 also if the winner isn't ahead at
    the end.
    """
    winner = winner_of(told)
    run = run_of(told)
    if winner is None or run[-1][winner] <= run[-1][1 - winner]:
        return 0
    worst = max(each[1 - winner] - each[winner] for each in run)
    return worst if worst > 4 else 0


def share(hits: int, cases: int) -> str:
    """Return the text that a page shows if something happened `hits` times in `cases` cases.

    From 10 cases, the text is like "45% of 20". With fewer cases, it is like "3 of 8". Without cases, it is a dash.
    """
    if not cases:
        return "–"
    if cases < 10:
        return f"{hits} of {cases}"
    return f"{(200 * hits + cases) // (2 * cases)}% of {cases}"


def share_won(hits: int, cases: int) -> str:
    """Return the text that a page shows if `hits` of `cases` games were won, such as "won 3 of 8 games"."""
    return f"won {share(hits, cases)} game{'s' * (cases != 1)}"


def orders(names: Collection[str]) -> set[str]:
    """Return the `names` in every possible order, each time joined to a string such as "Ann and Bob"."""
    lists = permutations(names)
    return {each[0] if len(each) == 1 else f"{', '.join(each[:-1])} and {each[-1]}" for each in lists}


def _most(won: Counter[frozenset[str]], team: frozenset[str]) -> bool:
    return won[team] > max((games for other, games in won.items() if other != team), default=0)


class Counted:
    """Counts the wins, bids and other numbers of each player in a list of games.

    Most methods return the ids of games.
    """

    def __init__(self, games: list[Told]) -> None:
        self.all_games = games
        self.games = [game for game in games if game.counts and not game.hidden]
        self.bid_games = [game for game in games if not game.hidden]
        seated = {name for game in self.bid_games for team in game.teams for name in team}
        left = {name for game in self.bid_games for _, name in game.before.values()}
        self.names = sorted(name for name in seated | left if self.of(name) or self.bids(name))

    def of(self, name: str) -> set[str]:
        """Return the ids of the games in which the person called `name` had a seat at the end."""
        return {game.id for game in self.games if any(name in team for team in game.teams)}

    def won(self, name: str) -> set[str]:
        """Return the ids of the games that the person called `name` won."""
        return {game.id for game in self.games if (at := winner_of(game)) is not None and name in game.teams[at]}

    def streak(self, name: str) -> list[str]:
        """Return the ids of the games in a person's longest winning streak.

        If several streaks are equally long, return the first.
        """
        best: list[str] = []
        now: list[str] = []
        for game in self.games:
            if game.id not in self.of(name):
                continue
            now = [*now, game.id] if game.id in self.won(name) else []
            best = now if len(now) > len(best) else best
        return best

    def bids(self, name: str, bid: int | None = None) -> list[tuple[str, bool]]:
        """Return (id of the game, whether the bid was made) for each bid of a person.

        If `bid` is given, only bids of that many points are returned.
        """
        return [
            (game.id, made)
            for game in self.bid_games
            for _, bidder, value, made in hands_of(game)
            if bidder == name and bid in (None, value)
        ]

    def together(self, name: str, other: str) -> set[str]:
        """Return the ids of the games in which two people were partners."""
        return {game.id for game in self.games if any({name, other} <= team for team in game.teams)}

    def apart(self, name: str, other: str) -> set[str]:
        """Return the ids of the games in which two people were opponents."""
        return (self.of(name) & self.of(other)) - self.together(name, other)

    def comeback(self, name: str) -> tuple[int, str] | None:
        """Return (points, id of the game) for a person's biggest comeback, or None if there is none.

        If several comebacks are equally big, return the first.
        """
        best = None
        for game in self.games:
            if game.id in self.won(name) and behind_of(game) > (best[0] if best else 0):
                best = behind_of(game), game.id
        return best

    def meetings(self) -> dict[frozenset[frozenset[str]], dict[frozenset[str], set[str]]]:
        """Return the games that each side won against each other side.

        The outer key is the pair of sides. The inner key is the winning side, or `frozenset()` for ties, and the value
        is the set of ids.
        """
        met: dict[frozenset[frozenset[str]], dict[frozenset[str], set[str]]] = {}
        for game in self.games:
            won = met.setdefault(frozenset(game.teams), {team: set() for team in (*game.teams, frozenset[str]())})
            at = winner_of(game)
            won[frozenset() if at is None else game.teams[at]].add(game.id)
        return met

    def series(self, teams: frozenset[frozenset[str]]) -> tuple[dict[frozenset[str], int], int]:
        """Return (number of series won by each side of `teams`, number of all series between these sides).

        A series is a game with its rematches, so it has at least two games.
        """
        won: dict[str, Counter[frozenset[str]]] = {}
        played: Counter[str] = Counter()
        for game in self.games:
            if frozenset(game.teams) != teams:
                continue
            played[self.first_of(game)] += 1
            at = winner_of(game)
            if at is not None:
                won.setdefault(self.first_of(game), Counter())[game.teams[at]] += 1
        long = [first for first, games in played.items() if games > 1]
        ahead = Counter(team for first in long for team in teams if _most(won.get(first, Counter()), team))
        return {team: ahead[team] for team in teams}, len(long)

    def first_of(self, game: Told) -> str:
        """Return the id of the first game of the series to which `game` belongs."""
        before = next((each for each in self.all_games if each.id == game.follows), None)
        return game.id if before is None else self.first_of(before)

    def sentences(self) -> set[str]:
        """Return every sentence that a page might show about the winners of these games.

        Each sentence is included with its names in every order.
        """
        met = self.meetings()
        if not met:
            return {"No finished games"}
        if len(met) > 1:
            return self._most_won()
        ((teams, won),) = met.items()
        best = max(teams, key=lambda team: len(won[team]))
        most, least = len(won[best]), min(len(won[team]) for team in teams)
        total = sum(map(len, won.values()))
        if most == least:
            return self._tied(teams, most, total)
        if total == 1:
            return {f"{names} won" for names in orders(best)}
        said = "1 game" if most == 1 else f"{most} games"
        return {f"{names} won {said} to {least}" for names in orders(best)}

    def _tied(self, teams: frozenset[frozenset[str]], each: int, total: int) -> set[str]:
        if not each:
            return {"Tied game" if total == 1 else f"{total} tied games"}
        said = f"Tied at {each} game{'s' * (each != 1)} each"
        return {f"{said}: {one}, {two}" for a, b in permutations(teams) for one in orders(a) for two in orders(b)}

    def _most_won(self) -> set[str]:
        won = {name: len(self.won(name)) for name in self.names}
        most = max(won.values())
        if not most:
            return self._tied(frozenset(), 0, len(self.games))
        best = [name for name in self.names if won[name] == most]
        played = {len(self.of(name)) for name in best}
        of = f" of {played.pop()}" if len(played) == 1 else ""
        each = " each" if len(best) > 1 else ""
        return {f"Most wins: {names}, {most}{of}{each}" for names in orders(best)}

    def pairs(self) -> list[tuple[str, str]]:
        """Return all pairs of two players, by name."""
        return list(combinations(self.names, 2))
