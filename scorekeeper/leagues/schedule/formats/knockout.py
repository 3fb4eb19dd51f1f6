"""Knock-out, for the last night.

The teams are seeded in the order in which they were chosen, so the best is chosen first. The bracket is the next power
of two; where teams are short of it, the best seeds have a bye in the first round, and there is none later. The seeds
are placed so that the first two can only meet in the final, the first four only in the semi-finals, and so on, and in
the first round the best plays the last. The winner of a table goes on, the other team is out; the last table is the
final, and there is no game for third place. Games are played as the rules of the game say. If there is a bell, or the
director breaks a game off, a hand that was dealt is played out and scored, a hand that was not dealt is not begun, and
most points win; level, one more hand is played, and another while it stays level, for one team has to go on. A final
score that is level asks who won. A team that is not here when its next round is drawn is out, and its opponent goes on
without a game. A bye goes on to the next round; it is no game and no win, and what it scores, if anything, is a setting
of the season.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from scorekeeper.leagues.schedule.formats.night import Format, Night, without_winner
from scorekeeper.leagues.schedule.plan import RoundPlan, RoundResults, TablePlan, Unit
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

Places = list[int | None]
"""The bracket of one round, top to bottom: the seed in each place, from 0, None where nobody is (any more)."""


def bracket(teams: int) -> Places:
    """Return the first round: neighbours play each other, and a seed beside None has a bye."""
    places: Places = [0]
    while len(places) < teams:
        last = 2 * len(places) - 1
        places = [seed for place in places if place is not None for seed in (place, last - place)]
    return [seed if seed is not None and seed < teams else None for seed in places]


def next_rounds(night: Night) -> tuple[RoundPlan, ...]:
    """Return the next round, or none when one team is left.

    Tables are numbered from the top of the bracket; byes are the people who go on without a game. Raises
    `RuleViolation`: "teams" for fewer than two teams, of one size each, "units" for somebody in two of them, "results"
    while a table of the last round has no winner.
    """
    here = set(night.people)
    present = {seed for seed, team in enumerate(night.teams) if set(team) <= here}
    places = _with_a_game(standing(night), present)
    games = [pair for pair in _pairs(places) if None not in pair]
    if not games:
        return ()
    playing = {seed for game in games for seed in game}
    return (
        RoundPlan(
            tuple(
                _table(number, [night.teams[seed] for seed in game if seed is not None])
                for number, game in enumerate(games, start=1)
            ),
            tuple(sorted(p for seed in places if seed is not None and seed not in playing for p in night.teams[seed])),
        ),
    )


def standing(night: Night) -> Places:
    """Return who goes on after the past rounds, in the places of the bracket; one alone has won.

    Raises what `next_rounds` raises.
    """
    return _course(night)[-1]


def champion(night: Night) -> Unit:
    """Return the team that has won the night, empty while it is not decided. Raises what `next_rounds` raises."""
    best = placed(night)[0]
    return best[0] if len(best) == 1 and night.past else ()


def placed(night: Night) -> tuple[tuple[Unit, ...], ...]:
    """Return the teams by how far they came: who is still in it, then who went out last, and so on.

    Those who went out in the same round share their places: both losers of the semi-finals the third. A round counts
    once all its tables have a winner. Raises what `next_rounds` raises, but for "results".
    """
    done = 0
    while done < min(len(night.past), len(night.results)) and _is_done(night, done):
        done += 1
    course = _course(replace(night, past=night.past[:done]))
    if done == len(night.past):
        here = set(night.people)
        course.append(_with_a_game(course[-1], {seed for seed, team in enumerate(night.teams) if set(team) <= here}))
    inside = [{seed for seed in places if seed is not None} for places in course]
    out = [before - after for before, after in pairwise(inside)]
    groups = [inside[-1], *reversed(out)]
    return (
        tuple(night.teams[seed] for seed in sorted(groups[0])),
        *(tuple(night.teams[seed] for seed in sorted(group)) for group in groups[1:] if group),
    )


def _is_done(night: Night, index: int) -> bool:
    won = {result.number for result in night.results[index] if result.winner is not None}
    return all(table.number in won for table in night.past[index].tables)


def _course(night: Night) -> list[Places]:
    """The places before the first round, and after each of the past ones."""
    members = [person for team in night.teams for person in team]
    if len(night.teams) < 2 or len(set(map(len, night.teams))) > 1:
        raise RuleViolation("teams", Phrase("Make partners first: at least two teams of the same size."), field="teams")
    if len(set(members)) < len(members):
        raise RuleViolation("units", Phrase("Someone is on two teams."), field="units")
    seed_of = {person: seed for seed, team in enumerate(night.teams) for person in team}
    places = bracket(len(night.teams))
    course = [places]
    for index, plan in enumerate(night.past):
        results = night.results[index] if index < len(night.results) else ()
        places = _with_a_game(places, _teams(plan.present, seed_of))
        going_on = _teams(plan.byes, seed_of)
        for table in plan.tables:
            going_on |= _teams(table.sides[_winner(table, results)], seed_of)
        places = _winners(places, going_on)
        course.append(places)
    return course


def _table(number: int, teams: Sequence[Unit]) -> TablePlan:
    return TablePlan(number, tuple(person for row in zip(*teams, strict=True) for person in row))


def _teams(people: Iterable[int], seed_of: Mapping[int, int]) -> set[int]:
    return {seed_of[person] for person in people if person in seed_of}


def _with_a_game(places: Places, here: set[int]) -> Places:
    """The places without the teams that are not here, as many rounds on as have nobody to play."""
    places = [seed if seed in here else None for seed in places]
    while len(places) > 1 and not any(None not in pair for pair in _pairs(places)):
        places = _winners(places, here)
    return places


def _winners(places: Places, going_on: set[int]) -> Places:
    """The places of the next round: of each pair the one that goes on."""
    return [next((seed for seed in pair if seed is not None and seed in going_on), None) for pair in _pairs(places)]


def _pairs(places: Places) -> list[tuple[int | None, int | None]]:
    return list(zip(places[::2], places[1::2], strict=False))  # one alone has nobody beside it


def _winner(table: TablePlan, results: RoundResults) -> int:
    """The side that won; who sat there for whom does not matter."""
    for result in results:
        if result.number == table.number and result.winner is not None:
            return result.winner
    raise without_winner(table.number)


KNOCKOUT = Format(
    key="knockout",
    name=Phrase("Knockout"),
    line=Phrase("Fixed teams. Lose and you're out. The first team made is seed 1; top seeds get the byes."),
    ahead=False,
    teams=True,
    bell="none",
    next_rounds=next_rounds,
    needs_winner=Phrase("Tied. Who goes on?"),
)
