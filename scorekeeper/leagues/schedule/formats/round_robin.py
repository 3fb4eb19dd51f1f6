"""Round robin of fixed teams.

The teams are fixed for the night, and every team plays every other once, by the circle method; with fewer rounds than
that needs, no team meets another twice. With an odd number of teams one sits out in each round, every team once before
any a second time. Games are played as the rules of the game say. If there is a bell, or the director breaks a round
off, a hand that was dealt is played out and scored, a hand that was not dealt is not begun, and most points win. Level
then, nobody has won: it stands as level for both teams. Nobody moves because of a result. A team that comes late or
goes home changes only the rounds still to come, which are drawn anew among the teams that are here, whole; what was
played stays and counts, and whoever is here without a team sits out. A bye is no game and no win: what it scores, if
anything, is a setting of the season.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.leagues.schedule.formats.night import Format, Night
from scorekeeper.leagues.schedule.plan import RoundPlan, Unit
from scorekeeper.leagues.schedule.rotation import Rotation
from scorekeeper.leagues.schedule.seating import draw_rest
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


def full_circle(teams: int) -> int:
    """Return how many rounds it takes until every team has met every other."""
    return teams - 1 if teams % 2 == 0 else teams


def next_rounds(night: Night) -> tuple[RoundPlan, ...]:
    """Return all rounds that are still to come: those drawn at first while the teams are the same, else anew.

    Raises `RuleViolation`: "teams" for teams of different sizes or fewer than two, "units" for somebody in two teams.
    """
    here = set(night.people)
    teams = [team for team in night.teams if set(team) <= here]
    rotation = Rotation("fixed", (2 * _size(night.teams),), tuple(teams))
    rounds = night.rounds or full_circle(len(teams))
    people = [person for team in teams for person in team]
    waiting = here.difference(people)
    first = draw_rest(people, rounds, (), rotation, night.seed, night.bye_credit)
    plans = tuple(_with(plan, waiting) for plan in first)
    played = len(night.past)
    if [plan.tables for plan in night.past] != [plan.tables for plan in plans[:played]]:
        rest = draw_rest(people, rounds - played, night.past, rotation, night.seed, night.bye_credit)
        return tuple(_with(plan, waiting) for plan in rest)
    return plans[played:]


def _size(teams: Sequence[Unit]) -> int:
    """The players of a team, two or more alike."""
    sizes = {len(team) for team in teams}
    if len(teams) < 2 or len(sizes) > 1:
        raise RuleViolation("teams", Phrase("Make partners first: at least two teams of the same size."), field="teams")
    return sizes.pop()


def _with(plan: RoundPlan, waiting: set[int]) -> RoundPlan:
    return RoundPlan(plan.tables, tuple(sorted({*plan.byes, *waiting})))


ROUND_ROBIN = Format(
    key="round_robin",
    name=Phrase("Round robin"),
    line=Phrase("Fixed teams. Every team plays every other team."),
    ahead=True,
    teams=True,
    bell="none",
    next_rounds=next_rounds,
)
