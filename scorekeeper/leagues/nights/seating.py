"""Read the data from which a format makes the seating of a night.

Substitutes of a night. A regular has one seat per round, played by them or by their substitute.

A substitute takes the regular's places in the coming rounds and the regular's fixed partners, and gives them back.

Let someone keep one table for the night, for example because walking is hard for them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct, structs
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.leagues.core.models import (
    ByeRow,
    LeagueEventRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    TableRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk, people_at, present_row, seats_of
from scorekeeper.leagues.nights.places import give_places
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT, champion
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import MOST_TABLES, NO_KEPT_TABLES, NightPlan
from scorekeeper.leagues.schedule.plan import (
    KINDS,
    ByeCredit,
    Met,
    Pair,
    Rotation,
    RoundPlan,
    TableKind,
    TablePlan,
    earlier_meetings,
    people_by_side,
)
from scorekeeper.leagues.standings.night_snapshot import teams_of
from scorekeeper.leagues.standings.table_results import byes_of, last_begun, plans_of, results_of, tables_of
from scorekeeper.leagues.teams.matches import matches_on
from scorekeeper.rules.phrase import Phrase, RuleViolation

KIND: Mapping[str, TableKind] = {kind: kind for kind in KINDS}


class SeatingRequest(Struct, frozen=True):
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


INVALID_SUBSTITUTE = Phrase("The substitute must be here, and the regular must be away.")


@use_case
def set_sub(*, night: str, person: str, regular: str | None, device: str, now: datetime | None = None) -> None:
    """Set which regular a substitute plays for that night. If `regular` is None, the substitute plays for themselves.

    The change also applies to the substitute's finished tables and byes, but not to rounds in which the regular or an
    earlier substitute had the regular's seat. In rounds that haven't started, the substitute gets the regular's places
    and partners, and nobody else moves (`give_places`). Raises what `at_desk` raises. Raises `RuleViolation` if the
    substitute isn't checked in, if the regular is checked in, or if another substitute plays for the regular.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        (who,) = people_at(desk, [person])
        set_sub_there(desk, who, None if regular is None else people_at(desk, [regular])[0])


def set_sub_there(desk: Desk, who: PersonRow, other: PersonRow | None) -> None:
    """Let the substitute `who` play for the regular `other`. If `other` is None, the substitute plays for themselves.

    Runs in the transaction of `desk`. Raises `RuleViolation` as `set_sub` does.
    """
    row = present_row(desk, who.id)
    if row is None or (other is not None and other.id == who.id):
        raise RuleViolation("sub", INVALID_SUBSTITUTE, field="regular")
    first = 1 if other is None else 1 + _played_until(desk, row, other)
    seats = seats_of(desk, who).where(TableRow.round >= first)
    before = None if row.sub_for is None else desk.session.get_one(PersonRow, row.sub_for).public_id
    if other is not None and other.id != row.sub_for:
        return_places(desk, row)
    _keep_byes(desk, row, first)
    row.sub_for = None if other is None else other.id
    for seat in desk.session.scalars(seats):
        seat.sub_for = row.sub_for
    after = None if other is None else other.public_id
    desk.note("sub_set", person=who.public_id, regular=after, before=before)
    if other is not None:
        # An earlier substitute who has left may have the regular's places.
        earlier = (desk.session.get_one(PersonRow, each.person_id) for each in _check_ins_of(desk, other.id, row))
        for each in dict.fromkeys((*earlier, other)):
            give_places(desk, each, who)


def return_places(desk: Desk, row: PresentRow) -> None:
    """Give the coming places and partners of a substitute, whose check-in is `row`, back to a regular who had left."""
    if row.sub_for is not None:
        sub, regular = (desk.session.get_one(PersonRow, person) for person in (row.person_id, row.sub_for))
        left = select(LeagueEventRow.data).where(
            LeagueEventRow.night_id == desk.night.id, LeagueEventRow.kind == "checked_out"
        )
        # Nobody who comes late for the first time takes a seat that was never theirs.
        if any(data.get("person") == regular.public_id for data in desk.session.scalars(left)):
            give_places(desk, sub, regular)


def check_in_seated(desk: Desk, at: TableRow) -> None:
    """Check in the people at a table whose game starts, if their check-in was undone after the seating was made.

    They are there, and without them, a knockout wouldn't know the teams that play in it.
    """
    session, night = desk.session, desk.night
    present = {row.person_id: row for row in session.scalars(select(PresentRow).where(PresentRow.night_id == night.id))}
    seats = session.scalars(select(SeatRow).where(SeatRow.table_id == at.id).order_by(SeatRow.seat)).all()
    gone = {seat.person_id: seat for seat in seats if seat.person_id not in present}
    if not gone:
        return
    plan, number = NightPlan.from_json(night.plan), 1 + max((row.team or 0 for row in present.values()), default=0)
    for side in people_by_side(tuple(seat.person_id for seat in seats), KIND[at.kind]):
        came = [
            PresentRow(night_id=night.id, person_id=person, from_round=at.round, sub_for=gone[person].sub_for)
            for person in side
            if person in gone
        ]
        session.add_all(came)
        if came and (FORMATS[plan.format].teams or plan.together == "fixed"):
            rows = came + [present[person] for person in side if person in present]
            team = next((row.team for row in rows if row.team is not None), number)
            number += team == number
            for row in rows:
                row.team = team
    people = session.scalars(select(PersonRow.public_id).where(PersonRow.id.in_(gone)).order_by(PersonRow.id)).all()
    desk.note("checked_in", people=list(people), from_round=at.round)


