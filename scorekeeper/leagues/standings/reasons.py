"""Explain each rank: the value that decided it, the tie-breaker that broke a tie, or how far a team got in a bracket.

The functions use no database. `names` has the name of each unit (a player or a set of partners).
"""

from __future__ import annotations

from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.wording import ORDERS, Names, decimal, tie_line
from scorekeeper.rules.phrase import Phrase

LAST_ROUNDS = (
    Phrase("Won the final."),
    Phrase("Lost the final."),
    Phrase("Lost in the semifinals."),
    Phrase("Lost in the quarterfinals."),
)
"""How far a team got in a finished knockout, as one sentence for each group of teams, best group first."""


def reasons_for(row: StandingRow, names: Names, order: str) -> tuple[Phrase, ...]:
    """Return the sentences that explain the rank of a row.

    There is one sentence for each tie. A row without ties has one sentence with the value that decided its rank.
    `order` is what the season ranks by, a key of `wording.ORDERS`.
    """
    if row.ties:
        return tuple(tie_line(tie, names) for tie in row.ties)
    value = Phrase("%(order)s (%(value)s)", order=ORDERS[order], value=decimal(row.value))
    return (Phrase("Decided by %(what)s.", what=value),)


def bracket_reason(group: int, groups: int, *, over: bool) -> Phrase:
    """Return a sentence about how far a team got in a knockout.

    `group` is the index of the team's group in `knockout.placed`, where 0 is the best group. `groups` is the number of
    groups. `over` says whether the final was played.
    """
    if over and group < len(LAST_ROUNDS):
        return LAST_ROUNDS[group]
    if not group:
        return Phrase("Still in when the night was closed.")
    return Phrase("Lost in round %(round)s.", round=groups - group)
