"""Make the fixed partners of an earlier night partners again, if all of them are here and have no partner yet."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.models import NightRow, PersonRow, PresentRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import at_desk
from scorekeeper.leagues.schedule.formats.knockout import KNOCKOUT
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.standings.table_results import last_begun
from scorekeeper.rules.violation import RuleViolation


@use_case
def repeat_teams(*, night: str, device: str, now: datetime | None = None) -> None:
    """Make each team that `teams_before` returns a team of tonight. If there is no such team, nothing changes.

    Raises what `at_desk` raises, and `RuleViolation` once a knockout has started.
    """
    with at_desk(night, device, now, Role.HELPER) as desk:
        session = desk.session
        if NightPlan.from_json(desk.night.plan).format == KNOCKOUT.key and last_begun(session, desk.night):
            message = "The knockout has started. You can only add someone without a partner to a team."
            raise RuleViolation("team", message, field="team")
        present = session.scalars(select(PresentRow).where(PresentRow.night_id == desk.night.id)).all()
        rows = {row.person_id: row for row in present}
        first = 1 + max((row.team or 0 for row in present), default=0)
        for number, team in enumerate(teams_before(session, desk.league.id, desk.night), first):
            for person in team:
                rows[person].team = number
            people = [session.get_one(PersonRow, person).public_id for person in team]
            desk.note("team_set", people=people, before=[])


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
