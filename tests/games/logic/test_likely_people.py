"""The order in which names are offered for a new game."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.logic.new_game import PastGame, by_likelihood

GAMES = st.lists(
    st.builds(
        PastGame,
        st.sampled_from(("setback-21", "pitch-11")),
        st.integers(0, 400),
        st.frozensets(st.integers(1, 6), min_size=2, max_size=4),
    ),
    max_size=8,
)


def game(days: int, *people: int, preset: str = "setback-21") -> PastGame:
    return PastGame(preset, days, frozenset(people))


def test_recent_and_frequent_players_come_first() -> None:
    assert by_likelihood((1, 2, 3), [game(1, 2), game(2, 2), game(3, 3), game(300, 1)], "setback-21") == (2, 3, 1)


def test_players_of_the_chosen_game_come_first() -> None:
    assert by_likelihood((1, 2), [game(1, 1), game(1, 2, preset="pitch-11")], "pitch-11") == (2, 1)


def test_players_who_play_with_those_seated_come_first() -> None:
    games = [game(1, 1, 4), game(2, 2, 5)]
    assert by_likelihood((1, 2), games, "setback-21") == (1, 2)
    assert by_likelihood((1, 2), games, "setback-21", seated=(5,)) == (2, 1)


def test_people_who_never_played_keep_their_order() -> None:
    assert by_likelihood((3, 1, 2), [], "setback-21") == (3, 1, 2)


@given(st.permutations(range(1, 7)), GAMES, st.frozensets(st.integers(1, 6)))
def test_everyone_is_offered_once(people: list[int], games: list[PastGame], seated: frozenset[int]) -> None:
    assert sorted(by_likelihood(people, games, "setback-21", seated)) == sorted(people)


@given(st.permutations(range(1, 7)), GAMES, st.integers(1, 6))
def test_another_game_never_moves_a_player_back(people: list[int], games: list[PastGame], who: int) -> None:
    before = by_likelihood(people, games, "setback-21").index(who)
    assert by_likelihood(people, [*games, game(0, who)], "setback-21").index(who) <= before
