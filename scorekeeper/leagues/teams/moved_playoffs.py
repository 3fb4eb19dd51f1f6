"""Compare the playoffs with what they were built on, which may have changed since: the standings, or a round before.

The log line that made the seeds has the part of the standings that they came from (`standing`). So has the line of a
director who kept the seeds after a change. The line of a director who kept a later round of teams has the matches that
would have followed from the results of that moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import LeagueEventRow, NightRow, PersonRow, SeasonRow, SquadRow
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.teams.matches import fixtures_of
from scorekeeper.leagues.teams.qualifiers import (
    is_of_teams,
    ranked_units,
    seeded_teams,
    settings_of,
    team_playoffs,
)

KINDS = ("playoffs_started", "qualifier_replaced", "seeds_kept", "seeds_redone")
"""Kinds of the log lines with a `standing`: a list of people, pairs or teams, each as a list of public ids."""
Standing = list[list[str]]
ROUND_KEPT = "playoff_round_kept"
"""Kind of the log line of a director who kept a round of team playoffs that no longer fits."""


@dataclass(frozen=True, slots=True)
class MovedSeed:
    """A place in the standings, from 1, that someone else has now. `now` and `was` are row ids; () if it is empty.

    The ids are those of people or, if fixed teams play, of the teams.
    """

    place: int
    now: Unit
    was: Unit


@dataclass(frozen=True, slots=True)
class MovedRound:
    """A round of team playoffs, from 2, whose matches no longer follow from the results of the round before it.

    `now` are the matches that follow from them, and `was` are the matches that were made, as row ids of both teams, in
    the same order.
    """

    stage: int
    now: tuple[Unit, ...]
    was: tuple[Unit, ...]


def moved_round(session: Session, season: SeasonRow) -> MovedRound | None:
    """Return the first round of team playoffs that no longer fits and that no director kept, or None."""
    if not is_of_teams(season):
        return None
    state = team_playoffs(session, season)
    for stage, (now, matches) in enumerate(zip(state.due, state.rounds, strict=False), start=1):
        was = tuple((match.home, match.away) for match in matches)
        if stage > 1 and [*map(set, now)] != [*map(set, was)]:
            moved = MovedRound(stage, now, was)
            if matches_now(session, season, moved) != _kept(session, season).get(stage):
                return moved
    return None


def nights_from(session: Session, season: SeasonRow, stage: int) -> list[NightRow]:
    """Return the nights of a round of team playoffs and of all later rounds, in order."""
    nights = [row.night_id for row in fixtures_of(session, season) if row.stage >= stage]
    return [session.get_one(NightRow, night) for night in dict.fromkeys(nights) if night is not None]


def matches_now(session: Session, season: SeasonRow, moved: MovedRound) -> Standing:
    """Return the matches that follow from the results now, as public ids of both teams."""
    return _as_ids(session, season, list(moved.now))


def _kept(session: Session, season: SeasonRow) -> dict[int, Standing]:
    """Return the matches of each round of the playoffs in spite of which it was last kept, by number of the round."""
    nights = select(NightRow.id).where(NightRow.season_id == season.id, NightRow.playoff.is_(True))
    query = select(LeagueEventRow.data).where(LeagueEventRow.night_id.in_(nights), LeagueEventRow.kind == ROUND_KEPT)
    lines = session.scalars(query.order_by(LeagueEventRow.id))
    return {data["first"]: data["matches"] for data in lines if "first" in data and "matches" in data}


def standing_now(session: Session, season: SeasonRow, most: int | None = None) -> Standing:
    """Return the people, pairs or teams that qualify by the current standings, best first.

    `most` is how many of the standings are wanted if it isn't the number that qualifies; teams ignore it.
    """
    return _as_ids(session, season, _units(session, season, most))


def moved_seeds(session: Session, season: SeasonRow) -> tuple[MovedSeed, ...]:
    """Return the places in the standings from which the seeds came and that someone else has now; () if none has moved.

    Return () before the playoffs, and once another night of the season was opened after they had started: the standings
    then go on without them.
    """
    nights = select(NightRow).where(NightRow.season_id == season.id, NightRow.number > 0).order_by(NightRow.number)
    rows = session.scalars(nights).all()
    started = [night.id for night in rows if night.playoff]
    if not started or any(not night.playoff and night.id > started[0] for night in rows):
        return ()
    query = select(LeagueEventRow.data).where(LeagueEventRow.night_id.in_(started), LeagueEventRow.kind.in_(KINDS))
    lines = [data["standing"] for data in session.scalars(query.order_by(LeagueEventRow.id)) if "standing" in data]
    if not lines:
        return ()
    was = _as_units(session, season, lines[-1])
    now = [tuple(sorted(unit)) for unit in _units(session, season, len(was))]
    pairs = enumerate(zip_longest(now, was, fillvalue=()), start=1)
    return tuple(MovedSeed(place, new, old) for place, (new, old) in pairs if new != old)


def _units(session: Session, season: SeasonRow, most: int | None) -> list[Unit]:
    if is_of_teams(season):
        return [(team,) for team in seeded_teams(session, season)]
    return list(ranked_units(session, season)[: settings_of(season).qualify if most is None else most])


def _as_ids(session: Session, season: SeasonRow, units: list[Unit]) -> Standing:
    model = SquadRow if is_of_teams(season) else PersonRow
    wanted = [each for unit in units for each in unit]
    ids = dict(session.execute(select(model.id, model.public_id).where(model.id.in_(wanted))).all())
    return [[ids[each] for each in unit] for unit in units]


def _as_units(session: Session, season: SeasonRow, standing: Standing) -> list[Unit]:
    """Return the row ids of the people or teams with these public ids; for a merged person, the one they became."""
    known = [public for unit in standing for public in unit]
    if is_of_teams(season):
        query = select(SquadRow.public_id, SquadRow.id).where(SquadRow.public_id.in_(known))
        rows = dict(session.execute(query).all())
    else:
        people = select(PersonRow).where(PersonRow.public_id.in_(known))
        rows = {person.public_id: person.merged_into or person.id for person in session.scalars(people)}
    return [tuple(sorted(rows[public] for public in unit if public in rows)) for unit in standing]
