"""Read the form data that people send, and limit its size. `scorekeeper.rules` decides whether a value is valid."""

from __future__ import annotations

from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.rules.bidding import Bid
from scorekeeper.web.forms import printable
from scorekeeper.web.text import whole_number

REQUEST_ID = r"[A-Za-z0-9_-]{8,64}\Z"


def read_bid(value: str) -> Bid:
    """Return the bid in a form field: an int, or the text itself if the text is not a number, such as "pitch"."""
    return value if (bid := whole_number(value)) is None else bid


def read_seat(value: str) -> int | None:
    """Return the seat in a form field, counted from 0, or None if the text is not a number."""
    return whole_number(value, 2)


def read_points(value: str) -> int:
    """Return the points of an adjustment, which may be negative.

    If the text is not a number, return 0, and the rules then refuse the adjustment.
    """
    return whole_number(value.strip().removeprefix("+"), 5, signed=True) or 0


def plain(form: MultiDict[str, str]) -> dict[str, str]:
    """Return the first value of each field of a form. Control characters are replaced with spaces."""
    return {key: printable(value) for key, value in form.items()}


def number(text: str) -> Any:
    """Return `text` as a number, or unchanged if it isn't a number, so that the rules refuse it."""
    return text if (value := whole_number(text, 8)) is None else value
