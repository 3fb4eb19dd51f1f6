"""Team matches: on a night of a team season, each match is played at several tables.

The lineup of a team is a list of pairs, one for each table of the match. In round 1 the first pairs of both teams meet,
the second pairs meet, and so on; in each later round the pairs of the visiting team move up one table, so that with as
many rounds as tables every pair meets every pair of the other team once. All rounds are seated before the first result.
A lineup that is changed during the night changes only the rounds that haven't started. Nobody else is seated, and
players without a table have no bye. Games follow the rules of the game, to the end; a tie counts as a tie.
"""

from scorekeeper.leagues.schedule.formats.night import Format, Night, Option
from scorekeeper.leagues.schedule.plan import RoundPlan, TablePlan, Unit
from scorekeeper.rules.phrase import Phrase, RuleViolation

TABLES = Option("tables", Phrase("Tables per match"), 2, 1, 8)


def next_rounds(night: Night) -> tuple[RoundPlan, ...]:
    """Return all rounds that haven't started. In each round, the tables of the first match come first.

    A match without pairs, because a team forfeited it, leaves the numbers of its tables free.

    Raises `RuleViolation` with the code "matches" if no match is chosen, or "units" if a person is in two lineups.
    """
    if not any(home for home, _away in night.matches):
        message = Phrase(
            "Choose tonight's matches first. If this season has no teams, choose another format for tonight."
        )
        raise RuleViolation("matches", message, field="matches")
    people = [person for home, away in night.matches for pair in (*home, *away) for person in pair]
    if len(set(people)) < len(people):
        raise RuleViolation("units", Phrase("Someone is in two lineups."), field="units")
    return tuple(_round(night, number) for number in range(len(night.past), night.rounds))


def _round(night: Night, number: int) -> RoundPlan:
    each = night.options.get(TABLES.key, TABLES.default)
    return RoundPlan(
        tuple(
            _table(at * each + index + 1, pair, away[(index + number) % len(away)])
            for at, (home, away) in enumerate(night.matches)
            for index, pair in enumerate(home)
        )
    )


def _table(number: int, home: Unit, away: Unit) -> TablePlan:
    return TablePlan(number, (home[0], away[0], home[1], away[1]))


TEAM_MATCH = Format(
    key="team_match",
    name=Phrase("Team matches"),
    line=Phrase("For a team season: two teams meet at several tables, two against two."),
    ahead=True,
    teams=False,
    bell="none",
    next_rounds=next_rounds,
    settings=(TABLES,),
)
