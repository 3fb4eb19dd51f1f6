"""Make the matches of a division, and say who won them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scorekeeper.games.logic.statistics.person_game import Played
from scorekeeper.leagues.schedule.designs import circle_rounds
from scorekeeper.leagues.schedule.formats.knockout import next_rounds, placed
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.formats.round_robin import full_circle
from scorekeeper.leagues.schedule.plan import RoundPlan, TablePlan, TableResult
from scorekeeper.leagues.standings.fixture_race import PER_MATCH, TeamOutlook, fixture_race
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import standings


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The result of a match, home team first: tables won, points, and sets at all its tables."""

    tables: tuple[int, int]
    points: tuple[int, int]
    sets: tuple[int, int]

    def winner(self, match: str) -> int | None:
        """Return the winning side by the season's setting ("tables" or "points"), None for a tie."""
        home, away = self.tables if match == "tables" else self.points
        return None if home == away else int(away > home)

    def goes_on(self, match: str) -> int:
        """Return the side that goes on in the play-offs: a tie goes to more points, then to the home side."""
        winner = self.winner(match)
        return int(self.points[1] > self.points[0]) if winner is None else winner


@dataclass(frozen=True, slots=True)
class Match:
    """A match: ids of the home and the visiting team, and its score once the night is closed."""

    id: int
    round: int
    home: int
    away: int
    score: MatchScore | None = None


def match_days(teams: Sequence[int], *, double: bool) -> list[list[tuple[int, int]]]:
    """Return the matches of each day, home team first: each two teams meet once, or twice with `double`."""
    days = []
    for day, seats in enumerate(circle_rounds(len(teams), full_circle(len(teams)))):
        pairs = [(teams[one], teams[other]) for one, other in zip(seats[::2], seats[1::2], strict=True)]
        # Sides by the place in the circle: teams alternate, and each is at home as often as away, or once more or less.
        steps = enumerate(pairs, start=len(teams) % 2)
        days.append([(b, a) if (day if step == 0 else step + 1) % 2 else (a, b) for step, (a, b) in steps])
    return days + [[(away, home) for home, away in day] for day in days] if double else days


def table_of(
    matches: Iterable[Match], settings: StandingSettings, match: str, *, season: str, tags: Mapping[int, str]
) -> tuple[StandingRow, ...]:
    """Return the standings of teams, each as a unit of one id: 2 points for a win, 1 for a tie.

    Ties are broken by the season's own tie-breakers; sets and the point difference are those of all tables. A team
    without a match has no row.
    """
    rule = replace(settings, order="points", min_games=0, drop_nights=0, bye="nothing", subs="sub", handicap="none")
    played = [record for each in matches if each.score for record in _records(each, each.score, match)]
    return standings(played, rule, season=season, tags=tags)


def _records(match: Match, score: MatchScore, rule: str) -> Iterable[Played]:
    winner = score.winner(rule)
    for side, (own, other) in enumerate(((match.home, match.away), (match.away, match.home))):
        points = PER_MATCH // 2 if winner is None else PER_MATCH * (winner == side)
        yield Played(
            night=match.round,
            round=1,
            table=1,
            game=match.id,
            person=own,
            opponents=(other,),
            points=points,
            # So that the difference of a row is the one of the points at the tables.
            points_against=points - score.points[side] + score.points[1 - side],
            won=winner == side,
            drawn=winner is None,
            sets=score.sets[side],
        )


def team_race(
    teams: Sequence[int], matches: Sequence[Match], rows: Sequence[StandingRow], places: int
) -> Mapping[int, TeamOutlook]:
    """Return the outlook of each of `teams` for the first `places`; once all is played, as the standings say."""
    left = [(match.home, match.away) for match in matches if match.score is None]
    if not left:
        first = [row.person for row in rows][:places]
        return {team: TeamOutlook("through" if team in first else "out") for team in teams}
    points = dict.fromkeys(teams, 0) | {row.person: int(row.points) for row in rows}
    return fixture_race(points, left, places)


def seeds_of(divisions: Sequence[Sequence[int]], qualify: int) -> list[int]:
    """Return the first `qualify` of each division by seed: all winners first, in the order of divisions, and so on."""
    return [teams[place] for place in range(qualify) for teams in divisions if place < len(teams)]


def play_off(
    seeds: Sequence[int], rounds: Sequence[Sequence[Match]], match: str, options: Mapping[str, int]
) -> tuple[list[tuple[int, int]], tuple[tuple[int, ...], ...]]:
    """Return the matches of the next round, better seed first, and the teams by how far they got (`knockout.placed`).

    `rounds` are the rounds so far, all played. No matches are returned once there is a champion.
    """
    night = Night(
        people=tuple(seeds),
        past=tuple(_plan(played, seeds) for played in rounds),
        results=tuple(tuple(_result(each, number, match) for number, each in enumerate(day, 1)) for day in rounds),
        teams=tuple((team,) for team in seeds),
        options=options,
    )
    tables = [table.seats for plan in next_rounds(night) for table in plan.tables]
    rank = {team: seed for seed, team in enumerate(seeds)}
    pairs = [sorted(seats, key=rank.__getitem__) for seats in tables]
    groups = tuple(tuple(team for unit in group for team in unit) for group in placed(night))
    return [(home, away) for home, away in pairs], groups


def _plan(played: Sequence[Match], seeds: Sequence[int]) -> RoundPlan:
    tables = tuple(TablePlan(number, (each.home, each.away), "alone") for number, each in enumerate(played, start=1))
    playing = {team for table in tables for team in table.seats}
    return RoundPlan(tables, tuple(sorted(set(seeds) - playing)))


def _result(match: Match, number: int, rule: str) -> TableResult:
    assert match.score is not None
    return TableResult(number, (match.home, match.away), match.score.points, match.score.goes_on(rule))
