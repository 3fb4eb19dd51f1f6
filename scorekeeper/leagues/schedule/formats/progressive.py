"""Progressive: winners move up and change partners, and the head table rings the bell.

Table 1 is the head table. The first round is drawn. The head table plays its game to the end its rules give it, or a
number of hands if the league sets one, and rings the bell; that ends the round everywhere. A hand that was dealt when
it rings is played out and scored, a hand that was not dealt is not begun, and most points win; a table that was done
before waits. Level at the bell, one more hand is played, and another while it stays level, for somebody has to move. A
final score that is level asks who moves up, and the next round waits for the answer. Winners move up one table and
losers stay; at the head table winners stay and losers go down to the last table. Partners change: of the two who arrive
and the two who stay, nobody keeps the partner of the round before, and they are paired so that partners meet again as
seldom as can be, then by lot. Where the number fills no table evenly, one to three people sit out, by the draw's rule,
so that byes differ by at most one. Who sits out leaves a place; all places are closed from below, winners who had just
come up first, and who sat out, came late or comes back takes the last places of the last table. Who left is taken out
in the same way. A bye is no game and nobody moves up by it: what it scores, if anything, is a setting of the season.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from scorekeeper.leagues.schedule.formats.night import Format, Night, Option, without_winner
from scorekeeper.leagues.schedule.plan import RoundPlan, RoundResults, Seats, TablePlan
from scorekeeper.leagues.schedule.repeats import Met, Pair, repeat_matrix
from scorekeeper.leagues.schedule.rotation import Rotation, table_sizes
from scorekeeper.leagues.schedule.seating import draw_rest
from scorekeeper.leagues.schedule.sitting_out import sitting_out
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

HEAD_HANDS = Option("hands", Phrase("Hands at the head table (0 = full game)"), 0, 0, 40)
PAIRINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""The three ways to seat four people: who sits across whom."""


def next_rounds(night: Night) -> tuple[RoundPlan, ...]:
    """Return the next round, or none when the night has had all its rounds.

    Raises `RuleViolation`: "results" while a table of the last round has none or no winner, "too_few" where no table is
    filled.
    """
    if len(night.past) >= night.rounds:
        return ()
    if not night.past:
        return draw_rest(night.people, 1, (), Rotation(), night.seed, night.bye_credit)
    if len(night.results) < len(night.past):
        raise RuleViolation("results", Phrase("A table in the last round has no score yet. Enter it first."))
    rng = Random(f"{night.seed} {len(night.past)}")  # noqa: S311 -- a lot that can be drawn again, not a secret
    here = sorted(night.people)
    rng.shuffle(here)
    sizes = table_sizes(len(here), (4,))
    (out,) = sitting_out([(p,) for p in here], len(here) - sum(sizes), 1, night.past, night.bye_credit)
    byes = {here[i] for i in out}
    ladder = [p for p in _ladder(night.past[-1], night.results[-1]) if p in set(here)]
    ladder = [p for p in [*ladder, *(p for p in here if p not in set(ladder))] if p not in byes]
    met = repeat_matrix(night.past)
    just = repeat_matrix(night.past[-1:])
    tables = [
        TablePlan(number, _seated(ladder[4 * (number - 1) : 4 * number], met, just, rng))
        for number in range(1, len(sizes) + 1)
    ]
    return (RoundPlan(tuple(tables), tuple(sorted(byes))),)


def _ladder(plan: RoundPlan, results: RoundResults) -> list[int]:
    """Everybody who played, from the head table down, as the results send them: who comes up first, then who stays."""
    by_number = {result.number: result for result in results}
    won: list[Seats] = []
    lost: list[Seats] = []
    for table in plan.tables:
        result = by_number.get(table.number)
        if result is None or len(result.sides) != 2:
            raise RuleViolation("results", Phrase("A table in the last round has no score yet. Enter it first."))
        if result.winner is None:
            raise without_winner(table.number)
        won.append(result.sides[result.winner])
        lost.append(result.sides[1 - result.winner])
    up = [*won[1:], lost[0]]
    stay = [won[0], *lost[1:]]
    return [person for come, keep in zip(up, stay, strict=True) for person in (*come, *keep)]


def _seated(people: Sequence[int], met: Mapping[Pair, Met], just: Mapping[Pair, Met], rng: Random) -> Seats:
    """Four people in seat order: not with the last partner again, nor with an earlier one while that can be."""

    def again(order: Sequence[int]) -> tuple[int, int, float]:
        pairs = [tuple(sorted((people[order[i]], people[order[i + 2]]))) for i in (0, 1)]
        last = sum(just.get((a, b), Met()).partners for a, b in pairs)
        return last, sum(met.get((a, b), Met()).partners for a, b in pairs), rng.random()

    return tuple(people[i] for i in min(PAIRINGS, key=again))


PROGRESSIVE = Format(
    key="progressive",
    name=Phrase("Progressive"),
    line=Phrase("Winners move up a table and change partners. The head table rings the bell."),
    ahead=False,
    teams=False,
    bell="head_table",
    next_rounds=next_rounds,
    settings=(HEAD_HANDS,),
    new_partners=True,
    needs_winner=Phrase("Tied. Who moves up?"),
)
