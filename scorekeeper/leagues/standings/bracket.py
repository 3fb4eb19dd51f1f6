"""A knock-out as its night stands: who has won it, who is out, and who has which seed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import NightRow, PresentRow
from scorekeeper.leagues.schedule.formats.knockout import bracket, champion, placed
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.standings.table_results import TableState, plans_of, results_of
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Bracket:
    """The teams by seed, and by how far they came, the best first (`knockout.placed`)."""

    seeds: tuple[Unit, ...]
    placed: tuple[tuple[Unit, ...], ...]
    champion: Unit
    """Empty while it is not decided."""

    @property
    def out(self) -> frozenset[int]:
        """Return everybody who has no game any more: who lost, and when it is over the champion too."""
        over = self.placed if self.champion else self.placed[1:]
        return frozenset(person for group in over for team in group for person in team)

    @property
    def free(self) -> tuple[Unit, ...]:
        """Return the seeds that have a bye in the first round."""
        return self.seeds[: len(bracket(len(self.seeds))) - len(self.seeds)]


def bracket_of(
    session: Session, night: NightRow, tables: Sequence[TableState], byes: Mapping[int, tuple[int, ...]]
) -> Bracket | None:
    """Return the bracket of a night with these tables and byes, in one query; None without teams of one size."""
    present = session.scalars(select(PresentRow).where(PresentRow.night_id == night.id).order_by(PresentRow.id)).all()
    begun = max((table.round for table in tables if table.game), default=0)
    told = Night(
        people=tuple(row.person_id for row in present if row.to_round is None),
        past=plans_of(tables, byes)[:begun],
        results=tuple(results_of(tables, number) for number in range(1, begun + 1)),
        teams=teams_of(present),
    )
    try:
        return Bracket(told.teams, placed(told), champion(told))
    except RuleViolation:
        return None


def teams_of(present: Sequence[PresentRow]) -> tuple[Unit, ...]:
    """Return the fixed partners among those who are present, in the order in which they were put together."""
    teams: defaultdict[int, list[int]] = defaultdict(list)
    for row in present:
        if row.team is not None:
            teams[row.team].append(row.person_id)
    return tuple(tuple(sorted(teams[number])) for number in sorted(teams) if len(teams[number]) > 1)
