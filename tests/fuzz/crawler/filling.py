"""Forms are filled in as people do, and request bodies are made as browsers do, sometimes with something unusual."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tests.fuzz.crawler.offline_hands import AS_JSON
from tests.fuzz.crawler.slips import TYPES
from tests.fuzz.samples import PEOPLE, RECORDS, RESULTS

if TYPE_CHECKING:
    from random import Random

    from tests.fuzz.crawler.reading import Field

Pairs = list[tuple[str, Any]]
"""Pairs of (name, value), one for each field of a form as it is sent; a value that isn't a string is a file."""

PLAUSIBLE = {
    "name": ("Ann", "Zed", "Ida"), "names": ("Kim\nLou", "Max"), "reason": ("a slip of the pen",),
    "username": ("Owner", "Helper", "Nobody"), "current_password": ("four sleepy badgers", "wrong wrong wrong"),
    "new_password": ("four sleepy badgers", "another long sentence"), "totals": ("21 9",), "day": ("2027-01-05",),
    "text": (PEOPLE[0], RESULTS[0], '{"format": "scorekeeper-game/1"}', *map(json.dumps, RECORDS)),
    "cents": ("5", "2.50"), "amount": ("5", "2.50"), "bidder": ("0", "1"), "into": ("Fay", "Gus", "Hal"),
}  # fmt: skip


def carefully(told: Field, choice: Random) -> Pairs:
    """Return what a browser sends for a field that a person fills in correctly.

    Usually the field keeps its current value.
    """
    name, kind, value = told.name, told.kind, told.value
    if kind == "radio":
        return [(name, value if told.on and choice.random() < 0.6 else choice.choice(told.choices))]
    if kind == "checkbox":
        return [(name, value)] if told.on else []
    if kind == "select" and not value:
        return [(name, choice.choice(told.choices or [""]))]
    if value or (kind in {"hidden", "number"} and choice.random() < 0.9):
        return [(name, value)]
    if kind == "password":
        return [(name, PLAUSIBLE["new_password"][0])]
    if kind == "text" and name not in PLAUSIBLE:
        # Nobody else is called so: two of one name at a table are refused.
        return [(name, f"{choice.choice(('Kim', 'Lou', 'Max'))} {choice.randrange(10**6)}")]
    return filled(told, choice)


def pressed(buttons: list[tuple[str, str, str]], choice: Random, *, careful: bool) -> tuple[str, str, str]:
    """Choose a random button of a form, and return it as (name, value, address).

    If `careful`, it is usually a button that sends the form to the form's own address.
    """
    own = [button for button in buttons if not button[2]]
    return choice.choice(own if careful and own and choice.random() < 0.8 else buttons)


def filled(told: Field, choice: Random) -> Pairs:
    """Return what a browser sends for a field in which a person chose or typed something, right or wrong."""
    name, kind, value = told.name, told.kind, told.value
    if kind == "hidden":
        return [(name, value)]
    if kind == "radio":
        return [(name, choice.choice(told.choices))] if choice.random() < 0.7 else [(name, value)] if told.on else []
    if kind == "checkbox":
        return [(name, value)] if choice.random() < 0.5 or (told.on and choice.random() < 0.5) else []
    if kind == "select":
        return [(name, choice.choice(told.choices) if told.choices and choice.random() < 0.5 else value)]
    if kind == "file":
        table = choice.choice((*PEOPLE, *RESULTS)).encode()
        return [(name, (io.BytesIO(table), "table.csv"))] if choice.random() < 0.3 else []
    if value and choice.random() < 0.6:
        return [(name, value)]
    if kind in {"number", "digits"}:
        low, high = (int(each) if each.lstrip("-").isdigit() else std for each, std in ((told.low, 0), (told.high, 10)))
        return [(name, str(choice.randint(low, max(low, min(high, low + 30)))))]
    stem = name.rstrip("0123456789-")
    return [(name, choice.choice(PLAUSIBLE.get(stem, ("1", "Ann", "", "12", "3.50", "2027-02-01"))))]


def body(fields: Pairs, odd: str, choice: Random) -> dict[str, Any]:
    """Return the arguments with which the test client sends these fields as a request body.

    `odd` is an item of `ODDITIES`. "body" sends random bytes, and "type" sends a wrong content type.
    """
    if odd == "body":
        return {
            "data": choice.randbytes(60),
            "content_type": choice.choice((*TYPES, "application/x-www-form-urlencoded")),
        }
    if odd == "type":
        return {
            "data": urlencode([(n, v) for n, v in fields if isinstance(v, str)]),
            "content_type": choice.choice(TYPES),
        }
    whole = next((value for name, value in fields if name == AS_JSON), None)
    if isinstance(whole, str):
        token = next((value for name, value in fields if name == "csrf_token"), "")
        return {"data": whole, "content_type": "application/json", "headers": {"X-CSRFToken": token}}
    data: dict[str, list[Any]] = {}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    if any(not isinstance(value, str) for _name, value in fields):
        return {"data": data, "content_type": "multipart/form-data"}
    return {"data": urlencode(fields, errors="replace"), "content_type": "application/x-www-form-urlencoded"}


def told(fields: Pairs) -> str:
    """Return the fields as text for the message of a `Fault`, without the CSRF token."""
    return str(
        [(name, value if isinstance(value, str) else "a file") for name, value in fields if name != "csrf_token"]
    )
