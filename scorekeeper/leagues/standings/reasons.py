"""Explain each rank: the number it is ranked by, the tie-breaker that decided, or how far a team got in a bracket.

Pure, for the receipt of a night and whatever else names a rank. `names` holds the name of each unit.
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
"""How far the teams of a finished knockout got, by group, best first."""


def reasons_for(row: StandingRow, names: Names, order: str) -> tuple[Phrase, ...]:
    """Return the sentences about the ties that a row went through, or about its value if it went through none."""
    if row.ties:
        return tuple(tie_line(tie, names) for tie in row.ties)
    value = Phrase("%(order)s (%(value)s)", order=ORDERS[order], value=decimal(row.value))
    return (Phrase("By %(what)s.", what=value),)


def bracket_reason(group: int, groups: int, *, over: bool) -> Phrase:
    """Return how far the teams of a group of a knockout got; `group` counts from 0, of `groups` (`knockout.placed`)."""
    if over and group < len(LAST_ROUNDS):
        return LAST_ROUNDS[group]
    if not group:
        return Phrase("Still in when the night was closed.")
    return Phrase("Lost in round %(round)s.", round=groups - group)
