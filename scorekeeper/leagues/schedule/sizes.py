"""How many tables of which size."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


def table_sizes(players: int, allowed: Sequence[int], *, each: int = 1) -> tuple[int, ...]:
    """Return the size of each table for that many players, largest first.

    As many play as can; among those ways the one with the most tables of the size named first, then of the second,
    and so on. Raises `RuleViolation` ("too_few") where not even one table is filled; its
    sentence counts `each` for one.
    """
    for playing in range(players, min(allowed) - 1, -1):
        found = _filled(playing, tuple(allowed))
        if found is not None:
            return tuple(sorted(found, reverse=True))
    message = Phrase(
        "Not enough players: %(here)s here, and a table takes %(least)s.",
        here=players * each,
        least=min(allowed) * each,
    )
    raise RuleViolation("too_few", message)


def _filled(playing: int, allowed: tuple[int, ...]) -> tuple[int, ...] | None:
    """The tables that seat exactly that many, None where no number of tables does."""
    if not allowed:
        return () if playing == 0 else None
    size, others = allowed[0], allowed[1:]
    for count in range(playing // size, -1, -1):
        rest = _filled(playing - count * size, others)
        if rest is not None:
            return (size,) * count + rest
    return None
