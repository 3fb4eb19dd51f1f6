"""What people send, read and bounded; whether it can be is for the rules to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.web.forms import printable
from scorekeeper.web.text import whole_number

TAP_ID = r"[A-Za-z0-9_-]{8,64}\Z"


def read_bid(value: str) -> Bid:
    """Return a bid as the rules know it: a number where it is one, else the word."""
    return value if (told := whole_number(value)) is None else told


def read_seat(value: str) -> int | None:
    """Return the seat that a field names, None where it names none."""
    return whole_number(value, 2)


def read_points(value: str) -> int:
    """Return the points of an adjustment, with any minus sign; 0, which the rules refuse, where it is no number."""
    return whole_number(value.strip().removeprefix("+"), 5, signed=True) or 0


def option_values(fields: Mapping[str, str], preset: Ruleset) -> dict[str, Any]:
    """Return the house rules that a form's `rule-…` fields name and that differ from the preset.

    A value that cannot be read is kept as it is, so that the rules refuse it by name.
    """
    options: dict[str, Any] = {}
    for field, text in fields.items():
        key = field.removeprefix("rule-")
        if key == field or key not in OPTIONS:
            continue
        value = _option(key, text.strip())
        if value != getattr(preset, key) or type(value) is not type(getattr(preset, key)):
            options[key] = value
    return options


def plain(form: MultiDict[str, str]) -> dict[str, str]:
    """Return the first value of each field of a form, a space for each control character: no page can show one."""
    return {key: printable(value) for key, value in form.items()}


def _option(key: str, text: str) -> Any:
    option = OPTIONS[key]
    if option.values:
        return next((choice for choice in option.values if option_text(choice) == text), text)
    return None if option.nullable and not text else number(text)


def option_text(value: Any) -> str:
    """Return an option's value as a form carries it."""
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def number(text: str) -> Any:
    """Return the number that a text is, else the text, which the rules refuse by name."""
    return text if (told := whole_number(text, 8)) is None else told
