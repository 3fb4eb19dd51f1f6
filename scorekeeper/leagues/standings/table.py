"""Calculate the standings of a season, for people and for fixed partners."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

from scorekeeper.games.logic.statistics.person_game import GameKey, Played, Unit
from scorekeeper.leagues.standings.credit import Credit, to_people, to_teams
from scorekeeper.leagues.standings.night_sums import Lines, NightSums, by_night, credit, tally_people, tally_teams
from scorekeeper.leagues.standings.nights import score_nights
from scorekeeper.leagues.standings.rows import Nights, StandingRow, Tie
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.ties import Contest, Lots, rank

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
            placed += [replace(rows[unit], place=place, ties=ties) for unit in group]
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
