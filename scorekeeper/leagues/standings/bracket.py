"""The current bracket of a knockout: seeds, teams that are out, and the champion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import join_names
from scorekeeper.i18n.sentences import number as spelled
from scorekeeper.leagues.core.models import NightRow, PresentRow
from scorekeeper.leagues.schedule.formats.knockout import Pairing, bracket, champion, pairings, placed
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.schedule.plan import Unit
from scorekeeper.leagues.standings.pages import BracketGame, BracketRound, BracketSide
from scorekeeper.leagues.standings.table_results import TableState, begun_of, plans_of, results_of
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Bracket:
    """The teams of a knockout, and how far each team got.

    `seeds` lists the teams by seed, top seed first. `placed` lists the teams in groups by how far they got, best group
    first (see `knockout.placed`).
    """

    seeds: tuple[Unit, ...]
    placed: tuple[tuple[Unit, ...], ...]
    champion: Unit
    """The team that won the knockout; () until that is decided."""
    rounds: tuple[tuple[Pairing, ...], ...]
    """All rounds up to the final, as in a picture (`knockout.pairings`)."""

    @property
    def out(self) -> frozenset[int]:
        """Return the ids of the people who have no more games.

        These are the people who were knocked out. Once there is a champion, the people of the champion team are
        included.
        """
        over = self.placed if self.champion else self.placed[1:]
        return frozenset(person for group in over for team in group for person in team)

    @property
    def free(self) -> tuple[Unit, ...]:
        """Return the teams with a bye in the first round, best seed first."""
        return self.seeds[: len(bracket(len(self.seeds))) - len(self.seeds)]


def bracket_of(
    session: Session, night: NightRow, tables: Sequence[TableState], byes: Mapping[int, tuple[int, ...]]
) -> Bracket | None:
    """Return the bracket of a knockout night; None if its teams can't form one, for example because their sizes differ.

    `tables` are the tables of the night, and `byes` has the ids of the people sitting out, by round. Takes one query.
    """
    present = session.scalars(select(PresentRow).where(PresentRow.night_id == night.id).order_by(PresentRow.id)).all()
    plan = NightPlan.from_json(night.plan)
    begun = begun_of(night, tables)
    state = Night(
        people=tuple(row.person_id for row in present if row.to_round is None),
        past=plans_of(tables, byes)[:begun],
        results=tuple(results_of(tables, number) for number in range(1, begun + 1)),
        # A team keeps its seed if only one of its people is left of it.
        teams=teams_of(present, alone=plan.together == "alone" or begun > 0),
        options=plan.options,
    )
    try:
        return Bracket(state.teams, placed(state), champion(state), pairings(state))
    except RuleViolation:
        return None


def teams_of(present: Sequence[PresentRow], *, alone: bool = False) -> tuple[Unit, ...]:
    """Return the teams of fixed partners among the check-ins `present`, in the order in which the teams were made.

    Each team has the ids of its people. With `alone`, teams of one person are included, as in a singles knockout.
    """
    teams: defaultdict[int, list[int]] = defaultdict(list)
    for row in present:
        if row.team is not None:
            teams[row.team].append(row.person_id)
    return tuple(tuple(sorted(teams[number])) for number in sorted(teams) if alone or len(teams[number]) > 1)


def picture(
    rounds: Sequence[Sequence[Pairing]],
    name: Callable[[int], str],
    scores: Callable[[int, int], tuple[Sequence[str], int | None]],
) -> tuple[BracketRound, ...]:
    """Return the picture of a bracket. `name` returns the name of the team with a seed, from 0.

    `scores` returns the scores by side, if any, and the side that won or None, for a round and a table, from 1.
    """

    def game(number: int, pairing: Pairing) -> BracketGame:
        points, winner = scores(number, pairing.table) if pairing.table else ((), None)
        sides = tuple(
            BracketSide("" if seed is None else name(seed), points[side] if points else "", winner == side)
            for side, seed in enumerate(pairing.seeds[: 1 if pairing.bye else 2])
        )
        return BracketGame(sides, _("Bye") if pairing.bye else _("Third-place game") if pairing.third else "")

    return tuple(
        BracketRound(
            _("Final round") if number == len(rounds) else _("Round %(number)s", number=number),
            tuple(game(number, pairing) for pairing in pairings),
        )
        for number, pairings in enumerate(rounds, start=1)
    )


def night_picture(
    bracket: Bracket | None, tables: Sequence[TableState], name: Callable[[int], str]
) -> tuple[BracketRound, ...]:
    """Return the picture of a knockout night's bracket, or () for another night. `name` returns a person's name."""
    if bracket is None:
        return ()
    by_place = {(table.round, table.number): table for table in tables}

    def scores(number: int, table: int) -> tuple[Sequence[str], int | None]:
        at = by_place[number, table]
        points = [spelled(each) for each in at.points] if at.game else []
        return points, at.verdict.winner if at.verdict is not None else None

    return picture(bracket.rounds, lambda seed: join_names([name(person) for person in bracket.seeds[seed]]), scores)
