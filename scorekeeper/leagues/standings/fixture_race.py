"""Calculate from the remaining matches which teams are sure to qualify ("through"), and which can't ("out").

The method is maximum flow.

Every match gives two points in total: 2 to the winner, or 1 to each team if the match is tied. The remaining points
flow from the matches to the teams, so a maximum flow shows whether certain final standings are possible ("baseball
elimination"). A team is through if it is among the first `places` of its division in all possible final standings, even
if it loses every tie on points. A team is out if it is among them in no possible final standings, even if it wins every
tie on points.

If several teams qualify, one flow is calculated for each set of teams that could be ahead. If this would take more than
`MOST_WORK` steps, there is no result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal

from msgspec import Struct

PER_MATCH = 2
"""Points that a match gives to both teams together."""
MOST_WORK = 1_000_000
"""Most steps for one division (about 0.1 seconds): number of flows times the square of the number of matches left."""
REMEMBERED = 256
"""Number of results kept in memory, because pages ask for the same result until another match is played."""

Matches = Sequence[tuple[int, int]]
"""The two teams (ids) of each match that is left."""


class TeamOutlook(Struct, frozen=True):
    """A team's chances of qualifying for the playoffs, and the points that the team still needs.

    The state is "through" if the team is sure to qualify, "out" if it can't qualify anymore, and otherwise "open".
    `matches` is the number of matches the team has left. `sure` is the fewest points from these matches that guarantee
    a place, or None if even the maximum isn't enough. `least` is the fewest points with which the team can still
    qualify, or None if the team doesn't need any. `sure` and `least` are None unless the state is "open".
    """

    state: Literal["through", "out", "open"]
    matches: int = 0
    sure: int | None = None
    least: int | None = None


class TooManyError(Exception):
    """The calculation for a division would take more than `MOST_WORK` steps."""


def fixture_race(points: Mapping[int, int], matches: Matches, places: int) -> Mapping[int, TeamOutlook]:
    """Return the outlook of each team, or {} if the calculation would take too long.

    `points` has the current points of each team in a division. `matches` are the matches still to be played between
    these teams. `places` is how many of the teams qualify.
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
    """Finds out which final standings of a division are possible, by trying out who gets the points of its matches."""

    def __init__(self, points: Mapping[int, int], matches: Matches) -> None:
        self.points, self.matches = points, [tuple(match) for match in matches]
        self.left = {team: sum(team in match for match in matches) for team in points}
        self.work = 0

    def can_miss(self, team: int, got: int, places: int) -> bool:
        """Return whether `team` can miss the top `places` if it gets `got` points from its remaining matches.

        A team can miss the top if at least `places` other teams can all finish with at least as many points.
        """
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
        """Return whether `team` can finish in the top `places` if it gets `got` points from its remaining matches.

        A team can be among the top if the season can end with fewer than `places` other teams above it.
        """
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
        """Return whether the teams can get `wanted` points in total from the remaining matches.

        `takes` has the most points that each team may get. Raises `TooManyError` if the calculation takes too long.
        """
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
        """Give one more point from a match to one of its two teams, and return whether that was possible.

        `start` is the index of the match, and `match` has its teams. `of` has, for each match, the points of each of
        its teams. `given` has the total of each team, and `takes` has the limit for each team. If both teams have
        reached their limits, points of other matches are moved to make room.
        """
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
