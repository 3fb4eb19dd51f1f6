"""Change who has which place in the rounds that haven't started, without moving anybody else.

A place is a seat or a bye. A substitute gets the places of the regular, and a newcomer can get those of someone who
left, with their fixed partners. A new seating can be undone.

Make fixed partners of people who have none: those of an earlier night again, or by lot.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from random import Random
from typing import Any

from sqlalchemy import func, select, tuple_
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
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk, people_at, present_row
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import RoundPlan, TablePlan, Unit
from scorekeeper.leagues.standings.table_results import byes_of, last_begun, plans_of, tables_of
from scorekeeper.leagues.teams.service import clear_seating
from scorekeeper.rules.phrase import Phrase, RuleViolation

TEAM_SET, PARTNERS_DRAWN = "team_set", "partners_drawn"
"""Kinds of log entries: for one team that was made or split up, and for all partners that were drawn by lot."""
DRAWN, RESTORED, KEPT = "drawn", "seating_restored", "seating_kept"
"""Kinds of log entries: for making the seating, for undoing that, and for keeping a round that no longer fits.

Each has the number of the first round, and the winners of the round before from whom it was seated.
"""


@use_case
def take_places(*, night: str, gone: str, came: str, device: str, now: datetime | None = None) -> None:
    """Give the coming places of one person, and their fixed partners, to another. Both are public ids.

    Nobody else moves. The same call with both people exchanged undoes it. Raises what `at_desk` raises, and
    `RuleViolation` if the first has no coming place, or if the other has a coming seat.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        one, other = people_at(desk, [gone, came])
        if not give_places(desk, one, other):
            message = Phrase("%(name)s can't take that seat anymore.", name=other.name)
            raise RuleViolation("place", message, field="person")
        desk.note("places_taken", people=[gone, came], first=last_begun(desk.session, desk.night) + 1)


def give_places(desk: Desk, one: PersonRow, other: PersonRow) -> bool:
    """Give the places of one person in all rounds that haven't started, and their fixed partners, to another.

    Return whether there was a place to give. Someone who has a coming seat keeps it, and gets no other; someone who has
    partners of their own keeps them. Runs in the transaction of `desk`.
    """
    places, theirs = _coming(desk, one), _coming(desk, other)
    if any(isinstance(place, SeatRow) for place in theirs.values()):
        return False
    _join_partners(desk, one, other)
    row = present_row(desk, other.id)
    for number, place in places.items():
        if number in theirs:
            desk.session.delete(theirs[number])
            desk.session.flush()
        place.person_id = other.id
        place.sub_for = row.sub_for if row is not None and isinstance(place, SeatRow) else None
    return bool(places)


def _coming(desk: Desk, person: PersonRow) -> dict[int, SeatRow | ByeRow]:
    """Return a person's places in the rounds that haven't started, by round."""
    begun, night = last_begun(desk.session, desk.night), desk.night.id
    seats = select(TableRow.round, SeatRow).join(SeatRow, SeatRow.table_id == TableRow.id)
    seats = seats.where(TableRow.night_id == night, TableRow.round > begun, SeatRow.person_id == person.id)
    byes = select(ByeRow.round, ByeRow).where(
        ByeRow.night_id == night, ByeRow.round > begun, ByeRow.person_id == person.id
    )
    return {**dict(desk.session.execute(seats).all()), **dict(desk.session.execute(byes).all())}


def _join_partners(desk: Desk, one: PersonRow, other: PersonRow) -> None:
    """Let the fixed partners of one person be those of another who is checked in and has none.

    In a knockout of singles, the other gets the person's place in the bracket.
    """
    rows = desk.session.scalars(select(PresentRow).where(PresentRow.night_id == desk.night.id)).all()
    by_person = {row.person_id: row for row in rows}
    leaver, comer = by_person.get(one.id), by_person.get(other.id)
    team = team_before(desk, one) if leaver is None else leaver.team
    if comer is None or team is None or any(row.team == comer.team for row in rows if row is not comer and row.team):
        return
    alone = NightPlan.from_json(desk.night.plan).together == "alone" and comer.team is None
    if alone or any(row.team == team for row in rows if row not in (leaver, comer)):
        comer.team = team
        if leaver is not None:
            leaver.team = None


