"""What people send, read and bounded; whether it can be is for the rules to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import Form, HiddenField
from wtforms.validators import InputRequired, Regexp

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.hands import RED_POINTS
from scorekeeper.rules.ruleset import CHOICES, NULLABLE, NUMBERS, Ruleset
from scorekeeper.rules.table import Table
from scorekeeper.web.forms import printable
from scorekeeper.web.text import whole_number

CARD_FIELD = "card-"
TAP_ID = r"[A-Za-z0-9_-]{8,64}\Z"
VERSION = r"[1-9][0-9]{0,6}\Z"
"""Up to ten million events; what is longer fits in no number of the databases."""


class StartForm(Form):
    """A tap that starts a game; `web.extensions.csrf` saw already that it comes from a page of ours."""

    client_id = HiddenField(validators=[InputRequired(), Regexp(TAP_ID)])


class TapForm(StartForm):
    """A tap at a game: which version of it the phone saw, and the id that makes a second tap harmless."""

    version = HiddenField(validators=[InputRequired(), Regexp(VERSION)])


def read_bid(value: str) -> Bid:
    """Return a bid as the rules know it: a number where it is one, else the word."""
    return value if (number := whole_number(value)) is None else number


def read_seat(value: str) -> int | None:
    """Return the seat that a field names, None where it names none."""
    return whole_number(value, 2)


def read_points(value: str) -> int:
    """Return the points of an adjustment, with any minus sign; 0, which the rules refuse, where it is no number."""
    return whole_number(value.strip().removeprefix("+"), 5, signed=True) or 0


def hand_data(fields: Mapping[str, str], table: Table) -> dict[str, Any]:
    """Return the hand that a form's fields tell, in the form of a record's hand.

    `mode` says how: "points" who took which, "taken" the points of each side, "passed"
    thrown in. What was left out is left out here too, so that the rules can ask for it.
    """
    data: dict[str, Any] = {}
    for key in ("dealer", "bidder", "tricks"):
        if fields.get(key):
            data[key] = _number(fields[key])
    if fields.get("mode") == "passed":
        return {key: data[key] for key in data if key == "dealer"} | {"passed": True}
    if fields.get("bid"):
        data["bid"] = read_bid(fields["bid"])
    if fields.get("trump"):
        data["trump"] = fields["trump"]
    if "partner" in fields:
        data["partner"] = None if fields["partner"] == "alone" else _number(fields["partner"])
    if fields.get("mode") == "parts":
        parts = {key: _by_side(fields, table, key, most) for key, most in _most_of(table).items()}
        return data | {key: told for key, told in parts.items() if told is not None}
    if fields.get("mode") == "taken" or not table.rules.categories:
        taken = _by_side(fields, table, "taken", table.most)
        return data if taken is None else data | {"taken": taken}
    keys = [category.key for category in table.rules.categories]
    data["points"] = {key: None if fields[key] == "none" else _number(fields[key]) for key in keys if fields.get(key)}
    captured = read_cards(fields, table)
    if any(captured):
        data["captured"] = captured
    return data


def _most_of(table: Table) -> dict[str, int]:
    """The parts of a hand of tricks and red cards, and how many there are of each."""
    return {"side_tricks": table.most - RED_POINTS, "side_red": RED_POINTS}


def _by_side(fields: Mapping[str, str], table: Table, field: str, most: int) -> list[Any] | None:
    """What each side got; where the total is fixed and one is missing, it gets the rest. None: too few given."""
    told = [_number(fields.get(f"{field}-{side}", "")) for side in range(2 if table.called else len(table.sides))]
    missing = [side for side, value in enumerate(told) if value == ""]
    if len(missing) == 1 and table.least == table.most and all(type(n) is int for n in told if n != ""):
        told[missing[0]] = max(most - sum(n for n in told if n != ""), 0)
        return told
    return None if missing else told


def read_cards(fields: Mapping[str, str], table: Table) -> list[list[str]]:
    """Return the cards each side took, of the fields `card-<card>` whose value is a side."""
    piles: list[list[str]] = [[] for _ in table.sides]
    for key, value in fields.items():
        if key.startswith(CARD_FIELD) and value in map(str, range(len(piles))):
            piles[int(value)].append(key.removeprefix(CARD_FIELD))
    return [sorted(pile) for pile in piles]


def option_values(fields: Mapping[str, str], preset: Ruleset) -> dict[str, Any]:
    """Return the house rules that a form's `rule-…` fields name and that differ from the preset.

    A value that cannot be read is kept as it is, so that the rules refuse it by name.
    """
    options: dict[str, Any] = {}
    for field, text in fields.items():
        key = field.removeprefix("rule-")
        if key == field or (key not in CHOICES and key not in NUMBERS):
            continue
        value = _option(key, text.strip())
        if value != getattr(preset, key) or type(value) is not type(getattr(preset, key)):
            options[key] = value
    return options


def plain(form: MultiDict[str, str]) -> dict[str, str]:
    """Return the first value of each field of a form, a space for each control character: no page can show one."""
    return {key: printable(value) for key, value in form.items()}


def _option(key: str, text: str) -> Any:
    if key in CHOICES:
        return next((choice for choice in CHOICES[key] if option_text(choice) == text), text)
    if key in NULLABLE and not text:
        return None
    return _number(text)


def option_text(value: Any) -> str:
    """Return an option's value as a form carries it."""
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _number(text: str) -> Any:
    return text if (number := whole_number(text, 8)) is None else number
