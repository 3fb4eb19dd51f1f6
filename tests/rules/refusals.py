"""Turn refusals by the rules into values, so that a test can compare them."""

from __future__ import annotations

from collections.abc import Callable

from scorekeeper.rules.phrase import RuleViolation


def refusal_of(action: Callable[[], object]) -> RuleViolation | None:
    """Return the `RuleViolation` that `action` raises, or None if it raises nothing."""
    try:
        action()
    except RuleViolation as violation:
        return violation
    return None


def code_of(action: Callable[[], object]) -> str | None:
    """Return the code of the `RuleViolation` that `action` raises, or None if it raises nothing."""
    refusal = refusal_of(action)
    return refusal.code if refusal else None