def team_before(desk: Desk, person: PersonRow) -> int | None:
    """Return the number of the team of fixed partners that a person without a check-in had tonight.

    Return None if the person had no team, or if its other people are no longer a team without them.
    """
    session, night = desk.session, desk.night
    mates: set[str] = set()
    lines = select(LeagueEventRow.data).where(
        LeagueEventRow.night_id == night.id, LeagueEventRow.kind.in_((TEAM_SET, PARTNERS_DRAWN))
    )
    for data in session.scalars(lines.order_by(LeagueEventRow.id.desc())):
        made = data.get("teams") or [data.get("people") or []]
        if any(person.public_id in team for team in (*made, *data.get("before", ()))):
            mates = {each for team in made if person.public_id in team for each in team} - {person.public_id}
            break
    query = select(PresentRow.team, PersonRow.public_id).join(PersonRow, PersonRow.id == PresentRow.person_id)
    now = session.execute(query.where(PresentRow.night_id == night.id, PresentRow.team.is_not(None))).all()
    teams = {team for team, mate in now if mate in mates}
    return next((team for team in teams if {mate for each, mate in now if each == team} == mates), None)


def seating_now(session: Session, night: NightRow, begun: int) -> dict[str, Any]:
    """Return the seating of the rounds after round `begun`, as JSON that `undo_seating` reads; {} if there is none.

    People are numbers: indexes of the list of their public ids.
    """
    plans = plans_of(tables_of(session, night), byes_of(session, night))[begun:]
    people = sorted({person for plan in plans for person in plan.present})
    if not people:
        return {}
    ids = dict(session.execute(select(PersonRow.id, PersonRow.public_id).where(PersonRow.id.in_(people))).all())
    at = {person: index for index, person in enumerate(people)}
    return {"people": [ids[person] for person in people], "rounds": [_plain(plan, at) for plan in plans]}


def _plain(plan: RoundPlan, at: dict[int, int]) -> list[Any]:
    tables = [[table.number, table.kind, [at[person] for person in table.seats]] for table in plan.tables]
    return [tables, [at[person] for person in plan.byes]]


