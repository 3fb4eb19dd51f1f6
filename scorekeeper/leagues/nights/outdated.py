"""Find the rounds that were seated from results that have changed since. Keep them as seated, or take them back.

Where a round depends on who won the round before it, the log line of its seating has these winners (`DRAWN`). If a
winner has changed since, the director decides: the round stays (`KEPT`, with the winners of that moment), or the round
and all later ones are taken back and seated again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.leagues.core.models import LeagueEventRow, NightRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import Desk, at_desk
from scorekeeper.leagues.nights.places import DRAWN, KEPT, RESTORED
from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import winners_in
from scorekeeper.leagues.standings.table_results import TableState, results_of, tables_of
from scorekeeper.leagues.teams.service import remove_rounds
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class OutdatedRound:
    """The first round of a night that no longer fits the results of the round before it.

    `changed` has the tables of the round before whose winner has changed, each with the side that had won when the
    round was seated.
    """

    number: int
    changed: tuple[tuple[TableState, int], ...]


def outdated_round(session: Session, night: NightRow, tables: Sequence[TableState]) -> OutdatedRound | None:
    """Return the first round that no longer fits, or None. `tables` are the tables of the night. Takes one query.

    A table without a winner changes nothing, because it is still being corrected.
    """
    form = FORMATS[NightPlan.from_json(night.plan).format]
    if not form.needs_winner:
        return None
    for number, (winners, _kept) in sorted(_built_on(session, night).items()):
        here = sum(table.round == number for table in tables)
        # Four people who change partners share one table in any case.
        if not here or (form.new_partners and here == 1):
            continue
        changed = tuple(
            (table, was)
            for table in tables
            if table.round == number - 1
            and (was := winners.get(str(table.number))) is not None
            and table.verdict is not None
            and table.verdict.winner not in (None, was)
        )
        if changed:
            return OutdatedRound(number, changed)
    return None


def is_kept(session: Session, night: NightRow, number: int) -> bool:
    """Return whether a director kept the seating of a round that no longer fits. Takes one query."""
    return _built_on(session, night).get(number, ({}, False))[1]


def _built_on(session: Session, night: NightRow) -> Mapping[int, tuple[Mapping[str, Any], bool]]:
    """Return the winners from whom each round was last seated, by table, and whether it was kept since then."""
    query = select(LeagueEventRow.kind, LeagueEventRow.data).where(
        LeagueEventRow.night_id == night.id, LeagueEventRow.kind.in_((DRAWN, KEPT, RESTORED))
    )
    built: dict[int, tuple[Mapping[str, Any], bool]] = {}
    for kind, data in session.execute(query.order_by(LeagueEventRow.id)):
        first, winners = data.get("first"), data.get("winners")
        if isinstance(first, int) and isinstance(winners, dict):  # an imported league can have other lines
            built[first] = winners, kind == KEPT
    return built


@use_case
def keep_round(*, night: str, number: int, reason: str, device: str, now: datetime | None = None) -> None:
    """Keep the seating of a round, and of all later ones, although it no longer fits, and log the reason.

    Raises what `at_desk` raises. Raises `RuleViolation` without a reason, or if that round isn't the one to decide.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        if not reason.strip():
            raise RuleViolation("reason_missing", "Enter a reason for keeping the seating.", field="reason")
        tables = _to_decide(desk, number)
        desk.note(KEPT, reason=reason, first=number, winners=winners_in(results_of(tables, number - 1)))


@use_case
def take_rounds_back(
    *, night: str, number: int, listed: Collection[int], device: str, now: datetime | None = None
) -> None:
    """Remove a round that no longer fits and all later ones, with their games, so that they can be seated again.

    `listed` are the ids of the started tables of these rounds that the director was shown. Raises what `at_desk`
    raises. Raises `RuleViolation` if that round isn't the one to decide, or if another table has started.
    """
    with at_desk(night, device, now, Role.DIRECTOR) as desk:
        tables = _to_decide(desk, number)
        if {table.id for table in tables if table.round >= number and table.game} != set(listed):
            raise RuleViolation("listed", "Another table has started since. Check the list again.")
        results = remove_rounds(desk, number, tables)
        desk.note("rounds_undone", first=number, results=results)


def _to_decide(desk: Desk, number: int) -> Sequence[TableState]:
    tables = tables_of(desk.session, desk.night)
    found = outdated_round(desk.session, desk.night, tables)
    if found is None or found.number != number:
        raise RuleViolation("not_outdated", "The results have changed again. Look at the round again.")
    return tables
