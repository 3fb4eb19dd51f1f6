"""A ruleset: every option of a family of games, as one frozen value, and the checks that it can be played by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from scorekeeper.rules.options import OPTIONS, Options
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Options):
    """The rules that one table plays by: the parts of the game, which no option changes, and every option."""

    @property
    def dealer_raises(self) -> bool:
        """Return whether the dealer may bid above the standing or the forced bid; False if they may only match it."""
        return self.dealer_may_raise or not self.dealer_matches

    @property
    def forced_exactly(self) -> bool:
        """Return whether a dealer who must bid, because all others passed, bids exactly the forced bid (RULES 10)."""
        return not self.dealer_raises if self.forced_bid_exact is None else self.forced_bid_exact


def why_unused(rules: Ruleset, option: str) -> Phrase | None:
    """Return why `option` has no effect under these rules, or None if it has one (RULES 1)."""
    entry = OPTIONS[option]
    return None if entry.game(rules) and entry.needs(rules) else entry.idle


def with_options(preset: Ruleset, options: Mapping[str, Any]) -> Ruleset:
    """Return `preset` with `options` in place of its own values.

    Raises `RuleViolation` (field: the option) for an unknown option, a value outside its range, an option that has no
    effect under these rules and isn't neutral, and a combination that nobody can play by.
    """
    for key, value in options.items():
        check_value(key, value)
    rules = replace(preset, **options)
    for key, value in options.items():
        if value == getattr(preset, key):
            continue
        reason = why_unused(rules, key)
        if reason and value != OPTIONS[key].default:
            message = Phrase("“%(option)s” can’t be changed here: %(why)s.", option=key, why=reason)
            raise RuleViolation("option_unused", message, field=key)
    check_combination(rules)
    return rules


def differing(preset: Ruleset, rules: Ruleset) -> dict[str, Any]:
    """Return the options of `rules` that differ from `preset`, in the order of the options table."""
    return {key: getattr(rules, key) for key in OPTIONS if getattr(rules, key) != getattr(preset, key)}


def check_combination(rules: Ruleset) -> None:
    """Raise `RuleViolation` for rules that nobody can play by, whatever the seating."""
    most = sum(category.value for category in rules.categories) or max(total for _, total in rules.hand_totals)
    top, lowest, forced = rules.bid_max or most, rules.bid_min, rules.forced_bid
    if top > most:
        message = Phrase(
            "A hand has only %(most)s points, so the highest bid allowed can’t be %(top)s.", most=most, top=top
        )
        raise RuleViolation("option_combination", message, field="bid_max")
    if lowest > top:
        message = Phrase(
            "The lowest bid allowed, %(lowest)s, is above the highest, %(highest)s.", lowest=lowest, highest=top
        )
        raise RuleViolation("option_combination", message, field="bid_min")
    if forced is not None and not lowest <= forced <= top:
        message = Phrase(
            "The dealer can’t be stuck with %(bid)s: bids go from %(lowest)s to %(highest)s.",
            bid=forced,
            lowest=lowest,
            highest=top,
        )
        raise RuleViolation("option_combination", message, field="forced_bid")
    if rules.finish == "fixed_hands" and rules.hands_limit is None:
        raise RuleViolation("option_combination", "Enter the number of hands.", field="hands_limit")


def check_value(key: str, value: Any) -> None:
    """Raise `RuleViolation` for an option that doesn't exist, or a value that it can't have."""
    entry = OPTIONS.get(key)
    if entry is None:
        name = str(key)[:40]
        raise RuleViolation("option_unknown", Phrase("There is no option named “%(name)s”.", name=name), field=name)
    if entry.allows(value):
        return
    if entry.values:
        message = Phrase("“%(option)s” must be %(values)s.", option=key, values=_or(entry.values))
    else:
        low, high = entry.numbers
        message = Phrase(
            "“%(option)s” must be a whole number from %(low)s to %(high)s.", option=key, low=low, high=high
        )
    raise RuleViolation("option_value", message, field=key)


def _value(value: Any) -> str:
    known = {True: Phrase("yes"), False: Phrase("no"), None: Phrase("none")}
    return known[value] if isinstance(value, bool | None) else str(value)


def _or(values: Iterable[Any]) -> str:
    return reduce(lambda one, other: Phrase("%(one)s or %(other)s", one=one, other=other), map(_value, values))