@use_case
def undo_seating(*, night: str, device: str, now: datetime | None = None) -> None:
    """Bring back the seating that the last new seating replaced. Substitutes get the places of their regulars.

    Raises what `at_desk` raises, and `RuleViolation` if there is nothing to undo anymore.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        session = desk.session
        begun = last_begun(session, desk.night)
        before = seating_before(session, desk.night, begun)
        if before is None or not seating_now(session, desk.night, begun):
            raise RuleViolation("seating", "The night has moved on, so the earlier seating can't come back.")
        query = select(PersonRow.public_id, func.coalesce(PersonRow.merged_into, PersonRow.id))
        ids = dict(session.execute(query.where(PersonRow.public_id.in_(before["people"]))).all())
        people = [ids[person] for person in before["people"]]
        plans = [
            RoundPlan(
                tuple(TablePlan(number, tuple(people[at] for at in seats), kind) for number, kind, seats in tables),
                tuple(people[at] for at in byes),
            )
            for tables, byes in before["rounds"]
        ]
        write_rounds(desk, begun, plans)
        stands_for = select(PresentRow).where(PresentRow.night_id == desk.night.id, PresentRow.sub_for.is_not(None))
        for row in session.scalars(stands_for.where(PresentRow.to_round.is_(None))).all():
            give_places(desk, session.get_one(PersonRow, row.sub_for), session.get_one(PersonRow, row.person_id))
        desk.note(RESTORED, first=begun + 1, rounds=len(before["rounds"]), winners=_winners_before(desk, begun + 1))


def _winners_before(desk: Desk, first: int) -> dict[str, Any]:
    """Return the winners from whom round `first` was seated before its last seating; {} if nothing says so."""
    lines = select(LeagueEventRow.data).where(
        LeagueEventRow.night_id == desk.night.id, LeagueEventRow.kind.in_((DRAWN, RESTORED, KEPT))
    )
    built = [data for data in desk.session.scalars(lines.order_by(LeagueEventRow.id)) if data.get("first") == first]
    return built[-2].get("winners") or {} if len(built) > 1 else {}


def seating_before(session: Session, night: NightRow, begun: int) -> dict[str, Any] | None:
    """Return the seating that the last new seating replaced, as `seating_now` made it.

    Return None if there was none, or if another round has started. `begun` is the number of the last round that has
    started.
    """
    lines = select(LeagueEventRow).where(
        LeagueEventRow.night_id == night.id, LeagueEventRow.kind.in_((DRAWN, RESTORED))
    )
    last = session.scalars(lines.order_by(LeagueEventRow.id.desc()).limit(1)).first()
    if last is None or last.kind != DRAWN or last.data.get("first") != begun + 1:
        return None
    return last.data.get("seating") or None


def write_rounds(desk: Desk, begun: int, plans: Sequence[RoundPlan]) -> None:
    """Replace the seating of all rounds after round `begun` by `plans`."""
    session, night = desk.session, desk.night
    clear_seating(desk, begun)
    present = session.scalars(select(PresentRow).where(PresentRow.night_id == night.id)).all()
    subs, teams = {row.person_id: row.sub_for for row in present}, {row.person_id: row.team for row in present}
    for number, plan in enumerate(plans, begun + 1):
        for table in plan.tables:
            row = TableRow(night_id=night.id, round=number, number=table.number, kind=table.kind, confirmed={})
            session.add(row)
            session.flush()
            session.add_all(
                SeatRow(table_id=row.id, seat=seat, person_id=person, sub_for=subs.get(person))
                for seat, person in enumerate(table.seats)
            )
        session.add_all(
            ByeRow(night_id=night.id, round=number, person_id=person, team=teams.get(person)) for person in plan.byes
        )
    session.flush()


@use_case
def repeat_teams(*, night: str, device: str, now: datetime | None = None) -> None:
    """Make each team that `teams_before` returns a team of tonight. If there is no such team, nothing changes.

    Raises what `at_desk` raises, and `RuleViolation` once a knockout has started.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        session = desk.session
        _demand_no_bracket(desk)
        present = session.scalars(select(PresentRow).where(PresentRow.night_id == desk.night.id)).all()
        rows = {row.person_id: row for row in present}
        first = 1 + max((row.team or 0 for row in present), default=0)
        for number, team in enumerate(teams_before(session, desk.league.id, desk.night), first):
            for person in team:
                rows[person].team = number
            people = [session.get_one(PersonRow, person).public_id for person in team]
            desk.note(TEAM_SET, people=people, before=[])


