"""Rank the players or teams of a single night, for its results and its prizes.

The night is ranked as the season is, but without a minimum of games, dropped nights, a handicap or a random draw:
players who are still tied share a rank. A substitute's game counts for the substitute, who was there. A knockout is
ranked by its bracket.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from scorekeeper.games.logic.statistics.person_game import Played, Unit
from scorekeeper.leagues.standings.night_sums import NightSums, tally_teams
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import standings, team_standings, teams_standings
from scorekeeper.leagues.standings.ties import Lots

Groups = Sequence[Sequence[Unit]]
"""Teams grouped by how far they got, best first (`knockout.placed`)."""


def tonight(season: StandingSettings) -> StandingSettings:
    """Return the season's settings, changed so that they rank a single night.

    The returned settings have no minimum number of games, no dropped nights, no handicap and no random draw. A
    substitute's game counts for the substitute.
    """
    return replace(
        season,
        min_games=0,
        drop_nights=0,
        subs="sub",
        handicap="none",
        ties=tuple(rule for rule in season.ties if rule != "draw"),
    )


def rank_night(
    played: Iterable[Played],
    season: StandingSettings,
    *,
    name: str,
    teams: bool = False,
    tags: Mapping[int, str] | None = None,
) -> tuple[StandingRow, ...]:
    """Return a row for each person of one night, or for each set of partners if `teams` is true. The best is first.

    `played` are the games and byes of that night. No rank is decided by a random draw. `name` (the public id of the
    season) and `tags` are only the seed of the random order in which units with the same rank are listed (`ties.Lots`).
    """
    ranked = team_standings if teams else standings
    return ranked(played, tonight(season), season=name, tags=tags)


def rank_bracket(
    played: Sequence[Played], season: StandingSettings, groups: Groups, *, over: bool
) -> tuple[StandingRow, ...]:
    """Return a row for each team of a knockout, best first. Teams of the same group share a rank.

    `groups` has the teams grouped by how far they got, best group first. Until the knockout is `over`, the first group
    has no rank. A team keeps its earlier games even if a partner was replaced, because a game counts if at least one
    person of the current team played in it. A person who left their team has no row.
    """
    teams = [team for group in groups for team in group]
    lines = tally_teams(_of_teams(played, teams))
    there = {tuple(person for person, _regular in line.seats) for line in lines}
    none = dict.fromkeys(NightSums._fields[1:], 0)
    idle = [NightSums(tuple((person, None) for person in team), **none) for team in teams if team not in there]
    settings = replace(tonight(season), ties=())
    rows = {row.unit: row for row in teams_standings({1: [*lines, *idle]}, settings, lambda _people: (), Lots("", {}))}
    ranked: list[StandingRow] = []
    for number, group in enumerate(groups):
        place = len(ranked) + 1 if over or number else None
        ranked += [replace(rows[team], place=place, ties=()) for team in group]
    return tuple(ranked)


def _of_teams(played: Iterable[Played], teams: Iterable[Unit]) -> Iterator[Played]:
    """Yield a copy of each record in which the current team takes the place of the people who played on that side.

    A team may have changed since the game, because a partner was replaced. A record is left out if nobody on that side
    is on one of the `teams`.
    """
    team_of = {person: team for team in teams for person in team}
    for game in played:
        sat = sorted((game.person, *game.partners))
        team = next((team_of[person] for person in sat if person in team_of), None)
        if team is not None:
            yield game._replace(person=team[0], partners=team[1:], sub_for=None)
