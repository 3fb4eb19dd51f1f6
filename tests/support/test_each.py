"""A test for each of many values runs for all of them, and says with which one it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.each import for_each

SEEN: list[int] = []


@for_each(("number", "text"), [(1, "one"), (2, "two")])
def numbers(number: int, text: str) -> None:
    SEEN.append(number)
    assert text == "one"


def test_a_failure_names_the_value_it_was_found_with() -> None:
    SEEN.clear()
    with pytest.raises(AssertionError) as failed:
        numbers()
    assert failed.value.__notes__ == ["with number, text = (2, 'two')"]
    assert SEEN == [1, 2]


def test_the_parts_share_all_values() -> None:
    seen = []

    @for_each("number", range(7), parts=3)
    def each(number: int) -> None:
        seen.append(number)

    for part in range(3):
        each(part=part)
    assert sorted(seen) == [*range(7)]


@for_each("number", range(3), parts=2)
def test_fixtures_are_handed_on(tmp_path: Path, number: int) -> None:
    """Each part has a fixture of its own."""
    (tmp_path / str(number)).touch(exist_ok=False)
    assert all((int(path.name) - number) % 2 == 0 for path in tmp_path.iterdir())