@use_case
def draw_partners(*, night: str, device: str, seed: int, again: bool = False, now: datetime | None = None) -> None:
    """Draw partners by lot for all people who are here without any. The same seed gives the same partners.

    With `again`, the teams of `drawn_by_lot` are drawn anew, too. If people don't divide evenly, the last ones stay
    without partners. Raises what `at_desk` raises, and `RuleViolation` once a knockout has started.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        session = desk.session
        _demand_no_bracket(desk)
        present = session.scalars(select(PresentRow).where(PresentRow.night_id == desk.night.id)).all()
        here = [row for row in present if row.to_round is None]
        drawn = drawn_by_lot(session, desk.night, here) if again else {}
        loose = [row for row in here if row in without_partners(here) or row.team in drawn]
        Random(seed).shuffle(people := sorted(loose, key=lambda row: row.person_id))  # noqa: S311 -- can be repeated
        size = NightPlan.from_json(desk.night.plan).partners
        first = 1 + max((row.team or 0 for row in present), default=0)
        full = len(people) - len(people) % size
        names = select(PersonRow.id, PersonRow.public_id).where(PersonRow.id.in_([row.person_id for row in people]))
        ids = dict(session.execute(names).all())
        for index, row in enumerate(people):
            row.team = first + index // size if index < full else None
        if full:
            teams = [[ids[row.person_id] for row in people[at : at + size]] for at in range(0, full, size)]
            desk.note(PARTNERS_DRAWN, teams=teams, before=list(drawn.values()), seed=seed)


def without_partners(here: Sequence[PresentRow]) -> list[PresentRow]:
    """Return the check-ins of people without a fixed partner; `here` are those of everyone who is here.

    Someone whose partners have left has none.
    """
    size = Counter(row.team for row in here)
    return [row for row in here if row.team is None or size[row.team] == 1]


def drawn_by_lot(session: Session, night: NightRow, here: Sequence[PresentRow]) -> dict[int, list[str]]:
    """Return the teams (public ids by number) that were drawn by lot tonight and are still together.

    Once a round has started, nobody's partners are drawn again, so the result is empty. `here` are the check-ins of
    everyone who is here.
    """
    if last_begun(session, night):
        return {}
    lines = select(LeagueEventRow.data).where(
        LeagueEventRow.night_id == night.id, LeagueEventRow.kind == PARTNERS_DRAWN
    )
    drawn = {frozenset(team) for data in session.scalars(lines) for team in data["teams"]}
    if not drawn:
        return {}
    ids = dict(
        session.execute(
            select(PersonRow.id, PersonRow.public_id).where(PersonRow.id.in_([row.person_id for row in here]))
        ).all()
    )
    teams: defaultdict[int, list[str]] = defaultdict(list)
    for row in here:
        if row.team is not None:
            teams[row.team].append(ids[row.person_id])
    return {number: team for number, team in teams.items() if frozenset(team) in drawn}


def demand_partners(session: Session, night: NightRow) -> None:
    """Raise `RuleViolation` if partners stay together, and people are here who could be partners but aren't yet.

    So nobody gets partners whom they didn't see before the seating was made.
    """
    plan = NightPlan.from_json(night.plan)
    if plan.together != "fixed" or FORMATS[plan.format].teams:
        return
    present = select(PresentRow).where(PresentRow.night_id == night.id, PresentRow.to_round.is_(None))
    alone = len(without_partners(session.scalars(present).all()))
    if alone >= plan.partners:
        message = Phrase("Players without partners: %(count)s. Draw partners or choose them first.", count=alone)
        raise RuleViolation("partners", message, field="team")


def _demand_no_bracket(desk: Desk) -> None:
    if NightPlan.from_json(desk.night.plan).format == KNOCKOUT.key and last_begun(desk.session, desk.night):
        message = "The knockout has started. You can only add someone without a partner to a team."
        raise RuleViolation("team", message, field="team")


def teams_before(session: Session, league: int, night: NightRow) -> list[Unit]:
    """Return the teams of the league's last earlier night that had fixed partners, in the order they were made.

    A team is a tuple of person ids. A team is left out unless all of its people are checked in tonight without a
    partner. A merged person counts as the person they were merged into.
    """
    free = set(
        session.scalars(
            select(PresentRow.person_id).where(
                PresentRow.night_id == night.id, PresentRow.to_round.is_(None), PresentRow.team.is_(None)
            )
        )
    )
    if len(free) < 2:
        return []
    before = (
        select(NightRow.id)
        .join(SeasonRow, SeasonRow.id == NightRow.season_id)
        .join(PresentRow, PresentRow.night_id == NightRow.id)
        .where(SeasonRow.league_id == league, NightRow.number > 0, PresentRow.team.is_not(None))
        .where(tuple_(NightRow.day, NightRow.id) < (night.day, night.id))
        .order_by(NightRow.day.desc(), NightRow.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    query = (
        select(PresentRow.team, PresentRow.person_id, PersonRow.merged_into)
        .join(PersonRow, PersonRow.id == PresentRow.person_id)
        .where(PresentRow.night_id == before, PresentRow.team.is_not(None))
    )
    teams: defaultdict[int, set[int]] = defaultdict(set)
    for team, person, merged_into in session.execute(query):
        teams[team or 0].add(merged_into or person)
    return [tuple(sorted(teams[team])) for team in sorted(teams) if len(teams[team]) > 1 and teams[team] <= free]
