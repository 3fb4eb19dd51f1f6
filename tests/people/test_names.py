"""Tests of `match`, which finds the known people whose names were entered for the seats of a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.people.tables import KnownPerson, folded, look_alike, match

ANN, BOB, ANNIE = KnownPerson(1, "Ann"), KnownPerson(2, "Bob"), KnownPerson(3, "Annie", joined_into=1)
NAMES = st.sampled_from(("Ann", "ann", "ANNIE", "Bob", "José", "Jose\u0301", "Eve"))
PEOPLE = st.lists(st.tuples(NAMES, st.booleans()), max_size=5).map(
    lambda drawn: tuple(
        KnownPerson(number, name, 1 if merged and number > 1 else None)
        for number, (name, merged) in enumerate(drawn, start=1)
    )
)


def test_case_and_the_way_accents_are_stored_make_no_difference() -> None:
    assert match(("ANN", "bob"), (ANN, BOB)) == (1, 2)
    assert folded("José") == folded("JOSE\u0301") != folded("Jose")


def test_the_name_of_a_merged_person_finds_the_other_one() -> None:
    assert match(("Annie",), (ANN, ANNIE)) == (1,)


def test_a_person_with_that_very_name_comes_first() -> None:
    """A person's current name takes priority over the name of another person who was merged into that person.

    Annie was merged into Ann. If both names are entered, the name Ann finds Ann, and the name Annie finds nobody. This
    holds even if Annie's seat comes first.
    """
    assert match(("Annie", "Ann"), (ANN, ANNIE)) == (None, 1)


def test_people_who_sit_already_are_not_found() -> None:
    assert match(("Ann", "Bob"), (ANN, BOB), seated=(1,)) == (None, 2)


@given(st.lists(NAMES, max_size=7), PEOPLE)
def test_nobody_has_two_seats(names: list[str], people: tuple[KnownPerson, ...]) -> None:
    """The same person is never found for two seats.

    A name finds only people who have that name, or into whom a person with that name was merged.
    """
    found = match(names, people)
    someone = [person for person in found if person is not None]
    assert len(set(someone)) == len(someone)
    for name, person in zip(names, found, strict=True):
        called = {each.joined_into or each.id for each in people if folded(each.name) == folded(name)}
        assert person in called if person is not None else called <= set(someone)


@pytest.mark.parametrize(
    ("names", "sure", "found"),
    [
        (["Anne", "Bob"], [], (0, "Ann")),
        (["Bob", "José"], [], (1, "Jose")),
        (["Anne", "Bob"], ["anne"], None),
        (["Ann", "Anne"], [], None),
        (["Zoe", "Bob"], [], None),
        (["Leah"], [], None),
        (["Kimm"], [], None),
    ],
)
def test_a_new_name_that_looks_like_a_known_one(
    names: list[str], sure: list[str], found: tuple[int, str] | None
) -> None:
    """Hidden and merged people aren't meant, and neither are people who are in the same game themselves."""
    people = [
        KnownPerson(1, "Ann"),
        KnownPerson(2, "Jose"),
        KnownPerson(3, "Lea", hidden=True),
        KnownPerson(4, "Kim", joined_into=1),
    ]
    assert look_alike(names, people, sure) == found
