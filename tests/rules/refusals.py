"""What the rules say no to, as a value that a test can look at."""

from __future__ import annotations

from collections.abc import Callable

from scorekeeper.rules.violation import RuleViolation


def refusal_of(action: Callable[[], object]) -> RuleViolation | None:
    """Return the `RuleViolation` that `action` raises, None where it raises none."""
    try:
        action()
    except RuleViolation as violation:
        return violation
    return None


def code_of(action: Callable[[], object]) -> str | None:
    """Return the code of the refusal of `action`, None where it is accepted."""
    refusal = refusal_of(action)
    return refusal.code if refusal else None
