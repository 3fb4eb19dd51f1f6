"""People sit down at a new game, swap seats, and draw seats by lot."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.logic.new_game import Seats, draw_dealer, draw_partners, draw_seats, sit_down, swap_seats

FOUR = Seats(("Ann", "Bob", "Cid", "Dee"), 1)
TABLES = st.integers(2, 7).flatmap(
    lambda players: st.builds(Seats, st.permutations("ABCDEFG"[:players]).map(tuple), st.integers(0, players - 1))
)


def test_a_name_takes_the_next_empty_seat() -> None:
    assert sit_down(Seats(("Ann", "", "Cid", ""), 0), "Eve").names == ("Ann", "Eve", "Cid", "")


def test_a_seated_name_leaves_its_seat() -> None:
    assert sit_down(FOUR, "bob").names == ("Ann", "", "Cid", "Dee")


def test_a_full_table_stays_as_it_is() -> None:
    assert sit_down(FOUR, "Eve") == FOUR


def test_two_players_swap_seats_and_the_dealer_goes_along() -> None:
    assert swap_seats(FOUR, 1, 2) == Seats(("Ann", "Cid", "Bob", "Dee"), 2)
    assert swap_seats(swap_seats(FOUR, 1, 2), 1, 2) == FOUR


@given(TABLES, st.integers())
def test_a_draw_loses_nobody(seats: Seats, seed: int) -> None:
    """After seats or partners are drawn, all names are still there, and the same person deals first.

    If only the dealer is drawn, everybody stays in their seat.
    """
    for draw in (draw_seats, draw_partners):
        drawn = draw(seats, Random(seed))
        assert sorted(drawn.names) == sorted(seats.names)
        assert drawn.names[drawn.dealer] == seats.names[seats.dealer]
    assert draw_partners(seats, Random(seed)).names[0] == seats.names[0]
    assert draw_dealer(seats, Random(seed)).names == seats.names


def test_all_partners_and_dealers_are_as_likely() -> None:
    """In 3,000 draws of seats, each partner and each dealer is drawn about equally often.

    Each count may differ from the average by up to 4.5 standard errors. The random seed is fixed, so the result is too.
    """
    random = Random(17)
    partners = Counter(draw_partners(FOUR, random).names[2] for _ in range(3_000))
    dealers = Counter(draw_dealer(FOUR, random).dealer for _ in range(3_000))
    assert set(partners) == {"Bob", "Cid", "Dee"}
    assert all(abs(count - 1_000) < 4.5 * 26 for count in partners.values())
    assert all(abs(count - 750) < 4.5 * 24 for count in dealers.values())
