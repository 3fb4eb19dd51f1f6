"""Round robin of fixed teams.

Teams are fixed for the night, and every team plays every other once, by the circle method; with fewer rounds, no two
teams meet twice. With an odd number of teams, one sits out each round, and every team once before any sits out again.
Games follow the rules of the game. If a bell rings or the director stops a round, tables finish and score the hand in
progress and start no new one; most points wins, and a tie counts as a tie for both teams. Nobody moves because of a
result. A team that comes late or leaves changes only the rounds still to come, which are seated anew among the complete
teams that are here; past games still count, and people without a team sit out. A bye is neither a game nor a win; the
season's settings decide what it scores.
"""

from collections.abc import Sequence

from scorekeeper.leagues.schedule.formats.night import Format, Night
from scorekeeper.leagues.schedule.plan import Rotation, RoundPlan, Unit
from scorekeeper.leagues.schedule.seating import draw_rest
from scorekeeper.rules.phrase import Phrase, RuleViolation


def full_circle(teams: int) -> int:
    """Return the number of rounds in which every team meets every other team once."""
    return teams - 1 if teams % 2 == 0 else teams


def next_rounds(night: Night) -> tuple[RoundPlan, ...]:
    """Return all rounds that haven't started.

    They follow the original plan as long as the teams are the same. If the teams have changed, the remaining rounds are
    planned anew. Raises `RuleViolation` with the code "teams" if there are fewer than two teams, or if teams differ in
    size. Raises it with the code "units" if a person is on two teams.
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
    """Return the number of players per team. Raises `RuleViolation` as `next_rounds` does."""
    sizes = {len(team) for team in teams}
    if len(teams) < 2 or len(sizes) > 1:
        raise RuleViolation("teams", Phrase("Make partners first: at least two teams of the same size."), field="teams")
    return sizes.pop()


def _with(plan: RoundPlan, waiting: set[int]) -> RoundPlan:
    return RoundPlan(plan.tables, tuple(sorted({*plan.byes, *waiting})))


ROUND_ROBIN = Format(
    key="round_robin",
    name=Phrase("Round robin"),
    line=Phrase("Fixed partners. Every team plays every other team."),
    ahead=True,
    teams=True,
    bell="none",
    next_rounds=next_rounds,
)
