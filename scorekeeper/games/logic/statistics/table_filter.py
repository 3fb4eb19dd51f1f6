"""Filter a home table's games: by game, rules, people and date, or by the number that counts them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scorekeeper.games.logic.statistics.table_games import Side, TableGame
from scorekeeper.games.logic.statistics.table_statistics import Meeting, PersonNumbers, meetings_of, people_of

USUAL = "usual"
"""Key of the usual rules of a game."""


@dataclass(frozen=True, slots=True)
class TableFilter:
    """A filter for games; an empty field takes all.

    `rules` is a `rules_key`. All of `people` must play, and one of `anyone`. `since` and `until` are times (UTC); the
    game must have begun from `since` on, and before `until`.
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
    """Return a short text that is the same for the same house rules; `ruleset` is what differs from the usual rules."""
    if not ruleset:
        return USUAL
    return hashlib.sha256(json.dumps(ruleset, sort_keys=True).encode()).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number on the page: its `kind`, one of `KINDS`, with the people and the bid that it is about."""

    kind: str
    sides: tuple[Side, ...] = ()
    bid: str = ""

    @property
    def person(self) -> int:
        """Return the first person."""
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
"""Kinds about two people."""


def games_of_figure(games: Sequence[TableGame], figure: Figure) -> frozenset[str]:
    """Return the ids of the games that a number counts; empty if there is no such number."""
    if figure.kind in _OF_PERSON:
        own = next((each for each in people_of(games) if each.person == figure.person), None)
        return frozenset() if own is None else frozenset(map(str, _OF_PERSON[figure.kind](own, figure)))
    sides = sorted(figure.sides)
    meeting = next((each for each in meetings_of(games) if sorted(each.sides) == sides), None)
    return frozenset() if meeting is None else frozenset(map(str, _OF_MEETING[figure.kind](meeting, figure)))


def _together(companions: Sequence[Any], figure: Figure) -> Sequence[object]:
    other = figure.sides[1][0]
    return next((each.games for each in companions if each.person == other), ())
