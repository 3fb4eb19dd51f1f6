"""Check the names of teams. A side of several players may have a team name."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.people.names import folded
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import check_name
from scorekeeper.rules.table import Sides
from scorekeeper.rules.violation import RuleViolation

FIELD = "x_side_names"
"""Field of a record that only this app uses: a list with a name for each side, "" for a side without one."""
LONGEST = 24
"""Maximum number of characters of a team name: it must fit on a score card."""


def check_team_names(typed: Sequence[object], sides: Sides) -> tuple[str, ...]:
    """Return the team name of each side, trimmed, with "" for a side without a name, or () if no side has a name.

    `typed` are the names by side. A name for a side with a single player is ignored. Raises `RuleViolation` (field
    "team-<side>") if a name is invalid or two sides have the same name.
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
