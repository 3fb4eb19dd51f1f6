"""Find the teams that are through or out when the matches left are known: exact, by maximum flow.

Every match gives two points: 2 to the winner, or 1 to each team if it is tied. So the points still to come flow from
the matches to the teams, and whether some final table is possible is a question about a flow ("baseball elimination").
A team is through if it is among the first `places` of its division in every final table, with a tie on points counted
against it, and out if it is in none, with a tie counted for it.

For more than one place, each choice of the teams ahead is a flow of its own. A race that would take more than
`MOST_WORK` says nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal

PER_MATCH = 2
"""Points that a match gives in all."""
MOST_WORK = 1_000_000
"""For one division, flows times the square of the matches left: about a tenth of a second."""
REMEMBERED = 256
"""Races kept in memory, because a page asks for the same ones until a match is played."""

Matches = Sequence[tuple[int, int]]
"""The teams of each match that is left."""


@dataclass(frozen=True, slots=True)
class TeamOutlook:
    """What can still become of a team; `sure` and `least` are points from its `matches` left, None if there are none.

    `sure` is the least number of points that makes it certain, `least` the least with which it is still possible.
    """

    state: Literal["through", "out", "open"]
    matches: int = 0
    sure: int | None = None
    least: int | None = None


class TooManyError(Exception):
    """The race takes more than `MOST_WORK`."""


def fixture_race(points: Mapping[int, int], matches: Matches, places: int) -> Mapping[int, TeamOutlook]:
    """Return the outlook of each team, or {} if the race is too large to tell.

    `points` has the points so far of each team of a division, and `matches` are those left between them.
    """
    return _race(tuple(sorted(points.items())), tuple((home, away) for home, away in matches), places)


@lru_cache(REMEMBERED)
def _race(points: tuple[tuple[int, int], ...], matches: Matches, places: int) -> Mapping[int, TeamOutlook]:
    flows = _Flows(dict(points), matches)
    try:
        return {team: _outlook(flows, team, places) for team, _points in points}
    except TooManyError:
        return {}


def _outlook(flows: _Flows, team: int, places: int) -> TeamOutlook:
    played = flows.left[team]
    most = PER_MATCH * played
    if not flows.can_be_among(team, most, places):
        return TeamOutlook("out")
    if not flows.can_miss(team, 0, places):
        return TeamOutlook("through")
    sure = next((got for got in range(1, most + 1) if not flows.can_miss(team, got, places)), None)
    least = next((got for got in range(most + 1) if flows.can_be_among(team, got, places)), 0)
    return TeamOutlook("open", played, sure, least or None)


class _Flows:
    """The questions about the final tables of a division, each answered by flows."""

    def __init__(self, points: Mapping[int, int], matches: Matches) -> None:
        self.points, self.matches = points, [tuple(match) for match in matches]
        self.left = {team: sum(team in match for match in matches) for team in points}
        self.work = 0

    def can_miss(self, team: int, got: int, places: int) -> bool:
        """Return whether `places` others can have at least as many points, if `team` gets `got` from its matches."""
        total = self.points[team] + got
        need = {other: max(total - self.points[other], 0) for other in self.points if other != team}
        able = [other for other in need if need[other] <= PER_MATCH * self.left[other]]
        able.sort(key=lambda other: need[other])
        for chosen in combinations(able, places):
            takes = {other: need[other] for other in chosen} | {team: got}
            if self._flow(takes, sum(takes.values())):
                return True
        return False

    def can_be_among(self, team: int, got: int, places: int) -> bool:
        """Return whether fewer than `places` others can have more points, if `team` gets `got` from its matches."""
        total = self.points[team] + got
        room = {other: total - self.points[other] for other in self.points if other != team}
        ahead = [other for other in room if room[other] < 0]
        if len(ahead) >= places:
            return False
        rest = sorted((other for other in room if room[other] >= 0), key=lambda other: room[other])
        free = min(places - 1 - len(ahead), len(rest))
        for chosen in combinations(rest, free):
            unlimited = {*ahead, *chosen}
            takes = {other: PER_MATCH * self.left[other] if other in unlimited else room[other] for other in room} | {
                team: got
            }
            if self._flow(takes, PER_MATCH * len(self.matches)):
                return True
        return False

    def _flow(self, takes: Mapping[int, int], wanted: int) -> bool:
        """Return whether `wanted` points can reach the teams, each taking at most `takes`. Raises `TooManyError`."""
        self.work += len(self.matches) ** 2
        if self.work > MOST_WORK:
            raise TooManyError
        given = dict.fromkeys(takes, 0)
        of = [dict.fromkeys(match, 0) for match in self.matches]
        spare = PER_MATCH * len(self.matches) - wanted
        for index, match in enumerate(self.matches):
            for _point in range(PER_MATCH):
                spare -= not self._send(index, match, of, given, takes)
                if spare < 0:
                    return False
        return True

    def _send(
        self,
        start: int,
        match: Iterable[int],
        of: list[dict[int, int]],
        given: dict[int, int],
        takes: Mapping[int, int],
    ) -> bool:
        """Give one point of a match to a team with room, moving points of other matches; return False if none has."""
        came: dict[int, tuple[int, int]] = {}
        queue: deque[int] = deque()
        for team in match:
            if team not in came:
                came[team] = (start, -1)
                queue.append(team)
        while queue:
            team = queue.popleft()
            if given.get(team, 0) < takes.get(team, 0):
                given[team] += 1
                for index, before in _path(came, team):
                    of[index][team] += 1
                    if before >= 0:
                        of[index][before] -= 1
                        team = before
                return True
            for index, taken in enumerate(of):
                if taken.get(team, 0):
                    for other in taken:
                        if other not in came:
                            came[other] = (index, team)
                            queue.append(other)
        return False


def _path(came: Mapping[int, tuple[int, int]], team: int) -> Iterator[tuple[int, int]]:
    while team >= 0:
        index, before = came[team]
        yield index, before
        team = before
