"""Rank the players or teams of a season, and of a single night.

Calculate the handicap points of each player or team on each night.

A unit is one player or a set of partners. In each game, it gets a percentage of the gap between its own average and the
best average, rounded down to a whole point and limited by the cap. An average is the points per game on earlier nights
of the season. It includes dropped nights, but no handicap points. A unit gets no handicap on its own first night.

Only units that played on at least half of the nights so far can have the best average, so that one lucky night doesn't
decide it. A unit that played less often and has a higher average gets no handicap. Handicap points count for points and
points per game, never for wins or the point differential.

Calculate the score of each player or team on each night, and drop the lowest nights.

The season's settings say how a bye counts. If it scores nothing, it doesn't count as a game. If it scores fixed points,
it counts as a game, and the settings say whether it is a win. If it scores the average, it counts as a game that isn't
won, and it scores the average points of the unit's own games in the season, or 0 if there are none. The average
includes handicap points and dropped nights. A bye has no point differential, no sets and no handicap.

If the lowest n nights are dropped, each unit keeps its best nights: as many as the season has had so far, less n, and
at least one. Missed nights are therefore dropped first. Nights are compared by the value that the season ranks by, on
that night alone: points per game, points, or wins. Of tied nights the one with fewer points is dropped, then the
earlier one. A dropped night still counts for the minimum of games, for averages, and for head-to-head games.

Calculate the standings of a season, for people and for fixed partners.

Rank the players or teams of a single night, for its results and its prizes.

The night is ranked as the season is, but without a minimum of games, dropped nights, a handicap or a random draw:
players who are still tied share a rank. A substitute's game counts for the substitute, who was there. A knockout is
ranked by its bracket.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import lcm

from msgspec import structs

from scorekeeper.games.logic.statistics.hands import GameKey, Played, Unit
from scorekeeper.leagues.standings.rows import (
    Lines,
    Nights,
    NightSums,
    StandingRow,
    Tallies,
    Tie,
    by_night,
    credit,
    tally_people,
    tally_teams,
)
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.ties import Contest, Credit, Lots, rank, to_people, to_teams


def handicaps(tallies: Tallies, settings: StandingSettings) -> dict[tuple[Unit, int], int]:
    """Return the handicap points per game for each unit on each night. A unit is one player or a set of partners.

    The keys are (unit, number of the night). Units without a handicap on a night are left out.
    """
    given: dict[tuple[Unit, int], int] = {}
    if settings.handicap == "none" or not settings.handicap_percent:
        return given
    share = Fraction(settings.handicap_percent, 100)
    games: dict[Unit, int] = {}
    points: dict[Unit, int] = {}
    attended: dict[Unit, int] = {}
    really = (night for nights in tallies.values() for night, each in nights.items() if each.played)
    for past, night in enumerate(sorted(set(really))):
        averages = {unit: Fraction(points[unit], count) for unit, count in games.items()}
        best = max((averages[unit] for unit, count in attended.items() if 2 * count >= past), default=None)
        for unit, nights in tallies.items():
            tally = nights.get(night)
            if tally is None or not tally.played:
                continue
            if best is not None and unit in averages:
                points_given = min(int(share * max(best - averages[unit], Fraction(0))), settings.handicap_cap)
                if points_given:
                    given[unit, night] = points_given
            games[unit] = games.get(unit, 0) + tally.played
            points[unit] = points.get(unit, 0) + tally.points
            attended[unit] = attended.get(unit, 0) + 1
    return given


def score_nights(tallies: Tallies, settings: StandingSettings) -> Mapping[Unit, Nights]:
    """Return the nights of each player or team with their scores. The lowest nights are marked as dropped."""
    given: defaultdict[Unit, dict[int, int]] = defaultdict(dict)
    for (unit, night), points in handicaps(tallies, settings).items():
        given[unit][night] = points
    so_far = len({night for nights in tallies.values() for night in nights})
    return {
        unit: _drop(_nights(sorted(nights.items()), given.get(unit, {}), settings), so_far, settings)
        for unit, nights in tallies.items()
    }


def _nights(tallies: Sequence[tuple[int, NightSums]], given: Mapping[int, int], settings: StandingSettings) -> Nights:
    if settings.bye == "points":
        return Nights(tallies, given, settings.bye_points, 1, settings.bye_wins)
    played = sum(tally.played for _night, tally in tallies)
    if settings.bye == "nothing" or not played:
        return Nights(tallies, given, None, 1, bye_wins=False)
    points = sum(tally.points + given.get(night, 0) * tally.played for night, tally in tallies)
    return Nights(tallies, given, points, played, bye_wins=False)


def _drop(nights: Nights, so_far: int, settings: StandingSettings) -> Nights:
    """Return `nights` with the lowest nights marked as dropped. `so_far` is how many nights the season has had."""
    kept = max(so_far - settings.drop_nights, 1)
    if len(nights) <= kept:
        return nights
    values = sorted(_values(nights, settings.order))
    return structs.replace(nights, dropped=frozenset(night for *_, night in values[: max(len(values) - kept, 0)]))


def _values(nights: Nights, order: str) -> Iterator[tuple[int, int, int]]:
    """Yield a triple for each night on which the unit has a game: (value, points, number of the night).

    The value is what the season ranks by, for that night alone. Points and averages are multiplied by a common factor,
    so that they are whole numbers. Fractions would be slow to compare.
    """
    scores: list[tuple[int, int, int, int]] = []
    for night, tally in nights.tallies:
        played, byes = tally.played, tally.byes
        games = played if nights.bye is None else played + byes
        if games:
            points = nights.scale * (tally.points + nights.given.get(night, 0) * played) + byes * (nights.bye or 0)
            scores.append((games, points, tally.wins + byes if nights.bye_wins else tally.wins, night))
    common = lcm(*{games for games, *_ in scores})
    for games, points, wins, night in scores:
        yield {"wins": wins, "points": points, "per_game": points * (common // games)}[order], points, night


Meetings = Callable[[Collection[int] | None], Iterable[Played]]
"""Function that returns the games, without byes, in which at least two of these people (ids) took part.

