"""Let someone keep one table for the night, for example because walking is hard for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import at_desk, people_at, present_row
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import MOST_TABLES, NO_KEPT_TABLES, NightPlan
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


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
        desk.night.plan = replace(plan, tables=tables).to_json()
        desk.note("table_kept", person=who.public_id, table=table, before=before)
