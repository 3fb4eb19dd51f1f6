"""Check the names of teams: sides of several players may have one."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.people.names import folded
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import check_name
from scorekeeper.rules.table import Sides
from scorekeeper.rules.violation import RuleViolation

FIELD = "x_side_names"
"""Our own field of a record: a list with a name for each side, "" for a side without one."""
LONGEST = 24
"""Characters that fit on a score card."""


def check_team_names(typed: Sequence[object], sides: Sides) -> tuple[str, ...]:
    """Return a name for each side, trimmed, "" where it has none; empty if no side has one.

    Names of sides with a single player are left out. Raises `RuleViolation` (field "team-<side>") for an invalid name,
    and for one that two sides have.
    """
    named: list[str] = []
    for side, members in enumerate(sides):
        name = typed[side] if side < len(typed) else ""
        named.append(_checked(name, f"team-{side}") if len(members) > 1 and name != "" else "")
        if named[-1] and folded(named[-1]) in map(folded, named[:-1]):
            message = Phrase("Two teams are named %(name)s. Change one.", name=named[-1])
            raise RuleViolation("team_twice", message, field=f"team-{side}")
    return tuple(named) if any(named) else ()


def _checked(name: object, field: str) -> str:
    if isinstance(name, str) and not name.strip():
        return ""
    try:
        checked = check_name(name)
    except RuleViolation as violation:
        raise RuleViolation("team_name", violation.message, field=field) from None
    if len(checked) > LONGEST:
        message = Phrase("A team name can have at most %(most)s characters.", most=LONGEST)
        raise RuleViolation("team_long", message, field=field)
    return checked
