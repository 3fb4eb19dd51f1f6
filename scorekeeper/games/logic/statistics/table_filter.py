"""Filter the games of a home table by game, house rules, people and date, or find the games behind a statistic."""

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
"""The `rules_key` of the usual rules of a game."""


@dataclass(frozen=True, slots=True)
class TableFilter:
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


@dataclass(frozen=True, slots=True)
class Figure:
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
