"""Read the data from which a format makes the seating of a night."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import ByeRow, NightRow, PersonRow, PresentRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT, champion
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import KINDS, RoundPlan, TableKind, TablePlan
from scorekeeper.leagues.schedule.repeats import Met, Pair, earlier_meetings
from scorekeeper.leagues.schedule.rotation import ByeCredit, Rotation
from scorekeeper.leagues.standings.bracket import teams_of
from scorekeeper.leagues.standings.table_results import byes_of, last_begun, plans_of, results_of, tables_of
from scorekeeper.leagues.teams.matches import matches_on

KIND: Mapping[str, TableKind] = {kind: kind for kind in KINDS}


@dataclass(frozen=True, slots=True)
class SeatingRequest:
    """All data from which the seating is made. Equal requests always give the same seating."""

    format: str
    night: Night

    @property
    def over(self) -> bool:
        """Return whether a team has won the knockout, so that no more rounds follow; False for other formats."""
        return self.format == KNOCKOUT.key and bool(champion(self.night))

    def draw(self) -> tuple[RoundPlan, ...]:
        """Make and return the seating of the rounds that haven't started.

        Raises what the format's `next_rounds` raises.
        """
        return FORMATS[self.format].next_rounds(self.night)


def current_request(session: Session, season: SeasonRow, night: NightRow, seed: int) -> SeatingRequest:
    """Return the current data from which the rounds that haven't started are seated. `seed` is the random seed."""
    plan = NightPlan.from_json(night.plan)
    begun = last_begun(session, night)
    tables = tables_of(session, night)
    rounds = plans_of(tables, byes_of(session, night))[:begun]
    present = session.scalars(select(PresentRow).where(PresentRow.night_id == night.id)).all()
    here = [row for row in present if row.to_round is None]
    teams = teams_of(here)
    together = plan.together
    kept = kept_tables(session, plan) if FORMATS[plan.format].keeps_tables else {}
    return SeatingRequest(
        plan.format,
        Night(
            people=tuple(sorted(row.person_id for row in here)),
            past=rounds,
            results=tuple(results_of(tables, number) for number in range(1, begun + 1)),
            rounds=plan.rounds,
            rotation=Rotation(
                together,
                plan.sizes,
                teams if together == "fixed" else (),
                kept,
                _names(session, kept),
                plan.pairs,
            ),
            # A team that lost and went home keeps its seed, and so does one of which a single person is left.
            teams=teams_of(present, alone=together == "alone" or begun > 0) if plan.format == KNOCKOUT.key else teams,
            bye_credit=bye_credit(session, season, night),
            earlier=earlier_on(session, season, night),
            seed=seed,
            options=plan.options,
            matches=matches_on(session, season, night) if plan.format == TEAM_MATCH.key else (),
        ),
    )


def kept_tables(session: Session, plan: NightPlan) -> Mapping[int, int]:
    """Return the number of the table that each person keeps all night, by person id.

    If a person was merged into another person, the key is the other person's id.
    """
    if not plan.tables:
        return {}
    people = select(PersonRow.public_id, PersonRow.id, PersonRow.merged_into).where(
        PersonRow.public_id.in_(plan.tables)
    )
    return {merged or person: plan.tables[public_id] for public_id, person, merged in session.execute(people)}


def _names(session: Session, people: Iterable[int]) -> Mapping[int, str]:
    ids = tuple(people)
    return dict(session.execute(select(PersonRow.id, PersonRow.name).where(PersonRow.id.in_(ids))).all()) if ids else {}


def earlier_on(session: Session, season: SeasonRow, night: NightRow) -> Mapping[Pair, Met]:
    """Return how often each two people met on earlier nights of the season.

    The meetings of the last of these nights count double. The function runs a single query.
    """
    query = (
        select(NightRow.number, TableRow.id, TableRow.kind, SeatRow.person_id, PersonRow.merged_into)
        .join(TableRow, TableRow.night_id == NightRow.id)
        .join(SeatRow, SeatRow.table_id == TableRow.id)
        .join(PersonRow, PersonRow.id == SeatRow.person_id)
        .where(NightRow.season_id == season.id, NightRow.number > 0, NightRow.number < night.number)
        .where(TableRow.game_id.is_not(None) | TableRow.winner.is_not(None))
        .order_by(NightRow.number, TableRow.id, SeatRow.seat)
    )
    nights: defaultdict[int, defaultdict[tuple[int, str], list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, table, kind, person, merged_into in session.execute(query):
        nights[number][table, kind].append(merged_into or person)
    plans = [
        [RoundPlan(tuple(TablePlan(table, tuple(seats), KIND[kind]) for (table, kind), seats in tables.items()))]
        for tables in nights.values()
    ]
    return earlier_meetings(plans)


def bye_credit(session: Session, season: SeasonRow, night: NightRow) -> ByeCredit:
    """Return a pair (byes, rounds attended) for each person, by id, from all other nights of the season.

    If a person was merged into another person, their rounds count for the other person.
    """
    counts_for = func.coalesce(PersonRow.merged_into, PersonRow.id)
    others = select(NightRow.id).where(NightRow.season_id == season.id, NightRow.id != night.id)
    sat_out = dict(
        session.execute(
            select(counts_for, func.count())
            .join(ByeRow, ByeRow.person_id == PersonRow.id)
            .where(ByeRow.night_id.in_(others))
            .group_by(counts_for)
        ).all()
    )
    played = dict(
        session.execute(
            select(counts_for, func.count())
            .join(SeatRow, SeatRow.person_id == PersonRow.id)
            .join(TableRow, TableRow.id == SeatRow.table_id)
            .where(TableRow.night_id.in_(others))
            .group_by(counts_for)
        ).all()
    )
    return {
        person: (sat_out.get(person, 0), sat_out.get(person, 0) + played.get(person, 0))
        for person in sat_out.keys() | played.keys()
    }
