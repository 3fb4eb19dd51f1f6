"""Rank one night alone, for its results and its prizes.

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
    """Return the settings by which a single night of a season is ranked."""
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
    """Return a row for each person of one night, or for each set of partners if `teams`, best first.

    `played` are the games and byes of that night. `name` and `tags` seed the random draw, like `season` and `tags` of
    `table.standings`.
    """
    ranked = team_standings if teams else standings
    return ranked(played, tonight(season), season=name, tags=tags)


def rank_bracket(
    played: Sequence[Played], season: StandingSettings, groups: Groups, *, over: bool
) -> tuple[StandingRow, ...]:
    """Return a row for each team of a knockout, best first; teams of one group share a rank.

    Until the knockout is `over`, the teams of the first group have no rank. A game counts for a team if one of its
    people sat at that side, so a team whose partner changed keeps its games. People who left their team have no row.
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
    """Yield the games of teams as if the whole team had sat at its side, one record for each player who did."""
    team_of = {person: team for team in teams for person in team}
    for game in played:
        sat = sorted((game.person, *game.partners))
        team = next((team_of[person] for person in sat if person in team_of), None)
        if team is not None:
            yield game._replace(person=team[0], partners=team[1:], sub_for=None)
