"""Read and limit the data that people send; the rules decide whether it is valid."""

from __future__ import annotations

from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.rules.bidding import Bid
from scorekeeper.web.forms import printable
from scorekeeper.web.text import whole_number

REQUEST_ID = r"[A-Za-z0-9_-]{8,64}\Z"


def read_bid(value: str) -> Bid:
    """Return a bid for the rules: an int, or the text if it is not a number."""
    return value if (bid := whole_number(value)) is None else bid


def read_seat(value: str) -> int | None:
    """Return the seat in a field, None if there is none."""
    return whole_number(value, 2)


def read_points(value: str) -> int:
    """Return the points of an adjustment, with any minus sign; 0, which the rules refuse, if it is not a number."""
    return whole_number(value.strip().removeprefix("+"), 5, signed=True) or 0


def plain(form: MultiDict[str, str]) -> dict[str, str]:
    """Return the first value of each field of a form, with spaces for control characters, which no page can show."""
    return {key: printable(value) for key, value in form.items()}


def number(text: str) -> Any:
    """Return the number in a text, else the text itself, which the rules refuse."""
    return text if (value := whole_number(text, 8)) is None else value
