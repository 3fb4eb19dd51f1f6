"""Public names: short, different from each other, and unchanged when another person is added."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.leagues.publishing.names import FULL, INITIALS, SHORT, public_names

NAMES = st.dictionaries(
    st.integers(1, 10**6), st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=40), max_size=30
)
WORDS = st.dictionaries(
    st.integers(1, 10**6),
    st.lists(
        st.sampled_from(("Ann", "ann", "Bob", "Bo", "Émile", "de", "B.", "3", "O'Hara")), min_size=1, max_size=4
    ).map(" ".join),
    max_size=30,
)


@pytest.mark.parametrize(
    ("name", "short", "initials"),
    [
        ("Ann Baker", "Ann B.", "A. B."),
        ("Ann", "Ann", "A."),
        ("ann o'hara", "ann O.", "A. O."),
        ("Juan de la Cruz", "Juan C.", "J. C."),
        ("Zoë Émile", "Zoë É.", "Z. É."),
        ("Guest 3", "Guest 3", "G. 3"),
        ("Bob (JR)", "Bob J.", "B. J."),
        ("Bob Smith Jr.", "Bob S.", "B. S."),
        ("Bob Smith, Jr.", "Bob S.", "B. S."),
        ("Bob Smith, III", "Bob S.", "B. S."),
        ("Smith, Bob Jr.", "Bob S.", "B. S."),
        ("Mary Ann V.", "Mary V.", "M. V."),
        ("Sam St. Pierre", "Sam S.", "S. S."),
        ("Zoé Sainte Marie", "Zoé S.", "Z. S."),
        ("山田 太郎", "山田 太.", "山. 太."),
        ("山田太郎", "山.", "山."),
        ("Ann Bauer 0612345678", "Ann B.", "A. B."),
        ("Smith, Ann", "Ann S.", "A. S."),
        ("ann.bauer@example.org", "ann B.", "A. B."),
        ("Ann_Bauer", "Ann B.", "A. B."),
        ("Anne-Marie Bauer", "Anne-Marie B.", "A. B."),
        ("Ann\u200bBauer", "Ann B.", "A. B."),
    ],
)
def test_a_name_is_shortened(name: str, short: str, initials: str) -> None:
    assert public_names({1: name}, FULL) == {1: name}
    assert public_names({1: name}, SHORT) == {1: short}
    assert public_names({1: name}, INITIALS) == {1: initials}


def test_the_second_of_a_name_gets_a_number() -> None:
    people = {7: "Ann Brown", 3: "Ann Baker", 9: "Abe Boyd"}
    assert public_names(people, SHORT) == {3: "Ann B.", 7: "Ann B. 2", 9: "Abe B."}
    assert public_names(people, INITIALS) == {3: "A. B.", 7: "A. B. 2", 9: "A. B. 3"}


@given(st.one_of(NAMES, WORDS), st.sampled_from((SHORT, INITIALS)))
def test_shortened_names_differ(names: dict[int, str], style: str) -> None:
    public = public_names(names, style)
    assert public.keys() == names.keys()
    assert len({name.casefold() for name in public.values()}) == len(names)


@given(WORDS, st.sampled_from((SHORT, INITIALS)), st.text(min_size=1, max_size=20))
def test_a_newcomer_changes_nobody(names: dict[int, str], style: str, newcomer: str) -> None:
    before = public_names(names, style)
    after = public_names(names | {10**7: newcomer}, style)
    assert {person: after[person] for person in names} == before


@given(WORDS)
def test_no_last_name_is_left(names: dict[int, str]) -> None:
    for person, public in public_names(names, SHORT).items():
        words = names[person].split()
        longer = [word for word in words[1:] if len(word) > 2 and word != words[0]]
        assert not set(longer) & set(public.split())
