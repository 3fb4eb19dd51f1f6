"""Count a table's games a second time, straight from exported records; nothing here uses code of the app.

It knows one game: Setback to 21 for two pairs, where both sides score what they took, a failed bid costs the bid, and
the bidder's side goes out with a lead of 2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

TARGET = 21


@dataclass
class Told:
    """A game as the test played it: its record, and what a record doesn't tell."""

    id: str
    evening: int
    record: dict[str, Any]
    counts: bool = True
    """It was finished, and not hidden."""
    hidden: bool = False
    before: dict[int, tuple[int, str]] = field(default_factory=dict)
    """By seat: who sat there up to which hand, before somebody took over."""

    @property
    def teams(self) -> list[frozenset[str]]:
        """Return the names of each side."""
        return [frozenset(self.record["players"][seat] for seat in side) for side in self.record["sides"]]


def hands_of(told: Told) -> list[tuple[int, str, int, bool]]:
    """Return number, bidder, bid and whether it was made, for each hand with a bid."""
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
    """Return the totals after each hand, 0 to 0 first."""
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
    """Return the side that won; None for a tie."""
    if "winner" in told.record:
        winner: int | None = told.record["winner"]
        return winner
    one, two = run_of(told)[-1]
    return 0 if one > two else 1


def behind_of(told: Told) -> int:
    """Return how far the winner was behind at worst; 0 unless it was more than one hand can give and it is ahead."""
    winner = winner_of(told)
    run = run_of(told)
    if winner is None or run[-1][winner] <= run[-1][1 - winner]:
        return 0
    worst = max(each[1 - winner] - each[winner] for each in run)
    return worst if worst > 4 else 0


def share(hits: int, cases: int) -> str:
    """Return a rate as the pages say it."""
    if not cases:
        return "none yet"
    if cases < 10:
        return f"{hits} of {cases}"
    return f"{(200 * hits + cases) // (2 * cases)}% of {cases}"


class Counted:
    """All numbers of some games, by name; each with the ids of its games."""

    def __init__(self, games: list[Told]) -> None:
        self.games = [game for game in games if game.counts and not game.hidden]
        self.bid_games = [game for game in games if not game.hidden]
        self.names = sorted({name for game in self.bid_games for team in game.teams for name in team})

    def of(self, name: str) -> set[str]:
        """Return the games of a person."""
        return {game.id for game in self.games if any(name in team for team in game.teams)}

    def won(self, name: str) -> set[str]:
        """Return the games that a person won."""
        return {game.id for game in self.games if (at := winner_of(game)) is not None and name in game.teams[at]}

    def streak(self, name: str) -> list[str]:
        """Return the longest streak of games won, the first one if there are several."""
        best: list[str] = []
        now: list[str] = []
        for game in self.games:
            if game.id not in self.of(name):
                continue
            now = [*now, game.id] if game.id in self.won(name) else []
            best = now if len(now) > len(best) else best
        return best

    def bids(self, name: str, bid: int | None = None) -> list[tuple[str, bool]]:
        """Return the game of each bid of a person, and whether it was made."""
        return [
            (game.id, made)
            for game in self.bid_games
            for _, bidder, value, made in hands_of(game)
            if bidder == name and bid in (None, value)
        ]

    def together(self, name: str, other: str) -> set[str]:
        """Return the games in which two people were partners."""
        return {game.id for game in self.games if any({name, other} <= team for team in game.teams)}

    def apart(self, name: str, other: str) -> set[str]:
        """Return the games in which two people were opponents."""
        return (self.of(name) & self.of(other)) - self.together(name, other)

    def comeback(self, name: str) -> tuple[int, str] | None:
        """Return the biggest comeback and its game, the first one if there are several."""
        best = None
        for game in self.games:
            if game.id in self.won(name) and behind_of(game) > (best[0] if best else 0):
                best = behind_of(game), game.id
        return best

    def meetings(self) -> dict[frozenset[frozenset[str]], dict[frozenset[str], set[str]]]:
        """Return the games won by each side of each head to head; `frozenset()` stands for ties."""
        met: dict[frozenset[frozenset[str]], dict[frozenset[str], set[str]]] = {}
        for game in self.games:
            won = met.setdefault(frozenset(game.teams), {team: set() for team in (*game.teams, frozenset[str]())})
            at = winner_of(game)
            won[frozenset() if at is None else game.teams[at]].add(game.id)
        return met

    def pairs(self) -> list[tuple[str, str]]:
        """Return all pairs of names."""
        return list(combinations(self.names, 2))
