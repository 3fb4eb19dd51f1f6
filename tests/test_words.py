"""Pages, errors, docstrings, comments and documents use the words of our glossary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.words import ALLOWED, CODE, PAGE, files_of, found_in, found_in_text

if TYPE_CHECKING:
    from pathlib import Path


PARTS = 10
"""The number of tests that share the files, each a part of them, so that several processes can read them."""


@pytest.mark.parametrize("part", range(PARTS))
def test_no_text_uses_a_word_that_the_glossary_replaced(part: int) -> None:
    """No text uses a phrase that our glossary has replaced by another.

    To list each use of such a phrase and its replacement, run `python -m tests.support.words`.
    """
    found = [each for path in files_of()[part::PARTS] for each in found_in(path)]
    assert [f"{each.file}:{each.line}: {each.words} -> {each.say}" for each in found] == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Who makes the bid scores everything taken.", PAGE),
        ("Bring in a game record", PAGE),
        ("The score book is full.", CODE),
        ("Both are level at 21.", PAGE),
        ("Strike it out", PAGE),
        ("Keep it so", PAGE),
        ("Return the points of whoever bid.", CODE),
    ],
)
def test_the_old_words_are_found(text: str, kind: str) -> None:
    assert list(found_in_text(text, kind))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Who won the bid?", PAGE),
        ("Write this down.", PAGE),
        ("Make the seating", PAGE),
        ("Return the seats of the players who bid.", CODE),
    ],
)
def test_plain_words_are_not_found(text: str, kind: str) -> None:
    assert not list(found_in_text(text, kind))


@pytest.mark.slow
def test_every_exception_is_needed() -> None:
    """Each exception in `ALLOWED` is still needed, so it must be removed when its text is gone."""
    used = {each for path in files_of() for each in allowed_in(path)}
    assert used == ALLOWED


def allowed_in(path: Path) -> set[tuple[str, str]]:
    """Return the exceptions in `ALLOWED` that the file at `path` needs, as pairs of (file, phrase)."""
    return {(each.file, each.words.lower()) for each in found_in(path, allowed=frozenset())} & ALLOWED
