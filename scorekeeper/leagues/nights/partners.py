"""Make fixed partners of people who have none: those of an earlier night again, or by lot."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from random import Random

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.models import LeagueEventRow, NightRow, PersonRow, PresentRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk
from scorekeeper.leagues.nights.places import PARTNERS_DRAWN, TEAM_SET
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.standings.table_results import last_begun
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


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
        .where(SeasonRow.league_id == league, NightRow.id < night.id, NightRow.number > 0)
        .where(PresentRow.team.is_not(None))
        .order_by(NightRow.id.desc())
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