A regular whose substitute played took part too. For None, it returns all games of the season.
"""


def standings(
    played: Iterable[Played], settings: StandingSettings, *, season: str, tags: Mapping[int, str] | None = None
) -> tuple[StandingRow, ...]:
    """Return a row for each person, best first. The unranked people are at the end.

    `played` are all games and byes of the season so far, in any order. `season` and `tags` are the seed of the random
    draw: the public id of the season, and the public id of each person by row id (`ties.Lots`).
    """
    records = list(played)
    lines = {number: tally_people(games) for number, games in by_night(records).items()}
    return people_standings(lines, settings, meetings_in(records), Lots(season, tags or {}))


def team_standings(
    played: Iterable[Played], settings: StandingSettings, *, season: str, tags: Mapping[int, str] | None = None
) -> tuple[StandingRow, ...]:
    """Return a row for each set of partners that played together, best first. The parameters are as in `standings`."""
    records = list(played)
    lines = {number: tally_teams(games) for number, games in by_night(records).items()}
    return teams_standings(lines, settings, meetings_in(records), Lots(season, tags or {}))


def people_standings(
    lines: Lines, settings: StandingSettings, meetings: Meetings, lots: Lots
) -> tuple[StandingRow, ...]:
    """Return a row for each person, best first, as `standings` does.

    `lines` has each person's sums, by number of the night. `meetings` is a function as returned by `meetings_in`. It is
    called only by tie-breakers that look at individual games.
    """
    return _ranked(lines, settings, lambda people: to_people(meetings(people), settings.subs), lots)


def teams_standings(
    lines: Lines, settings: StandingSettings, meetings: Meetings, lots: Lots
) -> tuple[StandingRow, ...]:
    """Return a row for each set of partners, best first, as `team_standings` does.

    `lines` has the partners' sums, by number of the night. `meetings` is as in `people_standings`.
    """
    return _ranked(lines, settings, lambda people: to_teams(meetings(people), settings.subs), lots)


def meetings_in(played: Iterable[Played]) -> Meetings:
    """Return a function that selects games from `played`.

    If the function is called with the ids of people, it yields the games in which at least two of these people took
    part. If the function is called with None, it yields all games. Byes are always left out.
    """
    games: defaultdict[tuple[int, GameKey], list[Played]] = defaultdict(list)
    for one in played:
        if not one.bye:
            games[one.night, one.game].append(one)

    def meetings(people: Collection[int] | None) -> Iterator[Played]:
        for game in games.values():
            if people is None or len({who for one in game for who in (one.person, one.sub_for) if who in people}) > 1:
                yield from game

    return meetings


def ties_of(rows: Iterable[StandingRow]) -> tuple[Tie, ...]:
    """Return each tie of the standings once, from the best rank to the worst."""
    return tuple(dict.fromkeys(tie for row in rows for tie in row.ties))


def tie_marks(rows: Sequence[StandingRow]) -> tuple[str, ...]:
    """Return the mark to show after the rank of each row.

    The mark is "=" for a shared rank and "*" for a broken tie. Otherwise, it is empty.
    """
    sharing = Counter(row.place for row in rows)
    return tuple(
        "" if row.place is None else "=" if sharing[row.place] > 1 else "*" if row.ties else "" for row in rows
    )


def _ranked(
    lines: Lines, settings: StandingSettings, games: Callable[[Collection[int] | None], Credit], lots: Lots
) -> tuple[StandingRow, ...]:
    tallies = credit(lines, settings.subs)
    rows = {unit: _row(unit, nights, settings.order) for unit, nights in score_nights(tallies, settings).items()}
    contest = Contest(
        rows,
        met=lambda tied: games({person for unit in tied for person in unit}),
        all_games=cache(lambda: games(None)),
        lots=lots,
        met_all=settings.met_all,
        reapply=settings.reapply,
    )
    # What the season ranks by cannot break its own ties.
    chain = tuple(rule for rule in settings.ties if rule != settings.order)
    least = max(settings.min_games, 1)
    placed: list[StandingRow] = []
    for tied in _tied_groups(row for row in rows.values() if row.played >= least):
        for group, ties in rank(contest, tied, (settings.order,), chain):
            place = len(placed) + 1
            placed += [structs.replace(rows[unit], place=place, ties=ties) for unit in group]
    below = [
        rows[unit]
        for tied in _tied_groups(row for row in rows.values() if row.played < least)
        for unit in lots.order(tied)
    ]
    return (*placed, *below)


def _tied_groups(rows: Iterable[StandingRow]) -> list[list[Unit]]:
    """Return the players or teams of `rows`, grouped by the value that the season ranks by, best group first."""
    groups: dict[Fraction, list[Unit]] = defaultdict(list)
    for row in rows:
        groups[row.value].append(row.unit)
    return [groups[value] for value in sorted(groups, reverse=True)]


def _row(unit: Unit, nights: Nights, order: str) -> StandingRow:
    counted = [tally[1:] for night, tally in nights.tallies if night not in nights.dropped]
    sums = NightSums((), *map(sum, zip(*counted, strict=True)))
    handicap = sum(
        nights.given.get(night, 0) * tally.played
        for night, tally in (nights.tallies if nights.given else ())
        if night not in nights.dropped
    )
    games = sums.played + (0 if nights.bye is None else sums.byes)
    wins = sums.wins + (sums.byes if nights.bye_wins else 0)
    scaled = nights.scale * (sums.points + handicap) + sums.byes * (nights.bye or 0)
    points = Fraction(scaled, nights.scale)
    per_game = Fraction(scaled, nights.scale * (games or 1))
    value = {"wins": Fraction(wins), "points": points, "per_game": per_game}[order]
    return StandingRow(
        place=None,
        unit=unit,
        value=value,
        points=points,
        games=games,
        wins=wins,
        losses=sums.losses,
        handicap=handicap,
        difference=sums.difference,
        sets=sums.sets,
        played=sum(tally.played for _night, tally in nights.tallies),
        byes=sum(tally.byes for _night, tally in nights.tallies),
        sums=sums,
        nights=nights,
    )


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
        ranked += [structs.replace(rows[team], place=place, ties=()) for team in group]
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
