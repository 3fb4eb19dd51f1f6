"""Make the matches of a division, calculate its standings, and make the matches of each playoff round.

All functions are pure: they read and write no database.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from msgspec import Struct

from scorekeeper.games.logic.statistics.hands import Played
from scorekeeper.leagues.schedule.formats.knockout import Pairing, next_rounds, pairings, placed
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.formats.round_robin import full_circle
from scorekeeper.leagues.schedule.plan import RoundPlan, TablePlan, TableResult
from scorekeeper.leagues.schedule.seating import circle_rounds
from scorekeeper.leagues.standings.fixture_race import PER_MATCH, TeamOutlook, fixture_race
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import standings

BOTH = 2
"""In place of the side that forfeited a match: neither team came, and both lost."""


class MatchScore(Struct, frozen=True):
    """The result of a match, added up over its tables.

    Each field is a pair (home team, visitors). `tables` has the number of tables won, `points` has the points scored,
    and `sets` has the number of failed bids. `forfeit` is the side that forfeited and so lost, 0 or 1, or `BOTH`; else
    None.
    """

    tables: tuple[int, int]
    points: tuple[int, int]
    sets: tuple[int, int]
    forfeit: int | None = None

    def winner(self, match: str) -> int | None:
        """Return the side that won the match, 0 for home or 1 for visitors, or None for a tie, or if both lost.

        `match` is the season's setting for what decides a match: "tables" for the tables won, or "points".
        """
        if self.forfeit is not None:
            return None if self.forfeit == BOTH else 1 - self.forfeit
        home, away = self.tables if match == "tables" else self.points
        return None if home == away else int(away > home)

    def goes_on(self, match: str) -> int:
        """Return the side that advances in the playoffs, 0 for home or 1 for visitors.

        After a tie, the side with more points advances. If the points are equal too, the home side advances. `match` is
        as in `winner`.
        """
        winner = self.winner(match)
        return int(self.points[1] > self.points[0]) if winner is None else winner


def forfeited(side: int, tables: int, points: int) -> MatchScore:
    """Return the score of a match that one side forfeited: the other wins all its `tables`, with `points` at each.

    If `side` is `BOTH`, nobody wins anything.
    """
    won = {0: (0, tables), 1: (tables, 0)}.get(side, (0, 0))
    return MatchScore(won, (points * won[0], points * won[1]), (0, 0), side)


class Match(Struct, frozen=True):
    """A match between two teams, given as row ids.

    `round` is the number of its match day. `score` is None until the night of the match is closed.
    """

    id: int
    round: int
    home: int
    away: int
    score: MatchScore | None = None


def match_days(teams: Sequence[int], *, double: bool) -> list[list[tuple[int, int]]]:
    """Return a list of match days, each of which is a list of matches as pairs (home, visitors).

    `teams` and the pairs have row ids of teams. Every two teams meet once or, with `double`, twice, once at each team's
    home.
    """
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
    """Return the standings of the teams, best first. A win gives 2 points, and a tie gives 1. Both teams can lose.

    In each row, `person` is the row id of a team. The sets and the point differential are added up over all tables.
    Ties are broken by the tie-breakers in `settings`. A team that hasn't played has no row.

    `match` is the season's setting for who wins a match (`PlayoffSettings.match`). `season` and `tags`
    are the seed of the random draw that breaks the last ties (`ties.Lots`).
    """
    rule = replace(settings, order="points", min_games=0, drop_nights=0, bye="nothing", subs="sub", handicap="none")
    played = [record for each in matches if each.score for record in _records(each, each.score, match)]
    return standings(played, rule, season=season, tags=tags)


def _records(match: Match, score: MatchScore, rule: str) -> Iterable[Played]:
    winner = score.winner(rule)
    tied = winner is None and score.forfeit is None
    for side, (own, other) in enumerate(((match.home, match.away), (match.away, match.home))):
        points = PER_MATCH // 2 if tied else PER_MATCH * (winner == side)
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
            drawn=tied,
            sets=score.sets[side],
        )


def team_race(
    teams: Sequence[int], matches: Sequence[Match], rows: Sequence[StandingRow], places: int
) -> Mapping[int, TeamOutlook]:
    """Return whether each team can still finish in the top `places`, and what it needs. The key is the team's row id.

    `rows` are the standings of `teams`. Once all `matches` are played, the top `places` in `rows` have qualified.
    """
    left = [(match.home, match.away) for match in matches if match.score is None]
    if not left:
        first = [row.person for row in rows][:places]
        return {team: TeamOutlook("through" if team in first else "out") for team in teams}
    points = dict.fromkeys(teams, 0) | {row.person: int(row.points) for row in rows}
    return fixture_race(points, left, places)


def seeds_of(divisions: Sequence[Sequence[int]], qualify: int) -> list[int]:
    """Return the row ids of the teams that qualify, best seed first.

    `divisions` has the row ids of each division's teams, best first. In each division, the best `qualify` teams
    qualify. All division winners are seeded first, in the order of the divisions. The teams in second place follow, and
    so on.
    """
    return [teams[place] for place in range(qualify) for teams in divisions if place < len(teams)]


def play_off(
    seeds: Sequence[int], rounds: Sequence[Sequence[Match]], match: str, options: Mapping[str, int]
) -> tuple[list[tuple[int, int]], tuple[tuple[int, ...], ...]]:
    """Return the next round of the playoffs, and the teams grouped by how far they got.

    The next round is a list of matches as (better seed, other team), which is empty once there is a champion. The
    groups are in order from the champion down (`knockout.placed`). `seeds` are the row ids of the teams, best first.
    `rounds` are the rounds so far, and all their matches must have scores. `match` is the season's setting for who wins
    a match (`PlayoffSettings.match`). `options` are the options of the knockout format.
    """
    night = _as_night(seeds, rounds, match, options)
    tables = [table.seats for plan in next_rounds(night) for table in plan.tables]
    rank = {team: seed for seed, team in enumerate(seeds)}
    pairs = [sorted(seats, key=rank.__getitem__) for seats in tables]
    groups = tuple(tuple(team for unit in group for team in unit) for group in placed(night))
    return [(home, away) for home, away in pairs], groups


def playoff_pairings(
    seeds: Sequence[int], rounds: Sequence[Sequence[Match]], match: str, options: Mapping[str, int]
) -> tuple[tuple[Pairing, ...], ...]:
    """Return the playoffs as in a picture (`knockout.pairings`). The parameters are those of `play_off`.

    Matches of the last round need no scores. The number of a table is the number of a match in its round, from 1.
    """
    return pairings(_as_night(seeds, rounds, match, options))


def _as_night(seeds: Sequence[int], rounds: Sequence[Sequence[Match]], match: str, options: Mapping[str, int]) -> Night:
    results = [[_result(each, number, match) for number, each in enumerate(day, 1) if each.score] for day in rounds]
    return Night(
        people=tuple(seeds),
        past=tuple(_plan(played, () if stage else seeds) for stage, played in enumerate(rounds)),
        results=tuple(map(tuple, results)),
        teams=tuple((team,) for team in seeds),
        options=options,
    )


def _plan(played: Sequence[Match], seeds: Sequence[int]) -> RoundPlan:
    """Return a round of the playoffs as a round of a knockout. `seeds` are the teams that play or have a bye in it.

    Only the first round has byes: a team without a match in a later round is out.
    """
    tables = tuple(TablePlan(number, (each.home, each.away), "alone") for number, each in enumerate(played, start=1))
    playing = {team for table in tables for team in table.seats}
    return RoundPlan(tables, tuple(sorted(set(seeds) - playing)))


def _result(match: Match, number: int, rule: str) -> TableResult:
    assert match.score is not None
    return TableResult(number, (match.home, match.away), match.score.points, match.score.goes_on(rule))
