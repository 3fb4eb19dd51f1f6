"""Read season settings from JSON, with an error message for each invalid value."""

from collections.abc import Collection, Mapping
from typing import Any

from scorekeeper.rules.phrase import Phrase, RuleViolation


def object_of(data: object, known: Collection[str]) -> Mapping[str, Any]:
    """Return `data` if it is a JSON object whose keys are all in `known`. Raises `RuleViolation` otherwise."""
    if not isinstance(data, dict):
        raise RuleViolation("settings_shape", "These settings can't be read. Reload the page and try again.")
    for key in data:
        if key not in known:
            name = str(key)[:40]
            message = Phrase("There is no setting called “%(name)s”.", name=name)
            raise RuleViolation("setting_unknown", message, field=name)
    return data


def choice(data: Mapping[str, Any], key: str, choices: Collection[str], usual: str) -> str:
    """Return the value of `key`, or `usual` if `key` is missing.

    Raises `RuleViolation` if the value isn't one of `choices`.
    """
    value = data.get(key, usual)
    if not isinstance(value, str) or value not in choices:
        allowed = ", ".join(choices)
        message = Phrase("“%(setting)s” must be one of these: %(values)s.", setting=key, values=allowed)
        raise RuleViolation("setting_value", message, field=key)
    return value


def number(data: Mapping[str, Any], key: str, most: int, usual: int = 0) -> int:
    """Return the value of `key`, or `usual` if `key` is missing.

    Raises `RuleViolation` if the value isn't a whole number from 0 to `most`.
    """
    value = data.get(key, usual)
    if type(value) is not int or not 0 <= value <= most:
        message = Phrase("“%(setting)s” must be a whole number from 0 to %(most)s.", setting=key, most=most)
        raise RuleViolation("setting_value", message, field=key)
    return value


def flag(data: Mapping[str, Any], key: str) -> bool:
    """Return the value of `key`, or False if `key` is missing.

    Raises `RuleViolation` if the value isn't true or false.
    """
    value = data.get(key, False)
    if type(value) is not bool:
        raise RuleViolation("setting_value", Phrase("“%(setting)s” must be yes or no.", setting=key), field=key)
    return value


def items(data: Mapping[str, Any], key: str, most: int, usual: tuple[Any, ...] = ()) -> list[Any]:
    """Return the list at `key`, or the items of `usual` if `key` is missing.

    Raises `RuleViolation` if the value isn't a list of at most `most` items.
    """
    value = data.get(key, list(usual))
    if not isinstance(value, list) or len(value) > most:
        message = Phrase("“%(setting)s” can have at most %(most)s entries.", setting=key, most=most)
        raise RuleViolation("setting_value", message, field=key)
    return value
