"""Record that a team, or both teams, forfeit a match of a night, because they don't come, or undo that."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, select

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.audit_log import TEAM
from scorekeeper.leagues.core.models import LineupRow, SeatRow, SquadRow, TableRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.teams.fixtures import BOTH
from scorekeeper.leagues.teams.matches import fixtures_on, matches_on, tables_per_match
from scorekeeper.rules.violation import RuleViolation


@use_case
def set_forfeit(*, night: str, match: str, side: int | None, device: str, now: datetime | None = None) -> None:
    """Record who forfeits a match: 0 for home, 1 for visitors, or `BOTH`; with None, the match is played.

    The tables of a forfeited match are removed, and all others keep theirs. If the night has a seating, a match that is
    played after all gets its tables again. `night` and `match` are public ids. Raises the errors of `at_desk`, and
    `RuleViolation` if the match isn't on that night, if a game of it has started, if too few players are here, or if
    the playoffs would have no winner.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        session = desk.session
        rows = fixtures_on(session, desk.night.id)
        row = next((each for each in rows if each.public_id == match), None)
        if row is None or side not in (None, 0, 1, BOTH):
            raise RuleViolation("no_match", "This match isn't on this night anymore. Reload the page.")
        if row.forfeit == side:
            return
        if row.stage and side == BOTH:
            message = "A match of the playoffs needs a winner, so only one team can forfeit it."
            raise RuleViolation("forfeit_both", message)
        gone = row.forfeit if side is None else side
        each, first = tables_per_match(desk.night), rows.index(row) * tables_per_match(desk.night) + 1
        own = (TableRow.night_id == desk.night.id, TableRow.number.between(first, first + each - 1))
        if session.scalars(select(TableRow.id).where(*own, TableRow.game_id.is_not(None))).first() is not None:
            raise RuleViolation("match_begun", "This match has started. Enter the scores of its tables.")
        row.forfeit = side
        if side is None:
            _seat_again(desk, range(first, first + each))
        else:
            session.execute(delete(SeatRow).where(SeatRow.table_id.in_(select(TableRow.id).where(*own))))
            session.execute(delete(TableRow).where(*own))
            session.execute(delete(LineupRow).where(LineupRow.fixture_id == row.id))
        teams = (row.home_id, row.away_id) if gone == BOTH else ((row.home_id, row.away_id)[gone or 0],)
        names = " – ".join(session.get_one(SquadRow, team).name for team in teams)
        done = "forfeit_undone" if side is None else "forfeit_both" if side == BOTH else "forfeit_set"
        desk.note(done, texts={TEAM: names})


def _seat_again(desk: Desk, numbers: range) -> None:
    """Seat the match of these tables in all rounds of the night, if the night has a seating."""
    session, plan = desk.session, NightPlan.from_json(desk.night.plan)
    seated = select(TableRow.round).where(TableRow.night_id == desk.night.id).distinct()
    if not (rounds := session.scalars(seated).all()):
        return
    matches = matches_on(session, desk.season, desk.night)
    night = Night(rounds=max(rounds), matches=matches, options=plan.options)
    for number, coming in enumerate(TEAM_MATCH.next_rounds(night), start=1):
        for table in coming.tables:
            if table.number not in numbers:
                continue
            row = TableRow(night_id=desk.night.id, round=number, number=table.number, kind=table.kind, confirmed={})
            session.add(row)
            session.flush()
            session.add_all(
                SeatRow(table_id=row.id, seat=seat, person_id=person) for seat, person in enumerate(table.seats)
            )
