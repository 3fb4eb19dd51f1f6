"""Progressive: winners move up and change partners, and the head table rings the bell.

Table 1 is the head table, and the first round is seated at random. The head table plays a full game, or a number of
hands if the league sets one, and rings the bell, which ends the round everywhere. The other tables finish and score the
hand in progress and start no new one; most points wins. A table that finished earlier waits. If a table is tied at the
bell, its players play one more hand, and another while it stays tied, because somebody has to move. A tied final score
asks who moves up, and the next round waits for the answer. Winners move up one table and losers stay; at the head
table, winners stay and losers go to the last table. Of the two who arrive and the two who stay, nobody keeps their
partner; they are paired so that partners repeat as little as possible, then at random. If the tables cannot be filled
evenly, one to three people sit out (`sitting_out`), so that byes differ by at most one. Seats of people who sit out or
leave are filled from the tables below, first by winners who have just moved up. People who sat out, came late or came
back take the last seats of the last table. A bye is not a game, and nobody moves up because of a bye; the season's
settings decide what it scores.
"""

from collections.abc import Mapping, Sequence
from random import Random

from scorekeeper.leagues.schedule.formats.night import Format, Night, Option, without_winner
from scorekeeper.leagues.schedule.plan import (
    Met,
    Pair,
    Rotation,
    RoundPlan,
    RoundResults,
    Seats,
    TablePlan,
    repeat_matrix,
    table_sizes,
)
from scorekeeper.leagues.schedule.seating import draw_rest, sitting_out
from scorekeeper.rules.phrase import Phrase, RuleViolation

HEAD_HANDS = Option("hands", Phrase("Hands at the head table (0 = full game)"), 0, 0, 40)
PAIRINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""The three ways to seat four people as two pairs, sitting across from each other."""


def next_rounds(night: Night) -> tuple[RoundPlan, ...]:
    """Return a tuple with the next round, or () after the last planned round.

    Raises `RuleViolation` with the code "results" while a table of the round before has no result or no winner, or with
    "too_few" if there aren't enough people for a table.
    """
    if len(night.past) >= night.rounds:
        return ()
    if not night.past:
        return draw_rest(night.people, 1, (), Rotation(), night.seed, night.bye_credit, earlier=night.earlier)
    if len(night.results) < len(night.past):
        raise RuleViolation("results", Phrase("A table in the last round has no score yet. Enter it first."))
    rng = Random(f"{night.seed} {len(night.past)}")  # noqa: S311 -- a repeatable seating, not a secret
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
    """Return everyone who played in the last round, in the order of their next tables, head table first.

    At each table, the people who move there are listed first, then the people who stay. Raises `RuleViolation` with the
    code "results" if a table has no result or no winner.
    """
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
    """Return the four people of a table in seat order, chosen so that few people repeat a partner.

    `just` has the meetings of the last round, and `met` has the meetings of the whole night. It is most important that
    nobody gets the same partner as in the last round.
    """

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