def end_substitution_for(desk: Desk, person: PersonRow, from_round: int) -> None:
    """End the substitution for a regular who was just checked in, from round `from_round` on.

    A regular who had left gets their places and partners back.
    """
    substitutes = select(PresentRow).where(PresentRow.night_id == desk.night.id, PresentRow.sub_for == person.id)
    for row in desk.session.scalars(substitutes).all():
        return_places(desk, row)
        _end_substitution(desk, row, from_round)


def end_if_seat_taken(desk: Desk, row: PresentRow, from_round: int) -> None:
    """End the substitution of a person who is checked in again, if someone else now has the regular's seat.

    `row` is the check-in of that person. They play for themselves from round `from_round` on.
    """
    if row.sub_for is not None and any(each.to_round is None for each in _check_ins_of(desk, row.sub_for, row)):
        _end_substitution(desk, row, from_round)


def regular_of(desk: Desk, person: int, round_number: int) -> int | None:
    """Return the id of the regular for whom a person (id) plays in a round; None if they aren't substituting."""
    row = present_row(desk, person)
    if row is None or row.sub_for is None:
        return None
    before = (each.to_round or 0 for each in _check_ins_of(desk, row.sub_for, row))
    return row.sub_for if round_number > max(before, default=0) else None


def _end_substitution(desk: Desk, row: PresentRow, from_round: int) -> None:
    """End the substitution of the check-in `row`, from round `from_round` on."""
    sub, regular = (desk.session.get_one(PersonRow, person) for person in (row.person_id, row.sub_for))
    _keep_byes(desk, row, from_round)
    row.sub_for = None
    for seat in desk.session.scalars(seats_of(desk, sub).where(TableRow.round >= from_round)):
        seat.sub_for = None
    desk.note("sub_set", person=sub.public_id, regular=None, before=regular.public_id)


def _keep_byes(desk: Desk, row: PresentRow, first: int) -> None:
    """Store for whom the person of the check-in `row` sat out before round `first`; later byes follow the check-in."""
    byes = select(ByeRow).where(ByeRow.night_id == desk.night.id, ByeRow.person_id == row.person_id)
    for bye in desk.session.scalars(byes):
        bye.sub_for = None if bye.round >= first else bye.sub_for or row.sub_for or row.person_id


def _check_ins_of(desk: Desk, regular: int, but: PresentRow) -> Sequence[PresentRow]:
    """Return check-ins of a regular (id) and their substitutes on the night of `desk`, except the check-in `but`."""
    query = select(PresentRow).where(
        PresentRow.night_id == desk.night.id,
        PresentRow.id != but.id,
        (PresentRow.person_id == regular) | (PresentRow.sub_for == regular),
    )
    return desk.session.scalars(query).all()


def _played_until(desk: Desk, row: PresentRow, regular: PersonRow) -> int:
    """Return the last round in which someone else had the regular's seat; 0 if nobody else had it.

    `row` is the check-in of the new substitute. Raises `RuleViolation` if someone else still has the seat.
    """
    rounds = [0]
    for each in _check_ins_of(desk, regular.id, row):
        if each.to_round is None and each.person_id == regular.id:
            raise RuleViolation("sub", INVALID_SUBSTITUTE, field="regular")
        if each.to_round is None:
            name = desk.session.get_one(PersonRow, each.person_id).name
            message = Phrase("%(name)s already plays for %(regular)s.", name=name, regular=regular.name)
            raise RuleViolation("sub", message, field="regular")
        rounds.append(each.to_round)
    return max(rounds)


@use_case
def keep_table(*, night: str, person: str, table: int | None, device: str, now: datetime | None = None) -> None:
    """Let a person stay at the table with the number `table` all night. If it is None, let them change tables again.

    The choice affects the next seating, but not the rounds that have started. Raises what `at_desk` raises. Raises
    `RuleViolation` if the person isn't checked in, the format doesn't allow keeping a table, the number is invalid, or
    someone else keeps that table.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        (who,) = people_at(desk, [person])
        plan = NightPlan.from_json(desk.night.plan)
        tables = dict(plan.tables)
        before = tables.pop(who.public_id, None)
        if table is not None:
            if not FORMATS[plan.format].keeps_tables:
                raise RuleViolation("table_kept", NO_KEPT_TABLES, field="table")
            if present_row(desk, who.id) is None:
                raise RuleViolation("table_kept", "Check in this player first.", field="table")
            if not 1 <= table <= MOST_TABLES:
                raise RuleViolation("table_kept", "Enter the number of a table.", field="table")
            if table in tables.values():
                message = Phrase("Two players can't both keep table %(number)s.", number=table)
                raise RuleViolation("table_kept", message, field="table")
            tables[who.public_id] = table
        if before == table:
            return
        desk.night.plan = structs.replace(plan, tables=tables).to_json()
        desk.note("table_kept", person=who.public_id, table=table, before=before)
