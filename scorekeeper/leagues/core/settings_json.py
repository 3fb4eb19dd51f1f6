"""Settings of a season as plain JSON: read with a sentence for whatever cannot be."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation


def object_of(data: object, known: Collection[str]) -> Mapping[str, Any]:
    """Return `data`, a decoded JSON object; raises `RuleViolation` for another thing, and for a key not `known`."""
    if not isinstance(data, dict):
        raise RuleViolation("settings_shape", "These settings can't be read. Reload the page and try again.")
    for key in data:
        if key not in known:
            name = str(key)[:40]
            message = Phrase("There is no setting called “%(name)s”.", name=name)
            raise RuleViolation("setting_unknown", message, field=name)
    return data


def choice(data: Mapping[str, Any], key: str, choices: Collection[str], usual: str) -> str:
    """Return one of `choices`, `usual` where nothing is said."""
    value = data.get(key, usual)
    if not isinstance(value, str) or value not in choices:
        allowed = ", ".join(choices)
        message = Phrase("“%(setting)s” must be one of these: %(values)s.", setting=key, values=allowed)
        raise RuleViolation("setting_value", message, field=key)
    return value


def number(data: Mapping[str, Any], key: str, most: int, usual: int = 0) -> int:
    """Return a whole number from 0 to `most`, `usual` where nothing is said."""
    value = data.get(key, usual)
    if type(value) is not int or not 0 <= value <= most:
        message = Phrase("“%(setting)s” must be a whole number from 0 to %(most)s.", setting=key, most=most)
        raise RuleViolation("setting_value", message, field=key)
    return value


def flag(data: Mapping[str, Any], key: str) -> bool:
    """Return yes or no, no where nothing is said."""
    value = data.get(key, False)
    if type(value) is not bool:
        raise RuleViolation("setting_value", Phrase("“%(setting)s” must be yes or no.", setting=key), field=key)
    return value


def items(data: Mapping[str, Any], key: str, most: int, usual: tuple[Any, ...] = ()) -> list[Any]:
    """Return a list of at most `most` things, `usual` where nothing is said."""
    value = data.get(key, list(usual))
    if not isinstance(value, list) or len(value) > most:
        message = Phrase("“%(setting)s” can have at most %(most)s entries.", setting=key, most=most)
        raise RuleViolation("setting_value", message, field=key)
    return value
