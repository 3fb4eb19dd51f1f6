"""Addresses of clubs: readable, valid, and free."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.leagues.publishing.addresses import checked_slug, free_slug, slug_of
from scorekeeper.rules.phrase import RuleViolation


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Fire Hall", "fire-hall"),
        ("Café Crème!", "cafe-creme"),
        ("山田", "club"),
        ("A", "club-a"),
        ("x" * 60, "x" * 40),
    ],
)
def test_a_slug_is_made_from_the_name(name: str, slug: str) -> None:
    assert slug_of(name) == slug


@given(st.text(max_size=60), st.integers(0, 30))
def test_a_made_slug_is_valid_and_free(name: str, times: int) -> None:
    taken: set[str] = set()
    for _ in range(times + 1):
        slug = free_slug(name, taken)
        assert checked_slug(slug) == slug
        assert slug not in taken
        taken.add(slug)


@pytest.mark.parametrize(
    "typed", ["", "ab", "a" * 41, "fire hall", "fire_hall", "-fire", "fire--hall", "fïre", "../x", "a/b"]
)
def test_an_invalid_slug_is_refused(typed: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        checked_slug(typed)
    assert refused.value.field == "slug"


def test_capitals_and_spaces_around_are_mended() -> None:
    assert checked_slug("  Fire-Hall ") == "fire-hall"
