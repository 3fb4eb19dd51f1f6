"""The standings of a season, of people and of fixed partners."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from scorekeeper.leagues.standings.credit import Credit, to_people, to_teams
from scorekeeper.leagues.standings.nights import score_nights
from scorekeeper.leagues.standings.played import Played, Unit
from scorekeeper.leagues.standings.rows import NightScore, StandingRow, Tie
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.ties import Contest, Lots, rank


def standings(
    played: Iterable[Played], settings: StandingSettings, *, season: str, tags: Mapping[int, str] | None = None
) -> tuple[StandingRow, ...]:
    """Return a row for each person, the best first, and below them those without a place.

    `played` are all games and byes of the season so far, in any order. `season` and the `tags` of people are what lots
    are drawn from (`ties.Lots`): words that no export changes.
    """
    return _ranked(to_people(played, settings.subs), settings, Lots(season, tags or {}))


def team_standings(
    played: Iterable[Played], settings: StandingSettings, *, season: str, tags: Mapping[int, str] | None = None
) -> tuple[StandingRow, ...]:
    """Return a row for each set of partners that played together, by the same rules as `standings`."""
    return _ranked(to_teams(played, settings.subs), settings, Lots(season, tags or {}))


def ties_of(rows: Iterable[StandingRow]) -> tuple[Tie, ...]:
    """Return every tie of the standings once, from the top down."""
    return tuple(dict.fromkeys(tie for row in rows for tie in row.ties))


def _ranked(credit: Credit, settings: StandingSettings, lots: Lots) -> tuple[StandingRow, ...]:
    rows = {unit: _row(unit, nights, settings.order) for unit, nights in score_nights(credit, settings).items()}
    contest = Contest(rows, credit, lots)
    # What the order itself compares cannot split those whom it left level.
    chain = tuple(rule for rule in settings.ties if rule != settings.order)
    least = max(settings.min_games, 1)
    placed: list[StandingRow] = []
    for level in _levels(row for row in rows.values() if row.played >= least):
        for group, ties in rank(contest, level, (settings.order,), chain):
            place = len(placed) + 1
            placed += [replace(rows[unit], place=place, ties=ties) for unit in group]
    below = [
        rows[unit]
        for level in _levels(row for row in rows.values() if row.played < least)
        for unit in lots.order(level)
    ]
    return (*placed, *below)


def _levels(rows: Iterable[StandingRow]) -> list[list[Unit]]:
    """The units that are level in the order, the best first."""
    levels: dict[Fraction, list[Unit]] = defaultdict(list)
    for row in rows:
        levels[row.value].append(row.unit)
    return [levels[value] for value in sorted(levels, reverse=True)]


def _row(unit: Unit, nights: Sequence[NightScore], order: str) -> StandingRow:
    counted = [night for night in nights if night.counts]
    points = sum((night.points for night in counted), Fraction(0))
    games = sum(night.games for night in counted)
    wins = sum(night.wins for night in counted)
    value = {"wins": Fraction(wins), "points": points, "per_game": points / (games or 1)}[order]
    return StandingRow(
        place=None,
        unit=unit,
        value=value,
        points=points,
        games=games,
        wins=wins,
        losses=sum(night.losses for night in counted),
        handicap=sum(night.handicap for night in counted),
        difference=sum(night.difference for night in counted),
        sets=sum(night.sets for night in counted),
        played=sum(night.played for night in nights),
        byes=sum(night.byes for night in nights),
        nights=tuple(nights),
    )
