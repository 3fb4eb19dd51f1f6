"""Which people the names at a table belong to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.people.names import KnownPerson, folded, match

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
    """If Ann plays, Annie is somebody else, whichever of them sits first."""
    assert match(("Annie", "Ann"), (ANN, ANNIE)) == (None, 1)


def test_people_who_sit_already_are_not_found() -> None:
    assert match(("Ann", "Bob"), (ANN, BOB), seated=(1,)) == (None, 2)


@given(st.lists(NAMES, max_size=7), PEOPLE)
def test_nobody_has_two_seats(names: list[str], people: tuple[KnownPerson, ...]) -> None:
    """And everyone who is found has that name, or a merged person has."""
    found = match(names, people)
    someone = [person for person in found if person is not None]
    assert len(set(someone)) == len(someone)
    for name, person in zip(names, found, strict=True):
        called = {each.joined_into or each.id for each in people if folded(each.name) == folded(name)}
        assert person in called if person is not None else called <= set(someone)
