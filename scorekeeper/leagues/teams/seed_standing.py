"""Compare the seeds of the playoffs with the standings, which may have changed since the seeds were made.

The log line that made the seeds has the part of the standings that they came from (`standing`). So has the line of a
director who kept the seeds after a change.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import LeagueEventRow, NightRow, PersonRow, SeasonRow, SquadRow
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.teams.qualifiers import is_of_teams, ranked_units, seeded_teams, settings_of

KINDS = ("playoffs_started", "qualifier_replaced", "seeds_kept", "seeds_redone")
"""Kinds of the log lines with a `standing`: a list of people, pairs or teams, each as a list of public ids."""
Standing = list[list[str]]


@dataclass(frozen=True, slots=True)
class MovedSeed:
    """A place in the standings, from 1, that someone else has now. `now` and `was` are row ids; () if it is empty.

    The ids are those of people or, if fixed teams play, of the teams.
    """

    place: int
    now: Unit
    was: Unit


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
