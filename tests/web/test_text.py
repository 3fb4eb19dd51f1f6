"""Numbers and names are read in the forms in which people type them."""

from __future__ import annotations

import pytest

from scorekeeper.web.text import unaccented, whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("21", 21), ("007", 7), ("999", 999)])
def test_a_number_is_read(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize("text", ["", " 7", "7\n", "1_0", "+7", "-7", "7.0", "1000", "٣", "²", "seven", "−7"])
def test_what_is_no_number_is_none(text: str) -> None:
    """`whole_number` returns None for a text that isn't a number, even if Python's `int` accepts the text.

    For example, Python accepts digits of other scripts.
    """
    assert whole_number(text) is None


@pytest.mark.parametrize(
    ("text", "number"), [("-7", -7), ("−7", -7), ("7", 7), ("--7", None), ("-", None), ("+7", None)]
)
def test_a_signed_number_has_one_minus_sign(text: str, number: int | None) -> None:
    assert whole_number(text, signed=True) == number


def test_a_name_is_found_however_it_was_typed() -> None:
    assert unaccented("JOSÉ Müller") == unaccented("jose\u0301 mu\u0308ller") == "jose muller"
